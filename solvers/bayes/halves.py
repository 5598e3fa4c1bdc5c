"""Exact agreement of naive Bayes by meeting in the middle.

In naive Bayes a decision is a sum of log-odds against a cut, so D at the joint state
of some features needs only how likely the others are to add enough. The others are
split in two: one half is enumerated, the other sorted and asked for its tails. Time
and memory go with the square root of the number of joint states.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from cachetools import LRUCache
from numpy.typing import NDArray
from scipy.special import expit

from .cuts import TOLERANCE, Achievable, ThresholdInterval
from .decisions import Decisions
from .masses import NaiveMasses, log_ratio

Array = NDArray[np.float64]

# Sets of more joint states than this are never enumerated.
ENUMERATED = 2**20
QUERIES_AT_ONCE = 2**20
KEPT_HALVES = 8


class Half(NamedTuple):
    """Joint states of some features, by rising log-odds, with the mass from each up."""

    odds: Array  # (n_states,), ascending
    tails: Array  # (2, n_states + 1): Pr(log-odds at or after | class)


@dataclass(frozen=True, eq=False)
class HalvesDecisions(Decisions):
    """Decisions of naive Bayes; ``masses`` are `NaiveMasses`."""

    masses: NaiveMasses

    def signed(self, chosen: Sequence[int]) -> Array:
        spare, ranked = self._split(self._others(chosen), self._middle)
        enumerated = (*chosen, *spare)
        products = self.masses.products(enumerated) * self.masses.priors
        tails = self._tails_of(ranked, self.cut - self._odds(enumerated))
        # D(f) = sum_c Pr(c) Pr(f | c) (2 Pr(the others reach the cut | c) - 1).
        signed = (products * (2.0 * tails - 1.0)).sum(axis=0)
        return signed.reshape(self.masses.size(chosen), -1).sum(axis=1)

    def potential(self, chosen: Sequence[int]) -> float:
        if self.masses.size(chosen) <= min(self._middle, ENUMERATED):
            return super().potential(chosen)
        return self._agreement_at(chosen, self._best_cut(chosen))

    def achievable(self, chosen: Sequence[int]) -> Achievable:
        if self.masses.size(chosen) <= ENUMERATED:
            return super().achievable(chosen)
        cut = self._best_cut(chosen)
        interval = self._interval_around(chosen, cut)
        return Achievable(self._agreement_at(chosen, cut), interval)

    def agreement(self, chosen: Sequence[int], threshold: float) -> float:
        if self.masses.size(chosen) <= ENUMERATED:
            return super().agreement(chosen, threshold)
        return self._agreement_at(chosen, self._odds_of(threshold))

    # ------------------------------------------------------------- sums of log-odds

    @property
    def _middle(self) -> int:
        """Joint states of half of the features."""
        return math.isqrt(self.masses.n_states) + 1

    @cached_property
    def cut(self) -> float:
        """What the log-odds of all features must reach."""
        return self._odds_of(self.threshold)

    def _odds_of(self, threshold: float) -> float:
        """Return the sum of log-odds at which the posterior is the threshold."""
        level = threshold - TOLERANCE
        if level <= 0:
            return -math.inf  # whatever is said, it is positive
        return float(log_ratio(level, 1.0 - level)) - self.masses.prior_odds

    def _odds(self, chosen: Sequence[int]) -> Array:
        sums = np.zeros(1)
        for j in chosen:
            sums = (sums[:, np.newaxis] + self.masses.log_odds[j]).ravel()
        return sums

    def _split(self, chosen: Sequence[int], most: int) -> tuple[list[int], list[int]]:
        """Return the features in two parts, the second of at most so many states."""
        first: list[int] = []
        second: list[int] = []
        size = 1
        for j in chosen:
            cardinality = self.masses.cardinalities[j]
            if size * cardinality <= most:
                second.append(j)
                size *= cardinality
            else:
                first.append(j)
        return first, second

    @cached_property
    def _halves(self) -> LRUCache[tuple[int, ...], Half]:
        return LRUCache(KEPT_HALVES)

    def _half(self, chosen: Sequence[int]) -> Half:
        key = tuple(chosen)
        if key not in self._halves:
            self._halves[key] = self._ranked(key)
        return self._halves[key]

    def _ranked(self, chosen: tuple[int, ...]) -> Half:
        odds = self._odds(chosen)
        order = np.argsort(odds)
        products = self.masses.products(chosen)[:, order]
        tails = np.zeros((2, len(odds) + 1))
        tails[:, :-1] = products[:, ::-1].cumsum(axis=1)[:, ::-1]
        return Half(odds[order], tails)

    def _tails_of(self, ranked: Sequence[int], levels: Array) -> Array:
        """Return Pr(log-odds of sorted features >= level | class), (2, n_levels)."""
        half = self._half(ranked)
        return half.tails[:, np.searchsorted(half.odds, levels, side="left")]

    def _tails(self, chosen: Sequence[int], levels: Array) -> Array:
        """Return Pr(log-odds of many features >= level | class), (2, n_levels)."""
        spare, ranked = self._split(chosen, self._middle)
        odds, products = self._odds(spare), self.masses.products(spare)
        found = np.zeros((2, len(levels)))
        step = max(1, QUERIES_AT_ONCE // len(odds))
        for start in range(0, len(levels), step):
            asked = levels[start : start + step, np.newaxis] - odds
            tails = self._tails_of(ranked, asked.ravel()).reshape(2, -1, len(odds))
            found[:, start : start + step] = (tails @ products[:, :, np.newaxis])[
                ..., 0
            ]
        return found

    # ------------------------------------------------------- sets too large to list

    def _best_cut(self, chosen: Sequence[int]) -> float:
        """Return the log-odds of `chosen` from which D is positive: there is one cut.

        Claim 1 in appendix C of the paper: D rises through zero once as log-odds rise.
        """
        half = self._half(self._others(chosen))
        positive, negative = self.masses.priors * (2.0 * half.tails - 1.0)
        # Piece i: log-odds of at least starts[i], where the tails are tails[:, i].
        starts = np.append(self.cut - half.odds, -np.inf)
        stops = np.insert(self.cut - half.odds, 0, np.inf)
        with np.errstate(divide="ignore", invalid="ignore"):
            # D ~ positive e^odds + negative: 0 where odds = log(-negative / positive).
            crossing = np.log(-negative / positive)
        crosses = (positive > 0) & (negative < 0)
        begins = np.where(crosses, np.maximum(starts, crossing), starts)
        found = begins[((negative >= 0) | crosses) & (positive >= 0) & (begins < stops)]
        return float(found.min()) if found.size else np.inf

    def _agreement_at(self, chosen: Sequence[int], cut: float) -> float:
        others = self._others(chosen)
        products = self.masses.products(others)
        own = self._tails(chosen, np.array([cut]))
        needed = self._tails(chosen, self.cut - self._odds(others))
        # Both say positive from the higher level on, both negative below the lower.
        agree = np.minimum(needed, own) + 1.0 - np.maximum(needed, own)
        return float((self.masses.priors * products * agree).sum())

    def _interval_around(self, chosen: Sequence[int], cut: float) -> ThresholdInterval:
        below, above = -np.inf, np.inf
        for odds, ranked in self._possible_pairs(chosen):
            place = np.searchsorted(ranked, cut - odds, side="left")
            padded = np.concatenate([[-np.inf], ranked, [np.inf]])
            below = max(below, float((odds + padded[place]).max()))
            above = min(above, float((odds + padded[place + 1]).min()))
        low = 0.0 if below == -np.inf else self._posterior_at(below)
        high = 1.0 if above == np.inf else self._posterior_at(above)
        return ThresholdInterval(low, high, includes_low=below == -np.inf)

    def _possible_pairs(self, chosen: Sequence[int]) -> Iterator[tuple[Array, Array]]:
        """Yield log-odds of two halves whose every pair has a positive probability."""
        first, second = self._split(chosen, self._middle)
        odds, ranked = self._odds(first), self._odds(second)
        shown, also = self.masses.products(first) > 0, self.masses.products(second) > 0
        for kind in ((True, True), (True, False), (False, True)):
            mine = odds[(shown == np.array(kind)[:, np.newaxis]).all(axis=0)]
            meets = also[np.array(kind)].any(axis=0)
            if mine.size and meets.any():
                yield mine, np.sort(ranked[meets])

    def _posterior_at(self, odds: float) -> float:
        return float(expit(odds + self.masses.prior_odds))

    def _others(self, chosen: Sequence[int]) -> list[int]:
        return [j for j in range(len(self.masses.features)) if j not in set(chosen)]
