"""Running a decision program on many rows at once: one set of rows a node."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import log_softmax

from ..errors import DataError
from ..numerics.arrays import Floats, Integers, Mask
from .program import (
    Answered,
    ExitIf,
    Fork,
    GatedFork,
    HingedColumn,
    Program,
    ProgramNode,
    Rectified,
    Shopping,
    Turns,
)


@dataclass(frozen=True, eq=False)
class ProgramRun:
    """What a program says of some rows, and what it computed for that."""

    answers: Floats  # (n_rows, n_outputs)
    acquired: Mask  # (n_rows, n_features)

    @property
    def scores(self) -> Floats:
        """As ``decision_function`` gives them: one number a row of two classes."""
        return self.answers[:, 0] if self.answers.shape[1] == 1 else self.answers


def run(program: Program, rows: Floats, n_outputs: int = 1) -> ProgramRun:
    """ProgramRun rows through a program.

    Shapes: `rows` (n_rows, n_features). A feature that a row does not compute is not
    looked at. `n_outputs`: one for two classes, else one a class.
    """
    if any(isinstance(node.rule, Shopping) for node in program.nodes):
        raise DataError("A program that shops runs a row at a time; use a walker.")
    running = _Running(program, rows, np.zeros(rows.shape, dtype=bool))
    is_each = bool(program.rests) or program.turns is not None
    n_sums = max(2, n_outputs) if is_each else n_outputs

    def answer(root: int, here: Integers) -> Floats:
        return running.answers(root, here, n_sums)

    going = np.arange(len(rows))
    answers = np.zeros((len(rows), n_sums))
    if program.turns is not None:
        settled, reached = _in_turns(program, rows, running.acquired, program.turns)
        answers[settled] = reached / program.divisor + program.offset
        going = going[~settled]
    answers[going] = summed(
        program, len(going), n_sums, lambda r, h: answer(r, going[h])
    )
    if n_outputs < n_sums:
        answers = answers[:, 1:] - answers[:, :1]
    if program.priced is not None:
        answers = program.priced.scores(answers)
    return ProgramRun(answers, running.acquired)


def summed(
    program: Program,
    n_rows: int,
    n_sums: int,
    answer: Callable[[int, Integers], Floats],
) -> Floats:
    """Return what roots add up to for each row, until its label is settled.

    A row that stops before the end is given its winner's sum, and of every other class
    the most that this may still reach beside it. `answer`: of a root, to some rows,
    (n_here, n_sums). Shape: (n_rows, n_sums).
    """
    totals = np.zeros((n_rows, n_sums))
    going = np.arange(n_rows)
    for place, root in enumerate(program.roots):
        totals[going] += answer(root, going)
        if place >= len(program.rests):
            continue
        here = totals[going]
        winner, rows = np.argmax(here, axis=1), np.arange(len(here))
        reached = here - np.array(program.rests[place])[winner]
        reached[rows, winner] = -np.inf
        is_sure = (here[rows, winner][:, np.newaxis] > reached).all(axis=1)
        reached[rows, winner] = here[rows, winner]
        totals[going[is_sure]] = reached[is_sure]
        going = going[~is_sure]
    return totals / program.divisor + program.offset


def _in_turns(
    program: Program, rows: Floats, acquired: Mask, turns: Turns
) -> tuple[Mask, Floats]:
    """Return which rows are settled before the end, and what classes reach of these.

    Marks in `acquired` what they, and the others, are asked. Shapes: (n_rows,),
    (n_settled, n_classes).
    """
    asked = _Questions.of(program.nodes)
    turn, least, most = map(np.array, (turns.of, turns.least, turns.most))
    at = np.tile(np.array(program.roots), (len(rows), 1))
    going = np.arange(len(rows))
    reached = np.zeros((len(rows), max(2, least.shape[1])))
    is_settled = np.zeros(len(rows), dtype=bool)
    for k in range(turns.n + 1):
        low, high = least[at[going]].sum(axis=1), most[at[going]].sum(axis=1)
        sure, told = _reached(low, high, turns.slack)
        is_settled[going[sure]], reached[going[sure]] = True, told
        going = going[~sure]
        here = at[going]
        while k < turns.n and (moves := turn[here] <= k).any():
            row, tree = np.nonzero(moves)
            node = here[row, tree]
            acquired[going[row], asked.column[node]] = True
            here[row, tree] = asked.way(node, rows[going[row], asked.column[node]])
        at[going] = here
    return is_settled, reached[is_settled]


def _reached(low: Floats, high: Floats, slack: float) -> tuple[Mask, Floats]:
    """Return which bounds settle the label, and what classes reach then."""
    if low.shape[1] == 1:
        sure = (low[:, 0] > slack) | (high[:, 0] < -slack)
        lead = np.where(low[:, 0] > slack, low[:, 0], high[:, 0])[sure]
        return sure, np.column_stack([np.zeros(len(lead)), lead])
    winner, rows = np.argmax(low, axis=1), np.arange(len(low))
    told, best = high.copy(), low[rows, winner]
    told[rows, winner] = -np.inf
    sure = best - told.max(axis=1, initial=-np.inf) > slack
    told[rows, winner] = best
    return sure, told[sure]


@dataclass(frozen=True, eq=False)
class _Questions:
    """Nodes that ask for one column, as arrays; leaves ask for nothing."""

    column: Integers  # (n_nodes,)
    weight: Floats
    at: Floats
    below: Integers
    above: Integers

    @classmethod
    def of(cls, nodes: Sequence[ProgramNode]) -> _Questions:
        told = [
            (node.terms[0][0], node.terms[0][1][0], rule.at, rule.below, rule.above)
            if isinstance(rule := node.rule, Fork)
            else (0, 0.0, 0.0, 0, 0)
            for node in nodes
        ]
        column, weight, at, below, above = map(np.array, zip(*told, strict=True))
        return cls(column, weight, at, below, above)

    def way(self, node: Integers, values: Floats) -> Integers:
        """Return where values lead."""
        is_below = self.weight[node] * values <= self.at[node]
        return np.where(is_below, self.below[node], self.above[node])


@dataclass(frozen=True, eq=False)
class _Running:
    program: Program
    rows: Floats
    acquired: Mask

    def answers(self, start: int, here: Integers, n_outputs: int) -> Floats:
        """Return what some rows are answered that come in at a node."""
        said = np.zeros((len(here), n_outputs))
        waiting = {start: np.arange(len(here))}  # Places among `here`
        while waiting:
            # Ways lead to later nodes only: at the first nobody else arrives any more.
            at = min(waiting)
            places, node = waiting.pop(at), self.program.nodes[at]
            values = self._values(node, here[places], n_outputs)
            leaving, ways = _ways(node, values)
            answered = node.scale * values[leaving] + node.shift
            if isinstance(node.rule, Rectified):
                answered = np.maximum(values[leaving], 0.0) * node.rule.weights
            if leaving.any():
                said[places[leaving]] = answered
            for target, is_led in ways:
                if is_led.any():
                    before = waiting.get(target, np.empty(0, dtype=np.int64))
                    waiting[target] = np.append(before, places[is_led])
        return said

    def _values(self, node: ProgramNode, here: Integers, n_outputs: int) -> Floats:
        """Return a node's values, (n_here, n_values), once its rows have bought."""
        self.acquired[np.ix_(here, np.array(node.features, dtype=int))] = True
        table = _table(self.rows, here, [column for column, _ in node.terms])
        if node.opaque is not None:
            values = np.array([node.opaque.answer(row) for row in table])
        else:
            values = np.tile(np.array(node.base), (len(here), 1))
            for k, begin in enumerate(node.base if node.terms else ()):
                weights = np.array([of_values[k] for _, of_values in node.terms])
                values[:, k] = table @ weights + begin
        for part in node.parts:
            values += self.answers(part, here, n_outputs)
        if self.program.steps:
            values = np.rint(values * self.program.steps) / self.program.steps
        return _bounded(node, values)


def _table(rows: Floats, here: Integers, columns: Sequence[HingedColumn]) -> Floats:
    """Return what some rows hold in columns, shape (n_here, n_columns)."""
    if all(isinstance(column, int) for column in columns):
        return rows[np.ix_(here, np.array(columns, dtype=int))]
    return np.column_stack([_column(rows[here], column) for column in columns])


def _column(rows: Floats, column: HingedColumn) -> Floats:
    if isinstance(column, int):
        return rows[:, column]
    feature, hinge, at = column
    values = rows[:, feature]
    if hinge == "fold":
        return np.abs(values - at)
    return np.maximum(values - at if hinge == "above" else at - values, 0.0)


def _bounded(node: ProgramNode, values: Floats) -> Floats:
    if not node.bound:
        return values
    if isinstance(node.rule, GatedFork):
        if values.shape[1] > 2:  # scores of classes, and odds
            ranked = np.partition(values[:, :-1], -2, axis=1)
            values = np.column_stack([ranked[:, -1] - ranked[:, -2], values[:, -1]])
        values[:, 0] = np.clip(values[:, 0], -node.bound, node.bound)
        return values
    if values.shape[1] == 1:
        return np.clip(values, -node.bound, node.bound)
    return np.maximum(log_softmax(values, axis=1), -node.bound)


def _ways(node: ProgramNode, values: Floats) -> tuple[Mask, list[tuple[int, Mask]]]:
    """Return which rows are answered at a node, and where others go on."""
    rule = node.rule
    nobody = np.zeros(len(values), dtype=bool)
    if isinstance(rule, Fork):
        is_below = values[:, 0] <= rule.at
        return nobody, [(rule.below, is_below), (rule.above, ~is_below)]
    if isinstance(rule, GatedFork):
        score, odds = values[:, 0], values[:, 1]
        size = np.abs(score)
        seen = np.column_stack([score, size, size**2, 1.0 / (1.0 + size)])
        is_above = odds + seen @ np.array(rule.weights) > 0.0
        return nobody, [(rule.below, ~is_above), (rule.above, is_above)]
    if isinstance(rule, ExitIf):
        is_sure = _is_sure(rule, values)
        return is_sure, [(rule.onward, ~is_sure)]
    assert isinstance(rule, Answered | Rectified)
    return ~nobody, []


def _is_sure(rule: ExitIf, values: Floats) -> Mask:
    """Return whether a stage may answer each row with its values."""
    if values.shape[1] == 1:
        best, lead = values[:, 0], values[:, 0]
        winner = np.zeros(len(values), dtype=np.int64)
    else:
        ranked = np.partition(values, -2, axis=1)
        best, lead = ranked[:, -1], ranked[:, -1] - ranked[:, -2]
        winner = np.argmax(values, axis=1)
    if rule.kind == "outside":
        low, high = rule.least
        return ~((low < lead) & (lead < high))
    size = {"size": np.abs(best), "claim": best, "gap": lead}[rule.kind]
    enough = size / np.array(rule.units)[winner] >= np.array(rule.least)[winner]
    if rule.kind == "claim":
        enough &= (values > 0.0).sum(axis=1) == 1
    return enough
