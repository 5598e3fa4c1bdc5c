"""Where a slider stands: at round values, the same ones for everybody."""

from __future__ import annotations

import math

from solvers.knobs import Number

__all__ = ["SLIDER_STEPS", "log_ends", "positions", "round_step", "tidy"]

# Of a slider by powers of ten, and of a budget.
SLIDER_STEPS = 200
# Of any other, at least.
LINEAR_STEPS = 100


def tidy(value: float) -> float:
    """Return a slider's value without what adding step to step leaves behind."""
    return round(value, 12)


def round_step(low: float, high: float) -> float:
    """Return a step that people count in: 1, 2 or 5 of a power of ten."""
    wanted = (high - low) / LINEAR_STEPS
    power = 10.0 ** math.floor(math.log10(wanted))
    step = next(k for k in (1, 2, 5, 10) if k * power > wanted * (1 - 1e-9))
    return tidy(step * power)


def log_ends(knob: Number) -> tuple[float, float]:
    """Return the ends of a slider over powers of ten, as powers."""
    low, high = knob.shown or (knob.low, knob.high)
    return math.log10(low), math.log10(high)


def positions(knob: Number) -> list[float]:
    """Return every value that a slider over powers of ten can stand at."""
    low, high = log_ends(knob)
    step = (high - low) / SLIDER_STEPS
    return [10.0 ** tidy(low + k * step) for k in range(SLIDER_STEPS + 1)]
