"""What a search over sets of features maximises, and the bound that it prunes by.

A criterion reads a table over the joint states of a set: rows of masses, of which sums
along an axis give the table of the set without that feature.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .cuts import all_cuts, cut_agreement, potential
from .decisions import Decisions
from .masses import ClassMasses

Table = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Criterion(ABC):
    """A score of sets of features with a bound that grows with the set."""

    masses: ClassMasses

    @property
    @abstractmethod
    def grows(self) -> bool:
        """Whether the score is the bound, so that larger sets never score less."""

    @abstractmethod
    def table(self, chosen: Sequence[int]) -> Table:
        """Return the table of a set, shape (n_rows, n_states); axes in this order."""

    @abstractmethod
    def bound(self, table: Table) -> float:
        """Return more than the set of a table, or any part of it, can score."""

    @abstractmethod
    def bound_of(self, chosen: Sequence[int]) -> float:
        """Return the bound of a set that is too large for a table."""

    @abstractmethod
    def score(self, chosen: Sequence[int], table: Table) -> float:
        """Return the score of a set, given its table."""


@dataclass(frozen=True, eq=False)
class AchievableAgreement(Criterion):
    """Agreement at the best new threshold: what ECA-Trim maximises."""

    decisions: Decisions

    @property
    def grows(self) -> bool:
        return self.masses.is_naive  # Proposition 3: the bound is attained

    def table(self, chosen: Sequence[int]) -> Table:
        return self.decisions.signed(chosen)[np.newaxis]

    def bound(self, table: Table) -> float:
        return potential(table[0])

    def bound_of(self, chosen: Sequence[int]) -> float:
        return self.decisions.potential(chosen)

    def score(self, chosen: Sequence[int], table: Table) -> float:
        return all_cuts(*self.masses.of(chosen), table[0]).best()[0]


@dataclass(frozen=True, eq=False)
class FixedThresholdAgreement(AchievableAgreement):
    """Agreement at the original threshold: expected same-decision probability."""

    @property
    def grows(self) -> bool:
        return False

    def score(self, chosen: Sequence[int], table: Table) -> float:
        masses = self.masses.of(chosen)
        return cut_agreement(*masses, table[0], self.decisions.threshold)


@dataclass(frozen=True, eq=False)
class InformationGain(Criterion):
    """Information, in bits, between the class (positive or not) and a set."""

    @property
    def grows(self) -> bool:
        return True

    def table(self, chosen: Sequence[int]) -> Table:
        return np.stack(self.masses.of(chosen))

    def bound(self, table: Table) -> float:
        return class_information(table)

    def bound_of(self, chosen: Sequence[int]) -> float:
        return self.bound(self.table(chosen))

    def score(self, chosen: Sequence[int], table: Table) -> float:
        return class_information(table)


def class_information(table: Table) -> float:
    """Return the information between the class and a set of features.

    Shapes: `table` (2, n_states).
    In bits, 0 or more.
    """
    positive, total = table
    split = np.stack([positive, np.maximum(total - positive, 0.0)])
    overall = split.sum(axis=1)
    # I(C; S) = H(C) - H(C | S) = sum p(c, s) log p(c, s) / (p(s) p(c)).
    gain = _x_log_x(split).sum() - _x_log_x(total).sum() - _x_log_x(overall).sum()
    return max(0.0, float(gain))


def _x_log_x(x: NDArray[np.float64]) -> NDArray[np.float64]:
    logs = np.zeros_like(x)
    np.log2(x, out=logs, where=x > 0)
    return x * logs
