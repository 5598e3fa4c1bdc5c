"""The cuts so far: what they say of a selection without fitting it."""

from __future__ import annotations

import threading

import numpy as np
from numpy.typing import NDArray

from .oracle import Cut
from .problem import SelectionProblem

__all__ = ["ROUNDING", "CutPool"]

_MOST_CUTS = 500
# What rounding in sums of a few thousand numbers of order one can hide.
ROUNDING = 1e-10


class CutPool:
    """The last cuts; they hold at every budget, every node and every ridge.

    A cut's vector is feasible whatever the ridge is, and its gains are r^2 / (2 ridge):
    r^2 / 2 is what is kept. `shared`: the pool of the same problem at another ridge,
    whose cuts are this one's, now and later.
    """

    def __init__(
        self, problem: SelectionProblem, shared: CutPool | None = None
    ) -> None:
        self._ridge = problem.ridge
        self._cuts: _Cuts = shared._cuts if shared else _Cuts(problem.n_bundles)

    def add(self, answer: Cut) -> None:
        """Take a cut into the pool, in place of the oldest where it is full."""
        self._cuts.add(answer.gains * self._ridge, answer.entropy)

    def value_at(self, shares: NDArray[np.float64]) -> float:
        """Return what the cuts say of some bundles: never above the truth."""
        return self._cuts.most(shares / self._ridge)


class _Cuts:
    """Cuts without their ridge, for searches on several threads."""

    def __init__(self, n_bundles: int) -> None:
        self._pulls = np.zeros((_MOST_CUTS, n_bundles))  # r^2 / 2
        self._entropies = np.zeros(_MOST_CUTS)
        self._taken = 0
        self._lock = threading.Lock()

    def add(self, pulls: NDArray[np.float64], entropy: float) -> None:
        with self._lock:
            place = self._taken % _MOST_CUTS
            self._pulls[place], self._entropies[place] = pulls, entropy
            self._taken += 1

    def most(self, weights: NDArray[np.float64]) -> float:
        with self._lock:
            n = min(self._taken, _MOST_CUTS)
            said = self._entropies[:n] - self._pulls[:n] @ weights
        return float(np.max(said, initial=0))
