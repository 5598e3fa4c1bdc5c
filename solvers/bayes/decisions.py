"""What a classifier decides, as signed masses over any set of its features."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from .cuts import Achievable, all_cuts, cut_agreement, potential, signed_masses
from .masses import ClassMasses, marginal


@dataclass(frozen=True, eq=False)
class Decisions(ABC):
    """Answers about agreement for sets of features, given by their positions."""

    masses: ClassMasses  # The distribution
    threshold: float  # The original classifier's

    @abstractmethod
    def signed(self, chosen: Sequence[int]) -> NDArray[np.float64]:
        """Return D over the joint states of some features.

        Shape: (masses.size(chosen),).
        Probability of a positive decision minus that of a negative one.
        `chosen`: positions of features; the last one's state changes fastest.
        """

    def potential(self, chosen: Sequence[int]) -> float:
        """Return the maximum potential agreement of some features."""
        return potential(self.signed(chosen))

    def achievable(self, chosen: Sequence[int]) -> Achievable:
        """Return the maximum achievable agreement and the thresholds that attain it."""
        return all_cuts(*self.masses.of(chosen), self.signed(chosen)).best()

    def agreement(self, chosen: Sequence[int], threshold: float) -> float:
        """Return the expected agreement with a trimming."""
        return cut_agreement(*self.masses.of(chosen), self.signed(chosen), threshold)


@dataclass(frozen=True, eq=False)
class TableDecisions(Decisions):
    """Decisions on every joint state of all features, 8 bytes each."""

    @cached_property
    def table(self) -> NDArray[np.float64]:
        """D over all features, one axis each."""
        flat = np.empty(self.masses.n_states)
        start = 0
        for positive, total in self.masses.chunks():
            part = flat[start : start + len(total)]
            part[:] = signed_masses(positive, total, self.threshold)
            start += len(total)
        return flat.reshape(self.masses.cardinalities)

    def signed(self, chosen: Sequence[int]) -> NDArray[np.float64]:
        return marginal(self.table, chosen)
