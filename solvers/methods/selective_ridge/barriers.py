"""What the interior-point method keeps above zero, feature by feature, row by row.

With t = max(|s|, mu) the dual penalty is h*(s) = (t² - mu²) / 2, so that a feature is
three pairs of a multiplier and a slack whose products all end at zero:

    plus * (t - s),   minus * (t + s),   spare * (t - mu),   plus + minus + spare = t

and its coefficient is ``plus - minus``. It is zero where both are zero, on the boundary
where ``spare`` lasts, ridge where ``t - mu`` lasts.
"""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np

from ...numerics.arrays import Floats, Mask

# Halvings of the bracket of t on a log scale: to 1e-6 for any start.
T_HALVINGS = 24


class Pair:
    """Multipliers and slacks, all above zero, whose products shrink together."""

    def __init__(self, multiplier: Floats, slack: Floats) -> None:
        self.multiplier = multiplier
        self.slack = slack
        self.pull = self.turn = self.shift = np.zeros_like(multiplier)

    @property
    def rate(self) -> Floats:
        """How much of the multiplier goes for each unit of slack."""
        return self.multiplier / self.slack

    @property
    def lasts(self) -> Mask:
        """Where the multiplier outlives its slack."""
        return self.multiplier > self.slack

    def aim(self, target: float, second_order: float) -> None:
        """Set where the products should go, less a share of the predictor's error.

        Mehrotra's corrector: slack x multiplier misses its target by shift x turn.
        """
        # (m + dm)(s + ds) = target: dm ds is known from the predictor alone.
        missed = second_order * self.turn * self.shift if second_order else 0.0
        self.pull = (target - missed) / self.slack - self.multiplier

    def follow(self, shift: Floats) -> None:
        """Take the direction of the slack, and derive the multiplier's."""
        self.shift = shift
        # Linearised complementarity: s dm + m ds = target - m s.
        self.turn = self.pull - self.rate * shift

    def room(self) -> float:
        """Return the longest step that keeps both at or above zero."""
        return min(_room(self.multiplier, self.turn), _room(self.slack, self.shift))

    def gap(self, step: float) -> float:
        """Return the sum of the products after a step."""
        multiplier = self.multiplier + step * self.turn
        return float(multiplier @ (self.slack + step * self.shift))

    def move(self, step: float) -> None:
        """Make the step."""
        self.multiplier = self.multiplier + step * self.turn
        self.slack = self.slack + step * self.shift


class FeatureBarrier:
    """The features' side, started on the central path for given scores X'λ."""

    def __init__(self, scores: Floats, thresholds: Floats, target: float) -> None:
        least = np.maximum(np.abs(scores), thresholds)
        above = _central_excess(scores, thresholds, least, target)
        self.t = least + above
        slacks = [
            least - scores + above,
            least + scores + above,
            least - thresholds + above,
        ]
        self.plus, self.minus, self.spare = (
            # On the central path every multiplier is target / slack.
            Pair(target / slack, slack)
            for slack in slacks
        )
        self.pairs = (self.plus, self.minus, self.spare)

    @property
    def coef(self) -> Floats:
        """The coefficients."""
        return self.plus.multiplier - self.minus.multiplier

    @property
    def is_nonzero(self) -> Mask:
        """Which coefficients will not end at zero, by strict complementarity."""
        return self.plus.lasts | self.minus.lasts

    def curvature(self) -> Floats:
        """Return how fast each coefficient follows its score."""
        up, down, spare = (pair.rate for pair in self.pairs)
        self._tilt = up - down
        self._stiffness = 1.0 + up + down + spare
        # da/ds = p + m - (p - m)^2 / (1 + p + m + r), without its cancellation.
        return ((up + down) * (1.0 + spare) + 4.0 * up * down) / self._stiffness

    def offset(self) -> Floats:
        """Return how the coefficients move while the scores stand still."""
        return self.plus.pull - self.minus.pull - self._tilt * self._lag()

    def follow(self, shift: Floats) -> None:
        """Take the direction of the scores, and derive all others."""
        self._dt = self._lag() + self._tilt * shift / self._stiffness
        self.plus.follow(self._dt - shift)
        self.minus.follow(self._dt + shift)
        self.spare.follow(self._dt)

    def move(self, step: float) -> None:
        """Make the step."""
        self.t = self.t + step * self._dt
        for pair in self.pairs:
            pair.move(step)

    def _lag(self) -> Floats:
        # plus + minus + spare = t, linearised: how far t lags behind.
        pulls = sum(pair.pull + pair.multiplier for pair in self.pairs)
        return (pulls - self.t) / self._stiffness


class SampleBarrier(ABC):
    """The rows' side: its decisions z as a function of the dual λ."""

    pairs: tuple[Pair, ...] = ()

    def __init__(self, y: Floats, capacity: Floats, dual: Floats) -> None:
        self.y, self.capacity, self.dual = y, capacity, dual

    @abstractmethod
    def resistance(self) -> Floats:
        """Return how fast each decision falls as its dual grows."""

    @abstractmethod
    def decisions(self) -> Floats:
        """Return the decisions aimed at while the dual stands still."""

    def follow(self, shift: Floats) -> None:
        """Take the direction of the dual."""
        self._shift = shift

    def room(self) -> float:
        """Return the longest step that stays inside."""
        return min((pair.room() for pair in self.pairs), default=np.inf)

    def move(self, step: float) -> None:
        """Make the step."""
        self.dual = self.dual + step * self._shift
        for pair in self.pairs:
            pair.move(step)


class QuadraticBarrier(SampleBarrier):
    """Squared loss: the dual is free, z = y - λ / (2 capacity)."""

    def resistance(self) -> Floats:
        return 0.5 / self.capacity

    def decisions(self) -> Floats:
        # Eq. (23) with the φ of eq. (33): z = -φ'(λ).
        return self.y - 0.5 * self.dual / self.capacity


class HingeBarrier(SampleBarrier):
    """Hinge: 0 <= yλ <= capacity, with multipliers for the margin and its breach."""

    def __init__(
        self, y: Floats, capacity: Floats, dual: Floats, target: float
    ) -> None:
        super().__init__(y, capacity, dual)
        # Eq. (36): 0 <= yλ <= capacity; the slacks are the distances to both bounds.
        size = y * dual
        self._beyond = Pair(target / size, size)
        self._breach = Pair(target / (capacity - size), capacity - size)
        self.pairs = (self._beyond, self._breach)

    @property
    def is_beyond(self) -> Mask:
        """Rows beyond their margin, whose dual ends at zero."""
        return self._beyond.lasts

    @property
    def is_inside(self) -> Mask:
        """Rows inside their margin, whose dual ends at the capacity."""
        return self._breach.lasts & ~self._beyond.lasts

    def resistance(self) -> Floats:
        return self._beyond.rate + self._breach.rate

    def decisions(self) -> Floats:
        beyond = self._beyond.multiplier + self._beyond.pull
        # yz = 1 + beyond - breach: past the margin by one, short of it by the other.
        return self.y * (1.0 + beyond - self._breach.multiplier - self._breach.pull)

    def follow(self, shift: Floats) -> None:
        super().follow(shift)
        self._beyond.follow(self.y * shift)
        self._breach.follow(-self.y * shift)


class EntropyBarrier(SampleBarrier):
    """Logistic: the entropy itself keeps yλ between 0 and the capacity."""

    def resistance(self) -> Floats:
        share = self._share()
        # φ'' of φ = capacity (p ln p + (1 - p) ln(1 - p)), with p = yλ / capacity.
        return 1.0 / (self.capacity * share * (1.0 - share))

    def decisions(self) -> Floats:
        share = self._share()
        # z = -φ'(λ): the log-odds that go with p.
        return self.y * (np.log1p(-share) - np.log(share))

    def room(self) -> float:
        change = self.y * self._shift / self.capacity
        share = self._share()
        return min(_room(share, change), _room(1.0 - share, -change))

    def _share(self) -> Floats:
        return self.y * self.dual / self.capacity


def _room(value: Floats, change: Floats) -> float:
    falling = change < 0
    if not falling.any():
        return np.inf
    return float(np.min(value[falling] / -change[falling]))


def _central_excess(
    scores: Floats, thresholds: Floats, least: Floats, target: float
) -> Floats:
    """Return t - least where t = target (1/(t-s) + 1/(t+s) + 1/(t-mu))."""
    # Each of the three terms is at most 1 / excess, and t is at least the excess.
    high = np.full_like(least, np.sqrt(3.0 * target))
    low = target / (least + high)
    for _ in range(T_HALVINGS):
        middle = np.sqrt(low * high)
        pulled = target * (
            1.0 / (least - scores + middle)
            + 1.0 / (least + scores + middle)
            + 1.0 / (least - thresholds + middle)
        )
        below = pulled > least + middle
        low, high = np.where(below, middle, low), np.where(below, high, middle)
    return high
