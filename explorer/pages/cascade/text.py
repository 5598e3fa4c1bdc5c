"""What the threshold or the budget does: in a line, in plain words, in tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import panel as pn
import param

from solvers.papers.cascades import PrefixComparison
from solvers.papers.cascades.figures import PUBLISHED_ROUNDS

from ...export.plain_answer import PlainAnswer, words_of
from ...session.answer_view import StateAnswer
from ...widgets.figure_view import StateTable, TableView, TextView
from ...widgets.markup import markup, summary_markup
from ...widgets.parts import wide_column
from ...widgets.tables import DataTable
from ...widgets.text import cost_text, plain, right_text
from .hypergraph_result import PolicyResult
from .result import CascadeResult, TableText, bound_text
from .state import METHODS, ORDERS, CascadeState
from .tefe_result import ThresholdResult
from .training import TrainedCascade


class CascadeSummary(TextView):
    """The outcome in a few sentences, as a live region."""

    state = param.ClassSelector(class_=CascadeState)
    method = param.Selector(default="tefe", objects=list(METHODS))
    margin, min_height = (4, 10), 48

    def _watch(self) -> None:
        self.state.watch_moves(self.method, self._write)

    def _markup(self) -> str:
        result = self.state.result(self.method)
        if result is None:
            return summary_markup(METHODS[self.method].before_training)
        return answer_markup(result)


def answer_markup(result: CascadeResult) -> str:
    """Return the answer of the page, as it stands there."""
    return summary_markup(_summary(result), lead=result.lead())


def summary_text(state: CascadeState, method: str = "tefe") -> str:
    """Return what the threshold or the budget does."""
    result = state.result(method)
    return METHODS[method].before_training if result is None else _summary(result)


def _summary(result: CascadeResult) -> str:
    has_order = isinstance(result, ThresholdResult)
    return result.summary() + (order_text(result.picture.cascade) if has_order else "")


def order_text(cascade: TrainedCascade) -> str:
    """Return what an order has opened for less than the published one, at its most.

    Empty for the published one.
    """
    order, mine = cascade.request.order, cascade.model.stage_costs_
    if order == "alone":
        return ""
    title = next(title for title, name in ORDERS.items() if name == order)
    theirs, unit = cascade.costs_as_published, cascade.dataset.unit
    stage = int(np.argmax(np.abs(theirs - mine)))
    if np.isclose(theirs[stage], mine[stage]):
        return f" Ordered {title}, stages cost what they cost in the published order."
    count = "stage costs" if stage == 0 else f"{stage + 1} stages cost"
    return (
        f" Ordered {title}, the first {count} {cost_text(mine[stage], unit)}; by own "
        f"cost, as published, {cost_text(theirs[stage], unit)}."
    )


# More features than these are not said one by one.
MOST_NAMES = 8


class CascadeText(StateAnswer):
    """What each stage computes, when to stop, and what became of the test rows."""

    state = param.ClassSelector(class_=CascadeState)
    method = param.Selector(default="tefe", objects=list(METHODS))

    def _watch(self) -> None:
        self.state.watch_rests(self.method, self._write)

    def _answer(self) -> PlainAnswer | None:
        result = self.state.result(self.method)
        if isinstance(result, PolicyResult):
            return policy_answer(result)
        return cascade_answer(result) if isinstance(result, ThresholdResult) else None


def cascade_answer(result: ThresholdResult) -> PlainAnswer:
    """Return what the cascade does at its threshold, in words."""
    cascade, data = result.picture.cascade, result.dataset
    opening = (result.summary(),)
    closing = (_beyond_threshold(result),)
    procedure = result.model.procedure()
    if procedure is None:
        names = tuple(data.feature_names)
        return PlainAnswer(opening, _threshold_stages(result), closing, names)
    return words_of(
        procedure.in_columns(cascade.centre, cascade.width),
        result.split.X("test"),
        result.split.y("test"),
        data,
        opening,
        closing,
        result.columns,
    )


def _threshold_stages(result: ThresholdResult) -> tuple[str, ...]:
    """Return a line a stage, where sums of many classes are no words."""
    features, unit = result.picture.cascade.stage_features, result.dataset.unit
    return tuple(
        f"Compute {', '.join(features[stage])}: "
        f"{cost_text(cost, unit)} so far. Stop where the best class is sure enough "
        f"({right_text(right + wrong, right)})."
        for stage, (cost, right, wrong) in enumerate(
            zip(result.costs, result.right, result.wrong, strict=True)
        )
    )


def _beyond_threshold(result: ThresholdResult) -> str:
    """Return what the threshold does not buy."""
    test, unit = result.picture.test, result.dataset.unit
    more, best = float(test.stage_costs[-1]) - result.cost, test.prefix_accuracy[-1]
    if more <= 0:
        return "Every row goes all the way: there is nothing left to buy."
    if best <= result.accuracy:
        return (
            f"Nothing better to buy: all stages for every row cost "
            f"{cost_text(more, unit)} more a row and are right on "
            f"{100 * best:.1f} % of {test.n_rows} test rows, no more than now."
        )
    return (
        f"Not bought: for {cost_text(more, unit)} more a row, all stages for every row "
        f"are right on {100 * best:.1f} % of {test.n_rows} test rows instead of "
        f"{100 * result.accuracy:.1f} %."
    )


def policy_answer(result: PolicyResult) -> PlainAnswer:
    """Return what the policy does that the budget buys, in words."""
    n_leaves = len(result.first) - 1
    sent = (
        ()
        if n_leaves == 1
        else (
            f"Before anything is paid each row is sent to one of {n_leaves} branches, "
            "which have stages of their own.",
        )
    )
    places = [place for place in result.rows if _is_told(result, place)]
    return PlainAnswer(
        (result.summary(), *sent),
        tuple(_policy_stage(result, place) for place in places),
        (_beyond_budget(result),),
        tuple(result.dataset.feature_names),
    )


def _is_told(result: PolicyResult, place: int) -> bool:
    """Return whether anything happens at a stage: it computes, or rows may leave."""
    row = result.rows[place]
    return bool(result.features[place]) or row.is_stop


def _policy_stage(result: PolicyResult, place: int) -> str:
    row, unit = result.rows[place], result.dataset.unit
    named = result.names(result.features[place], MOST_NAMES)
    computes = (
        f"compute {named}: {cost_text(row.cost, unit)} so far"
        if named
        else "compute nothing yet"
    )
    return f"Stage {result.name(place)}: {computes}. {_leaving(result, place)}"


def _leaving(result: PolicyResult, place: int) -> str:
    row = result.rows[place]
    right, wrong = int(result.right[place]), int(result.wrong[place])
    became = right_text(right + wrong, right)
    if not row.is_stop or (
        np.isinf(row.low) and np.isinf(row.high) and row.low < row.high
    ):
        return "Go on in any case."
    if not row.low < row.high:
        return f"Say what the score u speaks for ({became})."
    return (
        f"Go on where the score u lies between {bound_text(row.low)} and "
        f"{bound_text(row.high)}; else stop, and say what it speaks for ({became})."
    )


def _beyond_budget(result: PolicyResult) -> str:
    """Return what the budget does not buy, and what the next step up would bring."""
    trained, own = result.trained, result.policy
    costlier = [
        (policy.mean, number)
        for number, policy in enumerate(trained.model.policies_)
        if policy.mean > own.mean and policy.score > own.score
    ]
    if not costlier:
        return "No costlier policy is better on held-out training rows."
    _, number = min(costlier)
    following, unit = PolicyResult.of(trained, number), result.dataset.unit
    return (
        f"Not bought: for {cost_text(following.cost - result.cost, unit)} more a row "
        f"({cost_text(following.cost, unit)}), {100 * following.accuracy:.1f} % of "
        f"{following.n_rows} test rows are right instead of "
        f"{100 * result.accuracy:.1f} %."
    )


OURS = ("Rounds", "Classified", "Right", "Right (%)")
PUBLISHED = ("As published: classified", "As published: right", "As published (%)")
AHEAD = {"cascade": "cascade", "prefix": "fixed prefix", "level": "level"}


class CascadeStageTable(TableView):
    """What each stage costs and who leaves there."""

    state = param.ClassSelector(class_=CascadeState)
    method = param.Selector(default="tefe", objects=list(METHODS))

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        self._table = headed_table(METHODS[self.method].stages, self.param.dark)
        self.state.watch_rests(self.method, self._write)
        self._write()

    def _write(self) -> None:
        result = self.state.result(self.method)
        if result is not None:
            self._table.rows = result.stage_table()


def headed_table(text: TableText, dark: Any) -> DataTable:
    """Return an empty table under its caption; `dark`: the theme, by reference."""
    return DataTable(
        caption=text.caption,
        columns=list(text.columns),
        numbers=list(text.numbers),
        height=text.height,
        dark=dark,
        sizing_mode="stretch_width",
    )


class CascadeRounds(StateTable):
    """Who leaves in which round, "as published" beside ours."""

    state = param.ClassSelector(class_=CascadeState)
    caption, height = "Rows classified in different rounds", 140
    follows = ("cascade", "confidence", "cap", "rests")

    def _fill(self) -> None:
        rounds = self.state.rounds()
        # The paper's rounds are of its own 28 stages: beside others they mean nothing.
        stages = rounds[-1].last if rounds else 0
        published = PUBLISHED_ROUNDS if stages == 28 else ()
        rows = []
        for number, found in enumerate(rounds):
            share = 100 * found.n_right / found.n_rows if found.n_rows else 0.0
            cells: list[Any] = [found.title, found.n_rows, found.n_right]
            cells.append(round(share, 1) if found.n_rows else "")
            if published:
                classified, right = published[number]
                cells += [classified, right, round(100 * right / classified, 1)]
            rows.append(cells)
        columns = [*OURS, *(PUBLISHED if published else ())]
        numbers = [name != "Rounds" for name in columns]
        self._table.param.update(columns=columns, numbers=numbers, rows=rows)


class CascadeVerdict(StateTable):
    """A sentence and a table: budget by budget, who is ahead."""

    state = param.ClassSelector(class_=CascadeState)
    caption, height = "Cascade and fixed prefix within budgets", 300
    columns = (
        "Budget",
        "Mean cost allowed",
        "Cascade (test)",
        "Fixed prefix (test)",
        "Difference ± error",
        "Ahead",
    )
    numbers = (False, False, True, True, False, False)
    follows = ("cascade", "confidence", "cap")

    def __init__(self, **params: Any) -> None:
        self._text = markup("", min_height=64)
        super().__init__(**params)

    def __panel__(self) -> pn.viewable.Viewable:
        return wide_column(self._text, self._table)

    def _fill(self) -> None:
        picture = self.state.picture
        if picture is None:
            return
        rows, unit = picture.against_prefix, picture.cascade.dataset.unit
        self._text.object = f"<p>{plain(verdict_text(rows))}</p>"
        self._table.rows = [
            [
                f"{100 * row.share:.0f} %",
                cost_text(row.budget, unit),
                round(row.cascade, 3),
                round(row.prefix, 3),
                f"{row.cascade - row.prefix:+.3f} ± {row.error:.3f}",
                AHEAD[row.ahead],
            ]
            for row in rows
        ]


def verdict_text(rows: Sequence[PrefixComparison]) -> str:
    """Return where the cascade pays, in words."""
    told = {
        name: ", ".join(f"{100 * row.share:.0f}" for row in rows if row.ahead == name)
        for name in AHEAD
    }
    parts = []
    if told["cascade"]:
        parts.append(f"The cascade beats the prefix within {told['cascade']} % of cost")
    if told["prefix"]:
        parts.append(f"the fixed prefix beats the cascade within {told['prefix']} %")
    if told["level"]:
        parts.append(f"neither is ahead beyond noise within {told['level']} %")
    text = "; ".join(parts) or "No budget pays for the first stage"
    return (
        f"{text[:1].upper()}{text[1:]}. Threshold and prefix are chosen on validation "
        "rows, and reported on test rows; ahead means by two standard errors."
    )
