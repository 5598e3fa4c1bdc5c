"""The three losses of the paper: their duals, and what the solvers need of them.

Everything is scaled by 1 / (2 gamma): a row weighs ``capacity = weight / (2 gamma)``,
and the dual variable of a row is the λ_j of [1]_.

References
----------
.. [1] Mottl et al., "Computational complexity of dependence estimation via generalized
   linear models in multidimensional feature spaces", 2019, eq. (7) to (9), (16), (33)
   and (36). The logistic dual, which the paper leaves out, is the entropy.
"""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np
from scipy.special import expit, xlogy

from ...numerics.arrays import Floats
from .barriers import EntropyBarrier, HingeBarrier, QuadraticBarrier, SampleBarrier

# Slopes of the hinge within this share of the total weight count as level.
LEVEL = 1e-12
# Share of a warm start that is spread over all rows, to leave its bounds.
SPREAD = 0.1
# The bisection and Newton steps for the logistic bias; they end at rounding.
MAX_BIAS_STEPS = 100


class Loss(ABC):
    """A convex loss of a row, and its dual."""

    name: str

    @abstractmethod
    def values(self, y: Floats, decisions: Floats) -> Floats:
        """Return the loss of each row, q(y, z)."""

    @abstractmethod
    def conjugate(self, y: Floats, dual: Floats, capacity: Floats) -> float:
        """Return the sum of φ(y, λ), eq. (16), for a feasible dual."""

    @abstractmethod
    def bias(self, y: Floats, decisions: Floats, capacity: Floats) -> float:
        """Return the intercept of least loss for decisions without one."""

    @abstractmethod
    def feasible(self, y: Floats, dual: Floats, capacity: Floats) -> Floats:
        """Return a dual inside its range whose sum is zero, close to the given one."""

    def inside(self, y: Floats, dual: Floats, capacity: Floats) -> Floats:
        """Return a feasible dual close to the given one, off every bound at zero."""
        return dual

    @abstractmethod
    def empty_dual(self, y: Floats, capacity: Floats) -> Floats:
        """Return a solution of eq. (39): the dual of the model without features."""

    @abstractmethod
    def barrier(
        self, y: Floats, capacity: Floats, dual: Floats, target: float
    ) -> SampleBarrier:
        """Return the rows' side of the interior-point method, started at a dual."""


class Squared(Loss):
    """(y - z)², for regression, eq. (7)."""

    name = "squared"

    def values(self, y: Floats, decisions: Floats) -> Floats:
        return (y - decisions) ** 2

    def conjugate(self, y: Floats, dual: Floats, capacity: Floats) -> float:
        # Eq. (33): γλ²/2 - yλ, with capacity = 1 / (2γ).
        return float(np.sum(dual**2 / (4 * capacity) - y * dual))

    def bias(self, y: Floats, decisions: Floats, capacity: Floats) -> float:
        return float(np.average(y - decisions, weights=capacity))

    def feasible(self, y: Floats, dual: Floats, capacity: Floats) -> Floats:
        # The nearest dual of sum 0, in the norm that the loss itself gives.
        return dual - capacity * (dual.sum() / capacity.sum())

    def empty_dual(self, y: Floats, capacity: Floats) -> Floats:
        return 2 * capacity * (y - np.average(y, weights=capacity))

    def barrier(
        self, y: Floats, capacity: Floats, dual: Floats, target: float
    ) -> SampleBarrier:
        return QuadraticBarrier(y, capacity, dual)


class _Bounded(Loss):
    """A loss for classes -1 and +1 whose dual obeys 0 <= yλ <= capacity."""

    def feasible(self, y: Floats, dual: Floats, capacity: Floats) -> Floats:
        size = np.clip(y * dual, 0.0, capacity)
        plus, minus = size[y > 0].sum(), size[y < 0].sum()
        least = min(plus, minus)
        if least == 0:
            return np.zeros_like(dual)
        # Scaling the heavier class down keeps both bounds and makes the sum zero.
        return y * size * np.where(y > 0, least / plus, least / minus)

    def inside(self, y: Floats, dual: Floats, capacity: Floats) -> Floats:
        # The same size again, spread over all rows, as the empty model spreads it.
        middle = self.empty_dual(y, capacity)
        share = (y @ dual) / (y @ middle)
        if not share > 0:
            return middle
        return (1.0 - SPREAD) * dual + SPREAD * share * middle


class Hinge(_Bounded):
    """max(0, 1 - yz), the support vector machine, eq. (8)."""

    name = "hinge"

    def values(self, y: Floats, decisions: Floats) -> Floats:
        return np.maximum(0.0, 1.0 - y * decisions)

    def conjugate(self, y: Floats, dual: Floats, capacity: Floats) -> float:
        # Eq. (36): φ = -yλ within its bounds.
        return -float(y @ dual)

    def bias(self, y: Floats, decisions: Floats, capacity: Floats) -> float:
        """Return the middle of the biases of least loss.

        Eq. (38) of the paper is 0 / 0 where no support vector is free; this is not.
        """
        breaks = y - decisions
        order = np.argsort(breaks)
        # Slope by the bias: -C_plus at the far left, + capacity at each row's corner.
        slopes = np.cumsum(capacity[order]) - capacity[y > 0].sum()
        level = LEVEL * capacity.sum()
        first = min(int(np.searchsorted(slopes, -level)), len(order) - 1)
        last = min(int(np.searchsorted(slopes, level, "right")), len(order) - 1)
        return float(breaks[order[first]] + breaks[order[last]]) / 2

    def empty_dual(self, y: Floats, capacity: Floats) -> Floats:
        """Return the uniform solution; there are many where classes differ in weight.

        Eq. (40) of the paper takes any of them, which gives an upper bound alone.
        """
        return self.feasible(y, y * capacity, capacity)

    def barrier(
        self, y: Floats, capacity: Floats, dual: Floats, target: float
    ) -> SampleBarrier:
        return HingeBarrier(y, capacity, dual, target)


class Logistic(_Bounded):
    """ln(1 + exp(-yz)), logistic regression, eq. (9)."""

    name = "logistic"

    def values(self, y: Floats, decisions: Floats) -> Floats:
        return np.logaddexp(0.0, -y * decisions)

    def conjugate(self, y: Floats, dual: Floats, capacity: Floats) -> float:
        # The conjugate of ln(1 + e^-yz) is the entropy of p = yλ / capacity.
        share = np.clip(y * dual / capacity, 0.0, 1.0)
        return float(capacity @ (xlogy(share, share) + xlogy(1 - share, 1 - share)))

    def dual_at(self, y: Floats, decisions: Floats, capacity: Floats) -> Floats:
        """Return the dual that goes with decisions: minus the slope of the loss."""
        return capacity * y * expit(-y * decisions)

    def bias(self, y: Floats, decisions: Floats, capacity: Floats) -> float:
        plus, minus = capacity[y > 0].sum(), capacity[y < 0].sum()
        odds = np.log(plus / minus)
        # If all decisions were the same, the bias would be the log-odds less them.
        low, high = odds - decisions.max(), odds - decisions.min()
        bias = (low + high) / 2
        for _ in range(MAX_BIAS_STEPS):
            wrong = expit(-y * (decisions + bias))
            slope = -float((capacity * y) @ wrong)
            # Newton's step where it stays in the bracket, which its sign narrows.
            low, high = (low, bias) if slope > 0 else (bias, high)
            curvature = float(capacity @ (wrong * (1 - wrong)))
            step = bias - slope / curvature if curvature > 0 else np.inf
            moved = step if low < step < high else (low + high) / 2
            if abs(moved - bias) <= 1e-15 * (1 + abs(bias)):
                break
            bias = moved
        return float(bias)

    def empty_dual(self, y: Floats, capacity: Floats) -> Floats:
        plus, minus = capacity[y > 0].sum(), capacity[y < 0].sum()
        # All rows at odds plus : minus: p is the share of the other class.
        return y * capacity * np.where(y > 0, minus, plus) / (plus + minus)

    def barrier(
        self, y: Floats, capacity: Floats, dual: Floats, target: float
    ) -> SampleBarrier:
        return EntropyBarrier(y, capacity, dual)


LOSSES: dict[str, Loss] = {loss.name: loss for loss in (Squared(), Hinge(), Logistic())}
