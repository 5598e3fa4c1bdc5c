"""When rows leave, what that costs and is worth, and what an error costs."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, logit

from ...decisions.mistakes import MistakeCosts
from ...decisions.row_costs import Accounting
from ...numerics.arrays import Floats, Integers, Mask
from ...numerics.cuts import midway
from ...numerics.inner_folds import spread_of_sum
from .rows import WeightedRows
from .stopping import Ranking

# When rows leave, and what that costs and is worth.


@dataclass(frozen=True, eq=False)
class Policy:
    """When rows leave, and what that costs and is worth on held-out training rows."""

    member: int  #: Which cascade is run
    #: (n_stages,) For each leaf of its tree: a row goes on at a stage if its score is
    #: strictly between them
    low: tuple[Floats, ...]
    high: tuple[Floats, ...]
    cut: float  #: Rows of log-odds above it are called positive
    score: float  #: F1 or accuracy; where mistakes are priced, minus what they cost
    #: Cost of a row, in the hypergraph's unit
    mean: float
    p95: float
    max: float

    @cached_property
    def stops(self) -> tuple[tuple[tuple[int, float, float], ...], ...]:
        """For each leaf the stages at which a row may leave, with both bounds.

        Up to the first at which every row does; models of other stages are not asked.
        """
        return tuple(
            _stops(*bounds) for bounds in zip(self.low, self.high, strict=True)
        )

    def cost(self, accounting: Accounting) -> float:
        """Return the cost under an accounting.

        Parameters
        ----------
        accounting : {"mean", "p95", "max"}
            Over rows.

        Returns
        -------
        float
        """
        return float(getattr(self, accounting))


def _stops(low: NDArray, high: NDArray) -> tuple[tuple[int, float, float], ...]:
    last = int(np.argmax(low >= high))
    may_leave = ~(np.isneginf(low) & np.isposinf(high))
    stages = np.flatnonzero(may_leave[: last + 1]).tolist()
    return tuple((stage, float(low[stage]), float(high[stage])) for stage in stages)


@dataclass(frozen=True, eq=False)
class Candidate:
    """A policy, and what it calls each held-out row, shape (n_rows,)."""

    policy: Policy
    called: NDArray[np.int16]


# What a row that leaves costs in errors, and what a whole policy is worth.


# Sums of the same weights in another order differ in the last places.
_ROUNDING = 1e-12
# Beyond these log-odds nothing is told apart, though mistakes of one kind be free.
_MOST_ODDS = 30.0

Objective: TypeAlias = Literal["f1", "accuracy"]


@dataclass(frozen=True, eq=False)
class HeldOut:
    """What the stages of one cascade say of rows that they were not trained on."""

    u: Floats  # (n_stages, n_rows) Scores that rows are told apart by
    # (n_stages, n_rows) Calibrated log-odds of the second of two classes; of more than
    # two, how often the best class is right
    belief: Floats
    called: Integers  # (n_stages, n_rows) The best class
    labels: Integers  # (n_rows,) Codes of the classes
    weights: Floats  # (n_rows,) Weights of the rows
    costs: Floats  # (n_stages,) What a row has paid that leaves at each stage
    # (n_rows,) Which rows were held out together; -1 for those that never were
    folds: Integers
    here: Integers  # (n_rows,) Their places among all rows

    @property
    def n_stages(self) -> int:
        """How many stages there are."""
        return len(self.costs)

    @cached_property
    def rankings(self) -> tuple[Ranking, ...]:
        """The scores of each stage, sorted."""
        return tuple(Ranking(scores) for scores in self.u)

    @cached_property
    def chances(self) -> Floats:
        """Probabilities of the second of two classes, shape (n_stages, n_rows)."""
        return expit(self.belief)


@dataclass(frozen=True)
class PolicyObjective:
    """What counts as good."""

    # F1 is of the second of two classes; of more it is the mean over classes, and rows
    # stop as for accuracy
    objective: Objective
    n_classes: int  # How many classes there are
    # In the unit of the prices; the objective then is what tests and mistakes cost
    mistakes: MistakeCosts | None = None

    @property
    def is_f1(self) -> bool:
        """Whether the two errors weigh differently, by the F1 that is reached."""
        is_f1 = self.objective == "f1" and self.mistakes is None
        return is_f1 and self.n_classes == 2

    @property
    def middle(self) -> float | None:
        """The log-odds from which the positive answer is cheaper; None if not priced.

        Between two classes alone.
        """
        if self.mistakes is None or self.n_classes > 2:
            return None
        return float(np.clip(logit(self.mistakes.threshold()), -_MOST_ODDS, _MOST_ODDS))

    @property
    def _matrix(self) -> Floats:
        assert self.mistakes is not None
        return self.mistakes.costs

    def losses(self, held_out: HeldOut, f1: float) -> Floats:
        """Return the expected loss of leaving at each stage, times the weight.

        Shape: (n_stages, n_rows).
        For F1, Dinkelbach's: a false positive costs F, a false negative 2 - F. Expected
        rather than realised: 25 intervals fitted to errors that happened follow their
        noise.
        """
        if self.mistakes is not None:
            return self._mistaken(held_out) * held_out.weights
        if self.n_classes > 2:
            return (1.0 - held_out.belief) * held_out.weights
        p = held_out.chances
        if not self.is_f1:
            return np.minimum(p, 1.0 - p) * held_out.weights
        return np.minimum(f1 * (1.0 - p), (2.0 - f1) * p) * held_out.weights

    def _mistaken(self, held_out: HeldOut) -> Floats:
        """Return what the cheapest answer at each stage is expected to cost.

        Of more than two classes that of the best, whose rivals are as common as they
        are among all rows.
        """
        costs = self._matrix
        if self.n_classes == 2:
            p = held_out.chances[:, :, np.newaxis]
            return np.asarray(((1.0 - p) * costs[0] + p * costs[1]).min(axis=2))
        shares = np.bincount(held_out.labels, held_out.weights, self.n_classes)
        others = shares[:, np.newaxis] * (1.0 - np.eye(self.n_classes))
        wrong = (others * costs).sum(axis=0) / np.maximum(others.sum(axis=0), 1e-12)
        sure, said = held_out.belief, held_out.called
        return np.asarray(sure * np.diag(costs)[said] + (1.0 - sure) * wrong[said])

    def expected_f1(self, chances: Floats, weights: Floats, f1: float) -> float:
        """Return the F1 that probabilities promise, above the threshold F / 2.

        Shapes: `chances` (n_rows,), `weights` (n_rows,).
        """
        # At the best F1, F, a positive call pays exactly where p > F / 2.
        called = chances > f1 / 2.0
        hits = 2.0 * float(weights[called] @ chances[called])
        return hits / max(float(weights[called].sum() + weights @ chances), 1e-12)

    def score(
        self,
        belief: Floats,
        called: Integers,
        labels: Integers,
        weights: Floats,
        folds: Integers,
    ) -> tuple[float, float, Integers]:
        """Return what answers are worth, and the log-odds from which a row is positive.

        Shapes: `belief` (n_rows,), `called` (n_rows,), `labels` (n_rows,), `weights`
        (n_rows,), `folds` (n_rows,) -> `called` (n_rows,).
        `score`: rounded, so that rounding of sums breaks no ties.
        `cut`: 0 where there is no threshold to choose.
        `called`: what each row is called: for F1 by the threshold of the other folds.
        """
        cut = 0.0
        if self.is_f1:
            cut, is_called = _thresholded(belief, labels == 1, weights, folds)
            called = is_called.astype(np.int64)
        if self.middle is not None:
            cut = self.middle
            called = (belief > cut).astype(np.int64)
        score = self.scores(called[np.newaxis], labels, weights[:, np.newaxis])
        return float(np.round(score[0, 0], 10)), cut, called

    def scores(
        self, called: NDArray[np.integer], labels: Integers, weights: Floats
    ) -> Floats:
        """Return what many answers are worth under many weightings of the rows.

        Shapes: `called` (n_answers, n_rows), `labels` (n_rows,), `weights` (n_rows,
        n_weightings) -> (n_answers, n_weightings).
        """
        if self.mistakes is not None:
            return -(self._matrix[labels, called] @ weights) / weights.sum(axis=0)
        if self.objective == "accuracy":
            return (called == labels) @ weights / weights.sum(axis=0)
        found = []
        for k in self._scored_classes:
            is_k = called == k
            either = is_k @ weights + (labels == k) @ weights
            hits = (is_k & (labels == k)) @ weights
            found.append(2.0 * hits / np.maximum(either, 1e-12))
        return np.mean(found, axis=0)

    def error(
        self,
        called: NDArray[np.integer],
        other: NDArray[np.integer],
        rows: WeightedRows,
    ) -> float:
        """Return the standard error of how much better some answers are than others.

        Paired, row by row or group by group; of an F1 by its influence function (delta
        method).
        """
        labels, weights = rows.labels, rows.weights
        pull = self._influence(called, labels, weights)
        pull = pull - self._influence(other, labels, weights)
        n = float(weights.sum())
        spread = spread_of_sum(pull, weights, rows.groups)
        return float(np.sqrt(spread / n / max(n - 1.0, 1.0)))

    @property
    def _scored_classes(self) -> range:
        return range(1, 2) if self.n_classes == 2 else range(self.n_classes)

    def _influence(self, called: NDArray, labels: NDArray, weights: NDArray) -> Floats:
        shares = weights / weights.sum()
        if self.mistakes is not None:
            paid = self._matrix[labels, called]
            return np.asarray(shares @ paid - paid)
        if self.objective == "accuracy":
            right = (called == labels).astype(float)
            return np.asarray(right - shares @ right)
        found = []
        for k in self._scored_classes:
            hits = 2.0 * ((called == k) & (labels == k))
            either = (called == k).astype(float) + (labels == k)
            mean = max(float(shares @ either), 1e-12)
            f1 = float(shares @ hits) / mean
            # F = E hits / E either, and d(a / b) = (da - F db) / b.
            found.append((hits - f1 * either) / mean)
        return np.asarray(np.mean(found, axis=0))


def _thresholded(
    odds: NDArray, positive: Mask, weights: NDArray, folds: NDArray
) -> tuple[float, Mask]:
    """Return the threshold of best F1, and what those of the other folds call rows."""
    order = np.argsort(-odds)  # rows of the same score stay together in any order
    ranked, mass, fold_of = odds[order], weights[order], folds[order]
    hits = np.where(positive[order], mass, 0.0)
    # A threshold cannot part rows of one score: each run of them is looked at once.
    ends = np.append(np.flatnonzero(ranked[:-1] != ranked[1:]), len(ranked) - 1)
    levels = ranked[ends]
    cut = _best_cut(levels, np.cumsum(hits)[ends], np.cumsum(mass)[ends])
    called = odds > cut
    if len(levels) == 1:
        return cut, called
    for fold in range(folds.max() + 1):
        held = fold_of == fold
        if held.any() and not held.all():
            sums = (np.cumsum(np.where(held, 0.0, what)) for what in (hits, mass))
            own = _best_cut(levels, *(reached[ends] for reached in sums))
            called[order[held]] = ranked[held] > own
    return cut, called


def _best_cut(levels: NDArray, hits: NDArray, mass: NDArray) -> float:
    """Return the threshold of best F1 between falling scores, the highest of equals.

    `hits`, `mass`: weight of the positives and of all down to each score.
    """
    # 2 TP / (called + positive), for every place to cut at once.
    f1 = 2.0 * hits / np.maximum(mass + hits[-1], 1e-12)
    last = int(np.argmax(f1 >= f1.max() - _ROUNDING))
    if last == len(levels) - 1:
        return float(min(levels[last] - 1.0, np.nextafter(levels[last], -np.inf)))
    return float(midway(levels[last + 1], levels[last], inclusive=False))
