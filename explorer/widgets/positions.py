"""Where a slider stands: at round values, the same ones for everybody."""

from __future__ import annotations

import math

from solvers.values.knobs import COST, Number

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


def slider_ends(
    knob: Number, default: float | None = None, full_cost: float = 1.0
) -> tuple[float, float]:
    """Return the ends of a slider: what the knob shows, or else what it allows.

    `default`: where the knob stands at first; a bound that is none lies around it.
    `full_cost`: the end of what is counted in the unit of the costs.
    """
    if knob.shown is not None:
        return knob.shown
    low, high, near = knob.low, knob.high, abs(default or 1.0)
    if math.isinf(high):
        high = full_cost if knob.unit == COST else 100 * near
    if math.isinf(low):
        low = -high
    if knob.scale == "log":
        return (low if low > 0 else near / 100), high
    if not knob.open:
        return low, high
    # The bounds themselves are excluded.
    step = 1 if knob.integer else round_step(low, high)
    return low + step, high - step


def log_ends(knob: Number, default: float | None = None) -> tuple[float, float]:
    """Return the ends of a slider over powers of ten, as powers."""
    low, high = slider_ends(knob, default)
    return math.log10(low), math.log10(high)


def positions(knob: Number) -> list[float]:
    """Return every value that a slider over powers of ten can stand at."""
    low, high = log_ends(knob)
    step = (high - low) / SLIDER_STEPS
    return [10.0 ** tidy(low + k * step) for k in range(SLIDER_STEPS + 1)]
