"""The cuts so far: what they say of a selection without fitting it."""

from __future__ import annotations

import threading

import numpy as np

from ..numerics.arrays import Floats
from .oracle import Cut

_MOST_CUTS = 500
# What rounding in sums of a few thousand numbers of order one can hide.
ROUNDING = 1e-10


class CutPool:
    """The last cuts; they hold at every budget, every node and every ridge.

    A cut's vector is feasible whatever the ridge is, and its gains are r^2 / (2 ridge):
    r^2 / 2 is what is kept, for searches at several ridges and on several threads.
    """

    def __init__(self, n_bundles: int) -> None:
        self._pulls = np.zeros((_MOST_CUTS, n_bundles))  # r^2 / 2
        self._entropies = np.zeros(_MOST_CUTS)
        self._taken = 0
        self._lock = threading.Lock()

    def add(self, answer: Cut, ridge: float) -> None:
        """Take a cut into the pool, in place of the oldest where it is full."""
        with self._lock:
            place = self._taken % _MOST_CUTS
            self._pulls[place] = answer.gains * ridge
            self._entropies[place] = answer.entropy
            self._taken += 1

    def value_at(self, shares: Floats, ridge: float) -> float:
        """Return what the cuts say of some bundles: never above the truth."""
        with self._lock:
            n = min(self._taken, _MOST_CUTS)
            said = self._entropies[:n] - self._pulls[:n] @ (shares / ridge)
        return float(np.max(said, initial=0))
