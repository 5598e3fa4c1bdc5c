"""Sliders that are moved, looked at and moved again."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Callable

import numpy as np

from .person import Person

__all__ = ["SLIDERS", "move_sliders", "spread"]

SLIDERS = ("Runtime budget", "Trade-off λ", "Quasi-norm p")
PAUSE_SECONDS = 1.0  # on average, between a picture and the next move
QUIET_SECONDS = 0.3  # a path that still streams would count as the next answer


async def move_sliders(
    person: Person, number: int, is_over: Callable[[], bool]
) -> list[tuple[float, float]]:
    """Move one slider, look at what is drawn, think, and move again.

    Return when each move was made, and the seconds until something was drawn.
    """
    random = np.random.default_rng(number)
    times = []
    await asyncio.sleep(random.uniform(0, PAUSE_SECONDS))
    while not is_over():
        now = time.perf_counter()
        seconds = await person.move(SLIDERS[number % 3], random.uniform(0.2, 0.8))
        times.append((now, seconds))
        await person.until_quiet(QUIET_SECONDS)
        await asyncio.sleep(random.exponential(PAUSE_SECONDS))
    return times


def spread(values: list[float], scale: float) -> dict[str, float | None]:
    """Return median, 95th and 99th of a hundred, the most, and how many there are.

    None stands for what never came, infinity, which JSON has no number for.
    """
    ordered = np.sort(values)
    shares = {"median": 0.5, "p95": 0.95, "p99": 0.99, "most": 1.0}
    found: dict[str, float | None] = {
        name: _finite(scale * np.quantile(ordered, share, method="higher"))
        for name, share in shares.items()
        if len(ordered)
    }
    return {**found, "n": len(ordered)}


def _finite(value: float) -> float | None:
    return round(float(value), 3) if math.isfinite(value) else None
