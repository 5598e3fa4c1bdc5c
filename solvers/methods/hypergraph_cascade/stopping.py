"""Optimal stopping on one score a stage: continue between two numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...numerics.arrays import Floats, Integers, Mask

# Scores that differ by less, of themselves, are one.
SAME = 1e-9


class Ranking:
    """The scores of one stage, sorted once for all policies.

    Shapes: `u` (n_rows,).
    """

    def __init__(self, u: Floats) -> None:
        self._order = np.argsort(u, kind="stable")
        ranked = u[self._order]
        # Scores are sums: rows that agree in all columns may differ by rounding.
        room = SAME * np.maximum(1.0, np.abs(ranked[1:]))
        self._starts = np.flatnonzero(np.append(True, np.diff(ranked) > room))
        above, below = ranked[self._starts[1:]], ranked[self._starts[1:] - 1]
        middles = below + (above - below) / 2.0
        self._edges = np.concatenate([[-np.inf], middles, [np.inf]])
        self._group = np.empty(len(u), dtype=np.int64)
        sizes = np.diff(np.append(self._starts, len(u)))
        self._group[self._order] = np.repeat(np.arange(len(sizes)), sizes)

    @property
    def n_distinct(self) -> int:
        """How many scores differ."""
        return len(self._starts)

    def best_interval(self, gains: Floats) -> tuple[float, float, Mask]:
        """Return the interval of scores whose gains sum to the most.

        Shapes: `gains` (n_rows,) -> `inside` (n_rows,).
        `low, high`: rows strictly between them go on; (inf, -inf) where no interval
        gains.

        Notes
        -----
        The maximum subarray of the sorted gains, exactly, in O(n_rows).
        """
        sums = np.cumsum(np.add.reduceat(gains[self._order], self._starts))
        # Kadane: the best interval that ends here begins at the lowest sum so far.
        before = np.concatenate([[0.0], sums[:-1]])
        lowest = np.minimum.accumulate(before)
        last = int(np.argmax(sums - lowest))
        if not sums[last] - lowest[last] > 0.0:
            return np.inf, -np.inf, np.zeros(len(gains), dtype=bool)
        # The latest start of the lowest sum: the shortest of equal intervals.
        first = last - int(np.argmin(before[last::-1]))
        return self._interval(first, last)

    def best_window(
        self, gains: Floats, weights: Floats, share: float
    ) -> tuple[float, float, Mask]:
        """Return the interval that gains most among those of about a share of the rows.

        Shapes: `gains` (n_rows,), `weights` (n_rows,) -> `inside` (n_rows,).
        """
        sums = np.cumsum(np.add.reduceat(gains[self._order], self._starts))
        mass = np.cumsum(np.add.reduceat(weights[self._order], self._starts))
        sums, mass = np.append(0.0, sums), np.append(0.0, mass)
        wanted = share * mass[-1] * (1.0 - 1e-12)
        starts = np.flatnonzero(mass + wanted <= mass[-1])
        # For each start the shortest interval that holds the share.
        ends = np.searchsorted(mass, mass[starts] + wanted)
        best = int(np.argmax(sums[ends] - sums[starts]))
        return self._interval(int(starts[best]), int(ends[best]) - 1)

    def bounds(self, goes_on: Mask) -> tuple[float, float, Mask]:
        """Return the interval that holds rows whose scores are neighbours.

        Shapes: `goes_on` (n_rows,) -> `inside` (n_rows,).
        `low, high`: rows strictly between them go on; (inf, -inf) where none does.
        """
        groups = self._group[goes_on]
        if not groups.size:
            return np.inf, -np.inf, goes_on
        return self._interval(int(groups.min()), int(groups.max()))

    def _interval(self, first: int, last: int) -> tuple[float, float, Mask]:
        inside = (self._group >= first) & (self._group <= last)
        return float(self._edges[first]), float(self._edges[last + 1]), inside


@dataclass(frozen=True, eq=False)
class Exits:
    """Where rows leave."""

    # (n_stages,) A row goes on at a stage if its score is strictly between them
    low: Floats
    high: Floats
    # (n_stages, n_rows) Where each row leaves that has come to each stage
    leaves: Integers
    # (n_stages - 1, n_rows) What each row gains by going on from each stage, in units
    # of loss
    gains: Floats


def solve_exits(
    rankings: Sequence[Ranking],
    losses: Floats,
    prices: Floats,
    weights: Floats,
    last: int | None = None,
) -> Exits:
    """Return the exits of least loss plus cost, from the last stage back to the first.

    At each stage rows go on inside of the interval of scores that gains most: the
    loss of leaving here, against the price of the next stage and what follows there.

    Shapes: `losses` (n_stages, n_rows), `prices` (n_stages - 1,), `weights` (n_rows,).
    `losses`: expected loss of each row that leaves at each stage, times its weight.
    `last`: every row leaves here at the latest; the last stage by default.
    """
    n_stages, n_rows = losses.shape
    last = n_stages - 1 if last is None else last
    low, high = np.full(n_stages, np.inf), np.full(n_stages, -np.inf)
    leaves = np.full((n_stages, n_rows), last)
    gains = np.zeros((n_stages - 1, n_rows))
    follows = losses[last]
    for s in range(last - 1, -1, -1):
        # Bellman: V_s = min(losses_s, prices_s + V_{s+1}), but by one interval.
        onward = prices[s] * weights + follows
        gains[s] = losses[s] - onward
        low[s], high[s], inside = rankings[s].best_interval(gains[s])
        follows = np.where(inside, onward, losses[s])
        leaves[s] = np.where(inside, leaves[s + 1], s)
    return Exits(low, high, leaves, gains)
