"""What the axes of a frontier are called, and where they end."""

from __future__ import annotations

import math
from collections.abc import Iterable

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
