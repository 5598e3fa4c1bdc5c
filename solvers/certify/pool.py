"""The cuts so far: what they say of a selection without fitting it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .oracle import Cut
from .problem import SelectionProblem

__all__ = ["ROUNDING", "CutPool"]

_MOST_CUTS = 500
# What rounding in sums of a few thousand numbers of order one can hide.
ROUNDING = 1e-10


class CutPool:
    """The last cuts; they hold at every budget and every node."""

    def __init__(self, problem: SelectionProblem) -> None:
        self._gains = np.zeros((_MOST_CUTS, problem.n_bundles))
        self._entropies = np.zeros(_MOST_CUTS)
        self._taken = 0

    def add(self, answer: Cut) -> None:
        """Take a cut into the pool, in place of the oldest where it is full."""
        place = self._taken % _MOST_CUTS
        self._gains[place], self._entropies[place] = answer.gains, answer.entropy
        self._taken += 1

    def value_at(self, shares: NDArray[np.float64]) -> float:
        """Return what the cuts say of some bundles: never above the truth."""
        n = min(self._taken, _MOST_CUTS)
        return float(np.max(self._entropies[:n] - self._gains[:n] @ shares, initial=0))
