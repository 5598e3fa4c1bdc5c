"""What a model does and what that is worth, in words that can be said aloud."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from solvers import Dataset, Frontier, FrontierPoint, all_methods
from solvers.costs.budgets import room_of
from solvers.decisions.procedure import (
    Boundary,
    Instruction,
    Procedure,
    Say,
    Successor,
    point_procedure,
)
from solvers.frontier.evaluation import Split
from solvers.values.rounding import fixed

from ..widgets.text import cost_text, list_text, right_text, score_text
from .column_text import ColumnText

# A way of more questions than that is no sentence.
MAX_ALOUD = 4
# What moves the sum by less of its largest term is what rounding left of a zero.
NOTICED = 1e-12
# Of a longer one, so many ends on so many conditions are said that each meet such a
# share of the rows, where they meet most of these together.
MAX_ENDS, MAX_CONDITIONS, LEAST_SHARE, MOST_SHARE = 3, 3, 0.1, 0.5


@dataclass(frozen=True)
class PlainAnswer:
    """A model in words: paragraphs above and below its numbered steps."""

    opening: tuple[str, ...]  # What is computed, and what that costs
    steps: tuple[str, ...]  # Numbered from 1 by whoever shows them
    closing: tuple[str, ...]  # How sure, and what more would bring
    names: tuple[str, ...] = ()  # Of features, which are no terms of ours

    def text(self) -> str:
        """Return it as plain text, one line a paragraph or step."""
        numbered = [f"{i}. {line}" for i, line in enumerate(self.steps, start=1)]
        return "\n".join([*self.opening, *numbered, *self.closing]) + "\n"


def answer_of_point(
    point: FrontierPoint, split: Split, rule: str = "tuned", more: str = ""
) -> PlainAnswer:
    """Return what the model of a point does, in words.

    `split`: on which it was trained and judged.
    `rule`: of its threshold.
    `more`: what the next step up would bring.
    """
    data = split.dataset
    title = all_methods()[point.method].title
    procedure = point_procedure(point, data.positive, rule)
    opening = (_bought(point, data, title),)
    closing = (_worth(point, split), *([more] if more else []))
    if procedure is None:
        steps = _handed_over(point, data, title)
        return PlainAnswer(opening, steps, closing, tuple(data.feature_names))
    columns = ColumnText(data, split.encoder)
    rows, truth = split.X("test"), split.y("test")
    return words_of(procedure, rows, truth, data, opening, closing, columns)


def words_of(
    procedure: Procedure,
    rows: NDArray[np.float64],
    truth: NDArray,
    data: Dataset,
    opening: Sequence[str] = (),
    closing: Sequence[str] = (),
    columns: ColumnText | None = None,
) -> PlainAnswer:
    """Return the steps of a procedure in words, with what became of some rows.

    Shapes: `rows` (n_samples, n_columns), `truth` (n_samples,).
    `opening`, `closing`: what stands above and below the steps.
    `columns`: words for the columns of `rows`, where those are not the table's own.
    """
    words = _Words(procedure, rows, truth, data, columns or ColumnText(data))
    aloud = words.aloud() or words.commonest()
    return PlainAnswer(
        (*opening, *([aloud] if aloud else [])),
        words.steps(),
        tuple(closing),
        tuple(data.feature_names),
    )


def beyond_budget(
    frontier: Frontier, budget: float, chosen: FrontierPoint | None, data: Dataset
) -> str:
    """Return what a budget could not buy, and what the next step up would bring.

    Points are compared on validation rows; scores are of test rows.
    """
    score = frontier.score
    had = -np.inf if chosen is None else chosen.scores["validation"][score]
    costlier = [
        point
        for point in frontier
        if frontier.held(point) > room_of(budget)
        and point.scores["validation"][score] > had
    ]
    if not costlier:
        return "No costlier model that was tried is better on validation rows."
    following = min(costlier, key=frontier.held)
    cost = frontier.held(following)
    bought = [] if chosen is None else _names(chosen.features, data)
    exchanged = exchange_text(bought, _names(following.features, data))
    judged = score_text(following, score, "validation")
    return (
        f"Not bought: for {cost_text(cost - budget, data.unit)} more than the budget "
        f"({cost_text(cost, data.unit)}), {all_methods()[following.method].title} "
        f"reaches {score_text(following, score)} on test rows ({judged} on validation "
        f"rows), {exchanged}."
    )


def exchange_text(before: Sequence[str], after: Sequence[str]) -> str:
    """Return what other features do instead of some: "with a and b instead of c"."""
    new = list_text([name for name in after if name not in before])
    gone = list_text([name for name in before if name not in after])
    if new and gone:
        return f"with {new} instead of {gone}"
    if new:
        return f"with {new} as well"
    return f"without {gone}" if gone else "with the same features"


# --------------------------------------------------------------------------- in words


class _Words:
    """The steps of one procedure, and where rows went that followed them."""

    def __init__(
        self,
        procedure: Procedure,
        rows: NDArray[np.float64],
        truth: NDArray,
        data: Dataset,
        columns: ColumnText,
    ) -> None:
        self._procedure, self._data, self._columns = procedure, data, columns
        self._ends = procedure.follow(rows)
        self._right = self._ends.labels == truth
        self._rows = rows
        self._passed = self._rows_by_step()
        self._before = self._bought_before()

    def steps(self) -> tuple[str, ...]:
        """Return a line a step."""
        start = self._procedure.start
        if isinstance(start, Say):
            return (f"Compute nothing: always say {start.label}.",)
        return tuple(self._line(i) for i in range(len(self._procedure.steps)))

    def aloud(self) -> str:
        """Return the whole way as one sentence; empty where it would be long."""
        steps = self._procedure.steps
        if not steps or len(steps) > MAX_ALOUD:
            return ""
        if any(one.asks is None or len(one.ways) > 2 for one in steps):
            return ""
        said = self._told(0)
        return f"In one breath: {said}."

    def commonest(self) -> str:
        """Return the commonest ends of a long way; empty where few rows meet them."""
        n_rows, ends = len(self._rows), []
        waiting: list[tuple[Successor, NDArray[np.int_], tuple[str, ...]]] = [
            (self._procedure.start, np.arange(n_rows), ())
        ]
        while waiting:
            way, here, when = waiting.pop()
            if len(when) > MAX_CONDITIONS or len(here) < max(LEAST_SHARE * n_rows, 1):
                continue
            if isinstance(way, Say):
                ends.append((len(here), " and ".join(when), way.label))
                continue
            one = self._procedure.steps[way]
            if one.cuts and one.asks is None:
                return ""  # a sum is not said aloud
            ranges = one.ranges(self._rows[here])
            for i, following in enumerate(one.ways):
                told = (*when, *self._when(one, i))
                waiting.append((following, here[ranges == i], told))
        ends = sorted(ends, key=lambda end: -end[0])[:MAX_ENDS]
        met = sum(count for count, *_ in ends)
        if not all(when for _, when, _ in ends) or met <= MOST_SHARE * n_rows:
            return ""
        told = [f"if {when}, say {label} ({count})" for count, when, label in ends]
        others = " The others take the steps." if met < n_rows else ""
        said = "; ".join(told)
        return f"In one breath, for {met} of {n_rows} test rows: {said}.{others}"

    def _when(self, one: Instruction, i: int) -> tuple[str, ...]:
        """Return when a step that asks for one column goes one of its ways."""
        if not one.cuts:
            return ()
        condition = self._condition(one)
        name = self._data.feature_names[self._columns.feature(_asked(one))]
        if condition is None:
            return (f"{name} is {_range(one.cuts, i)}",)
        if i == 1:
            return (condition,)
        return (name + condition[len(name) :].replace(" is ", " is not ", 1),)

    def _told(self, at: int) -> str:
        one = self._procedure.steps[at]
        asked = _asked(one)
        name = self._data.feature_names[self._columns.feature(asked)]
        if not one.cuts:
            return f"compute {name}; {self._onward(one.ways[0])}"
        low, high = one.ways
        condition = self._condition(one)
        if condition is not None:
            return (
                f"compute {name}; if {condition}, {self._onward(high)}; "
                f"else {self._onward(low)}"
            )
        branches = [(_beyond(one.cuts[0]), high), (_before(one.cuts[0]), low)]
        # What ends the way is said first.
        branches.sort(key=lambda branch: not isinstance(branch[1], Say))
        (when, first), (_, second) = branches
        return (
            f"compute {name}; if {when}, {self._onward(first)}; "
            f"else {self._onward(second)}"
        )

    def _onward(self, way: Successor) -> str:
        return f"say {way.label}" if isinstance(way, Say) else self._told(way)

    def _line(self, at: int) -> str:
        one = self._procedure.steps[at]
        parts = [] if self._passed[at].any() else ["No test row comes here."]
        parts += [self._computed(at)] if one.buys else []
        parts = [part for part in parts if part]  # what is computed may be by now
        if not one.cuts:
            goes = self._goes(at, 0)
            return " ".join([*parts, f"{goes[0].upper()}{goes[1:]}."])
        condition = self._condition(one)
        if condition is not None:
            low, high = (self._goes(at, i) for i in range(2))
            return " ".join([*parts, f"If {condition}: {high}; if not: {low}."])
        reached = _reached(one.cuts)
        if len(reached) == 1:
            goes = self._goes(at, reached[0])
            return " ".join([*parts, f"Whatever comes out, {goes}."])
        if one.asks is None:
            parts.append(f"Add up {self._sum(one)}.")
            what = "The sum"
        else:
            what = self._columns.name(one.asks)
        ranges = [f"{_range(one.cuts, i)}: {self._goes(at, i)}" for i in reached]
        return " ".join([*parts, f"{what} {'; '.join(ranges)}."])

    def _condition(self, one: Instruction) -> str | None:
        """Return what a step asks with yes or no; None where it asks for a number."""
        if one.asks is None or len(one.cuts) != 1:
            return None
        parts = bool(one.cuts[0].reached(1.0)) and not one.cuts[0].reached(0.0)
        return self._columns.condition(one.asks) if parts else None

    def _computed(self, at: int) -> str:
        one, before = self._procedure.steps[at], self._before[at]
        # A feature of several columns is computed with the first of them.
        bought = self._columns.features(one.buys)
        new = [j for j in bought if not before[j]]
        read = self._columns.readings(one.buys)
        return " ".join([*([self._priced(new, before)] if new else []), *read])

    def _priced(self, new: Sequence[int], before: NDArray[np.bool_]) -> str:
        hypergraph, names = self._data.hypergraph, self._data.feature_names
        alone, unit = hypergraph.marginal_costs(), hypergraph.unit
        after = _with(before, new)
        added = hypergraph.cost(after) - hypergraph.cost(before)
        told = [f"{names[j]} ({cost_text(alone[j], unit)})" for j in new]
        apart = float(alone[list(new)].sum())
        words = f"Compute {list_text(told)}"
        if np.isclose(apart, added):
            return f"{words}." if len(told) == 1 else f"{words}, {_paid(added, unit)}."
        if len(told) == 1:
            return f"{words}, of which {_paid(added, unit)} is left to pay."
        shared = f"{_paid(apart, unit)} if each were computed alone"
        return f"{words}: {_paid(added, unit)} together, {shared}."

    def _rows_by_step(self) -> list[NDArray[np.bool_]]:
        """Return which rows pass each step."""
        passed = [np.zeros(len(self._rows), dtype=bool) for _ in self._procedure.steps]
        if not isinstance(self._procedure.start, Say):
            passed[self._procedure.start][:] = True
        for here, one in zip(passed, self._procedure.steps, strict=True):
            places = np.flatnonzero(here)
            ranges = one.ranges(self._rows[places])
            for i, way in enumerate(one.ways):
                if not isinstance(way, Say):
                    passed[way][places[ranges == i]] = True
        return passed

    def _bought_before(self) -> list[NDArray[np.bool_]]:
        """Return which features have been computed when each step begins."""
        before = [
            np.zeros(self._data.n_features, dtype=bool) for _ in self._procedure.steps
        ]
        for i, one in enumerate(self._procedure.steps):
            after = _with(before[i], self._columns.features(one.buys))
            for way in one.ways:
                if not isinstance(way, Say):
                    before[way] = after
        return before

    def _sum(self, one: Instruction) -> str:
        # Where all rows hold 0 they tell not how much another one would move it.
        moved = {
            j: abs(weight) * (np.abs(self._rows[:, j]).max(initial=0.0) or 1.0)
            for j, weight in one.weights.items()
        }
        least = NOTICED * max(moved.values(), default=0.0)
        terms = [
            f"{'-' if weight < 0 else '+'} {self._term(abs(weight), j)}"
            for j, weight in sorted(one.weights.items(), key=lambda it: -abs(it[1]))
            if not moved[j] < least  # NaN where one is not known
        ]
        constant = f"{_weight(one.constant)} " if one.constant else ""
        return f"{constant}{' '.join(terms)}".removeprefix("+ ")

    def _term(self, weight: float, j: int) -> str:
        condition = self._columns.condition(j)
        if condition is None:
            return f"{_weight(weight)} × {self._columns.name(j)}"
        return f"{_weight(weight)} if {condition}"

    def _goes(self, at: int, i: int) -> str:
        way = self._procedure.steps[at].ways[i]
        if isinstance(way, Say):
            return f"say {way.label}{self._became(at, i)}"
        return f"go on with step {way + 1}"

    def _became(self, at: int, i: int) -> str:
        if not self._passed[at].any():
            return ""  # the step has said so
        here = (self._ends.step == at) & (self._ends.way == i)
        return f" ({right_text(int(here.sum()), int(self._right[here].sum()))})"


def _with(mask: NDArray[np.bool_], more: Sequence[int]) -> NDArray[np.bool_]:
    after = mask.copy()
    after[list(more)] = True
    return after


def _paid(cost: float, unit: str) -> str:
    return cost_text(max(cost, 0.0), unit)


def _asked(one: Instruction) -> int:
    return next(iter(one.weights))


def _reached(cuts: Sequence[Boundary]) -> list[int]:
    """Return the ranges between cuts in which a number can lie at all."""
    ends = [-np.inf, *(cut.value for cut in cuts), np.inf]
    return [
        i
        for i, (low, high) in enumerate(pairwise(ends))
        if low < np.inf and high > -np.inf
    ]


def _range(cuts: Sequence[Boundary], i: int) -> str:
    """Return where a number lies, without what is infinite."""
    is_last = i == len(cuts) or cuts[i].value == np.inf
    if i == 0 or cuts[i - 1].value == -np.inf:
        return "whatever it is" if is_last else _before(cuts[i])
    if is_last:
        return _beyond(cuts[i - 1])
    return f"{_beyond(cuts[i - 1])} and {_before(cuts[i])}"


def _before(cut: Boundary) -> str:
    return (
        f"below {_weight(cut.value)}"
        if cut.inclusive
        else f"{_weight(cut.value)} or less"
    )


def _beyond(cut: Boundary) -> str:
    return (
        f"{_weight(cut.value)} or more"
        if cut.inclusive
        else f"above {_weight(cut.value)}"
    )


def _weight(value: float) -> str:
    """Return a number of the model: more digits than of a cost, for they decide."""
    return f"{value:.6g}"


def _names(features: NDArray[np.bool_], data: Dataset) -> list[str]:
    return [data.feature_names[j] for j in np.flatnonzero(features)]


def _bought(point: FrontierPoint, data: Dataset, title: str) -> str:
    if not point.features.any():
        return f"{title} computes nothing and pays nothing."
    mean, most = (cost_text(point.cost[each], data.unit) for each in ("mean", "max"))
    paid = mean if mean == most else f"{mean} on average, {most} at most"
    alone = float(data.hypergraph.marginal_costs()[point.features].sum())
    together = data.hypergraph.cost(point.features)
    shared = (
        "Nothing of that is shared."
        if np.isclose(alone, together)
        else f"Together they cost {cost_text(together, data.unit)}; alone they would "
        f"cost {cost_text(alone, data.unit)} in sum."
    )
    return (
        f"{title} computes {point.n_features} of {data.n_features} features and pays "
        f"{paid} a row. {shared}"
    )


def _worth(point: FrontierPoint, split: Split) -> str:
    scores, n_test = point.scores["test"], len(split.y("test"))
    positive = split.dataset.positive
    said = "" if positive is None else f" for {positive}"
    return (
        f"How sure: right on {100 * scores['accuracy']:.1f} % of {n_test} test rows; "
        f"F1 {fixed(scores['f1'], 3)}{said} "
        f"({fixed(point.scores['validation']['f1'], 3)} on the "
        f"{len(split.y('validation'))} validation rows that chose it)."
    )


def _handed_over(point: FrontierPoint, data: Dataset, title: str) -> tuple[str, ...]:
    names = _names(point.features, data)
    if not names:
        return ("Compute nothing: the model says the same of each row.",)
    mean, most = point.cost["mean"], point.cost["max"]
    when = (
        "Every row computes all of them."
        if np.isclose(mean, most)
        else "Each row computes a part of them, and the model says which is next."
    )
    return (
        f"Compute {list_text(names)}. {when}",
        f"Let the model decide: what {title} does with them is too long to say; "
        "estimator.skops and the script do it for you.",
    )
