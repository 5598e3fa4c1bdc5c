"""Axes of score and cost: names, ends, and on a logarithmic one a place for 0."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from solvers import Frontier
from solvers.decisions.scores import TOTAL_COST
from solvers.values.rounding import number

from ..widgets.positions import tidy
from ..widgets.text import SCORES, is_negated, unit_text
from .scene import Axis

ACCOUNTS = {"mean": "mean", "p95": "95th percentile", "max": "worst case"}
# Ticks of an axis of what is negated, at most.
MOST_TICKS = 8


def cost_label(axes: Frontier) -> str:
    """Return what the axis of cost is called, without its unit."""
    charged = {
        "features": "prediction cost",
        "one_row": "prediction cost and deciding, a row alone",
        "batch_row": "prediction cost and deciding, a row of many",
    }[axes.charge]
    return f"{charged}, {ACCOUNTS[axes.accounting]} over test rows"


def score_axis(axes: Frontier, low: float, high: float, unit: str = "") -> Axis:
    """Return the axis of a score: better is higher, whatever is better.

    `unit`: of costs.
    """
    score, name = axes.score, f"{SCORES[axes.score]} on test rows"
    if not is_negated(score):
        return Axis(name, low, high)
    told = f" ({unit_text(unit)})" if unit and score == TOTAL_COST else ""
    return Axis(f"{name}{told}, less is higher", low, high, _turned(low, high))


def score_ends(scores: Iterable[float]) -> tuple[float, float]:
    """Return where the axis of a score ends: most lie from 0 to 1, a log loss below."""
    known = list(scores) or [0.0]
    if min(known) < 0:
        return 1.08 * min(known), 0.02 * -min(known)
    return max(0.0, min(known) - 0.05), 1.01


def _turned(low: float, high: float) -> dict[float, str]:
    """Return round ticks of an axis of negated values, without their signs."""
    power = 10.0 ** math.floor(math.log10((high - low) / MOST_TICKS))
    step = next(k * power for k in (1, 2, 5, 10) if MOST_TICKS * k * power > high - low)
    first, last = math.ceil(low / step), math.floor(high / step)
    places = [tidy(k * step) for k in range(first, last + 1)]
    return {place: number(abs(place)) for place in places}


# Share of a logarithmic axis that the place of nothing takes.
BAND = 0.07
# So far left of the least cost the powers of ten begin.
ROOM = 0.8
WHERE_NOTHING_IS = "; shaded: 0"


@dataclass(frozen=True)
class CostAxis:
    """An axis from nothing to all that there is to buy."""

    end: float  # In the unit of the costs
    # Where the powers of ten begin, with the place of nothing before it; 0 on a
    # linear axis
    edge: float = 0.0

    @classmethod
    def holding(cls, costs: Iterable[float], end: float, *, is_log: bool) -> CostAxis:
        """Return the axis that holds these costs."""
        end = end or 1.0
        if not is_log:
            return cls(end)
        least = min((cost for cost in costs if cost > 0), default=end / 1000)
        return cls(end, ROOM * float(least))

    @property
    def is_log(self) -> bool:
        """Whether it goes by powers of ten."""
        return self.edge > 0

    @property
    def start(self) -> float:
        """Where it begins."""
        return self._before_edge(BAND)

    @property
    def nothing(self) -> float:
        """Where what costs nothing stands."""
        return self._before_edge(BAND / 2)

    def axis(self, label: str) -> Axis:
        """Return what a scene draws of it."""
        if not self.is_log:
            return Axis(label, self.start, self.end)
        said = f"{label}{WHERE_NOTHING_IS}"
        return Axis(
            said,
            self.start,
            self.end,
            is_log=True,
            nothing=self.nothing,
            edge=self.edge,
        )

    def places(self, costs: ArrayLike) -> NDArray[np.float64]:
        """Return where costs stand."""
        asked = np.asarray(costs, dtype=float)
        if not self.is_log:
            return asked
        return np.where(asked > 0, np.maximum(asked, self.edge), self.nothing)

    def place(self, cost: float) -> float:
        """Return where a cost stands."""
        return float(self.places(cost))

    def stairs(
        self, costs: ArrayLike, scores: Iterable[float]
    ) -> tuple[list[float], list[float]]:
        """Return steps up to the end: what is bought at a cost is bought above it."""
        x, y = self.places(costs).tolist(), [*scores]
        if x:
            x, y = [*x, max(self.end, x[-1])], [*y, y[-1]]
        return x, y

    def cost_at(self, place: float) -> float:
        """Return which cost stands at a place: none before the powers of ten."""
        return 0.0 if self.is_log and place < self.edge else place

    def _before_edge(self, share: float) -> float:
        return self.edge * (self.edge / self.end) ** share if self.is_log else 0.0
