"""What a cascade costs and gets right at every exit threshold, from one sort.

A row passes stage g when the highest confidence of its stages so far lies below the
threshold. As the threshold rises, rows move from a stage to the next one at a time, so
any average over rows changes by one difference at each of these events.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ..costs.budgets import room_of
from .arrays import Floats, Integers, Mask
from .cuts import midway

# Confidences that differ by less, relative to 1 or to themselves, are held to be equal.
_ROUNDING = 1e-10


@dataclass(frozen=True, eq=False)
class ExitCurve:
    """Cost, accuracy, F1 and exits of a cascade for all thresholds.

    Entry k of every array holds for thresholds above ``levels[k - 1]`` and up to
    ``levels[k]``, and ``thresholds[k]`` is one of them that stands on no confidence:
    the last bit of a confidence depends on how many rows are computed together.
    """

    # (n_points,) Midway between neighbouring levels; the first is as far below its
    # level as the second level is above it, the last is infinite: every row goes to the
    # end
    thresholds: Floats
    # (n_points,) Confidences, sorted; what differs by rounding only is one. Then
    # infinity.
    levels: Floats
    cost: Floats  # (n_points,) Mean cost of a row; it never falls
    accuracy: Floats  # (n_points,) Share of rows that are right; it may fall
    n_classes: int  # How many classes there are
    _called: Integers
    _truth: Integers
    _order: Integers
    _passed: Integers
    _weights: Floats

    @classmethod
    def from_stages(
        cls,
        confidences: Floats,
        called: Integers,
        truth: Integers,
        stage_costs: Floats,
        n_classes: int = 2,
        weights: Floats | None = None,
    ) -> ExitCurve:
        """Return the curve of rows whose stages are all known.

        Shapes: `confidences` (n_samples, n_stages), `called` (n_samples, n_stages),
        `truth` (n_samples,), `stage_costs` (n_stages,), `weights` (n_samples,).
        `weights`: how many rows each counts; 1 by default.
        `confidences`: confidence of each row at each stage; the last stage's is not
        looked at.

        Notes
        -----
        O(n_samples n_stages log(n_samples n_stages)).
        """
        n_samples, n_stages = confidences.shape
        # Row i passes stage g where max_{k <= g} conf_ik < threshold: one event a pair.
        highest = np.maximum.accumulate(confidences[:, :-1], axis=1).ravel()
        order = np.argsort(highest)
        ranked = highest[order]
        # The last event of each tie: one threshold cannot part them.
        last = np.flatnonzero(np.append(_parted(ranked), True)[: len(ranked)])
        levels, passed = ranked[last], last + 1
        firsts = ranked[np.append(0, passed)[: len(last)]]
        if not len(last) or levels[-1] < np.inf:
            levels, firsts = np.append(levels, np.inf), np.append(firsts, np.inf)
            passed = np.insert(passed, 0, 0)
        else:
            passed = np.insert(passed[:-1], 0, 0)
        right = (called == truth[:, np.newaxis]).astype(np.int8)
        if weights is None:
            weights = np.ones(n_samples)
        total, times = weights.sum(), weights[order // max(n_stages - 1, 1)]
        # Any mean over rows telescopes: V_0 + sum over passed events of V_{g+1} - V_g.
        gained = np.diff(right, axis=1).ravel()[order] * times
        paid = np.broadcast_to(np.diff(stage_costs), (n_samples, n_stages - 1))
        return cls(
            _between(levels, firsts),
            levels,
            stage_costs[0] + _summed(paid.ravel()[order] * times, passed) / total,
            (weights @ right[:, 0] + _summed(gained, passed)) / total,
            n_classes,
            called,
            truth,
            order,
            passed,
            weights,
        )

    @property
    def n_stages(self) -> int:
        """Number of stages."""
        return int(self._called.shape[1])

    def position(self, threshold: float) -> int:
        """Return the entry that holds for a threshold."""
        return int(np.searchsorted(self.levels, threshold, side="left"))

    def threshold_at_share(self, share: float) -> float:
        """Return a threshold by the share of passages that lie below it.

        Thresholds bunch where confidences do; their quantiles spread a slider evenly.

        `share`: from 0 (nothing is passed on) to 1 (everything is).
        """
        n_events = len(self._order)
        wanted = int(np.searchsorted(self._passed, share * n_events, side="left"))
        return float(self.thresholds[min(wanted, len(self.thresholds) - 1)])

    @cached_property
    def exits(self) -> Integers:
        """How many rows leave at each stage, shape (n_points, n_stages)."""
        n_samples = len(self._truth)
        stage = self._order % max(self.n_stages - 1, 1)
        passed = np.full((len(self._passed), self.n_stages + 1), n_samples)
        for g in range(self.n_stages - 1):
            at = np.flatnonzero(stage == g)
            passed[:, g + 1] = np.searchsorted(at, self._passed, side="left")
        passed[:, -1] = 0
        return passed[:, :-1] - passed[:, 1:]

    @cached_property
    def f1(self) -> Floats:
        """F1 of the second of two classes, the mean over classes of more."""
        # The class that is called before and after each event.
        before = self._called[:, :-1].ravel()[self._order]
        after = self._called[:, 1:].ravel()[self._order]
        changed = np.flatnonzero(before != after)
        before, after = before[changed], after[changed]
        rows = self._order[changed] // max(self.n_stages - 1, 1)
        truth, times = self._truth[rows], self._weights[rows]
        state = np.searchsorted(changed, self._passed, side="left")
        scores, occurs = [], []
        for k in range(self.n_classes):
            moved = times * ((after == k).astype(int) - (before == k))
            first, true = self._called[:, 0] == k, self._truth == k
            size = self._weights @ first + _summed(moved, state)
            hits = self._weights @ (first & true) + _summed(
                np.where(truth == k, moved, 0), state
            )
            total = size + self._weights @ true
            # F1 = 2 hits / (called + true), of every threshold at once.
            there = total > _ROUNDING * self._weights.sum()
            scores.append(there * 2.0 * hits / np.where(there, total, 1.0))
            occurs.append(there)
        if self.n_classes == 2:
            return scores[1]
        return np.sum(scores, axis=0) / np.sum(occurs, axis=0)

    def mistaken(self, costs: Floats) -> Floats:
        """Return what mistakes cost a row on average, at every threshold.

        Shapes: `costs` (n_classes, n_classes), what each answer costs where each class
        is true -> (n_points,).
        """
        paid = costs[self._truth[:, np.newaxis], self._called]
        times = self._weights[self._order // max(self.n_stages - 1, 1)]
        added = np.diff(paid, axis=1).ravel()[self._order] * times
        first = self._weights @ paid[:, 0]
        total = first + _summed(added, self._passed)
        return np.asarray(total / self._weights.sum())

    def threshold_for(self, budget: float) -> float:
        """Return the highest threshold whose mean cost keeps within a budget.

        Infinite if every row may go to the end; never above the budget otherwise.
        """
        within = int(np.searchsorted(self.cost, room_of(budget), side="right")) - 1
        return float(self.thresholds[max(within, 0)])

    def straight_line(self) -> tuple[float, float]:
        """Return intercept and slope of cost against threshold, from two points.

        The paper's estimate [1]_: the two points are the quartiles of the passages.

        References
        ----------
        .. [1] Liu et al., "TEFE: a time-efficient approach to feature extraction",
           2008, section 4.6.
        """
        finite = np.flatnonzero(np.isfinite(self.thresholds))
        if len(finite) < 2:
            return float(self.cost[0]), 0.0
        times = self._weights[self._order // max(self.n_stages - 1, 1)]
        passed = _summed(times, self._passed[finite])
        shares = np.quantile(passed, [0.25, 0.75])
        low, high = finite[np.searchsorted(passed, shares)]
        if high == low:
            return float(self.cost[low]), 0.0
        slope = (self.cost[high] - self.cost[low]) / (
            self.thresholds[high] - self.thresholds[low]
        )
        return float(self.cost[low] - slope * self.thresholds[low]), float(slope)


def _parted(ranked: NDArray) -> Mask:
    """Return whether each number differs from the one before by more than rounding."""
    low, high = ranked[:-1], ranked[1:]
    is_more = high != low
    finite = np.isfinite(low) & np.isfinite(high)
    step = high[finite] - low[finite]
    is_more[finite] = step > _ROUNDING * np.maximum(1.0, np.abs(high[finite]))
    return is_more


def _between(levels: NDArray, firsts: NDArray) -> Floats:
    """Return numbers that lie midway between neighbours.

    `firsts`: the least confidence of each level, which differs from it by rounding.
    """
    thresholds = levels.copy()
    finite = np.flatnonzero(np.isfinite(levels))
    if finite.size > 1:
        steps = np.diff(levels[finite])
        thresholds[finite[1:]] = levels[finite[:-1]] + steps / 2.0
        thresholds[finite[0]] -= steps[0] / 2.0
    elif finite.size:
        thresholds[finite] -= 0.5 * max(1.0, abs(float(levels[finite[0]])))
    # Of many such differences a level may be wider than the gap below it.
    for k in np.flatnonzero(thresholds > firsts):
        below = levels[k - 1] if k > finite[0] else 2.0 * firsts[k] - levels[k]
        thresholds[k] = midway(below, firsts[k], inclusive=True)
    return thresholds


def _summed(changes: NDArray, counts: Integers) -> NDArray:
    """Return the sums of the first ``counts`` changes."""
    risen = np.zeros(len(changes) + 1, dtype=np.result_type(changes, np.int64))
    np.cumsum(changes, out=risen[1:])
    return risen[counts]
