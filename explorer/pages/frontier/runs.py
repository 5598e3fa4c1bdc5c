"""The same frontiers over several splits of the rows: mean, spread, and noise."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from solvers import Frontier, all_methods
from solvers.costs.budgets import room_of
from solvers.frontier.bands import Band, compare_bands, frontier_band
from solvers.values.rounding import rounded


def bands_of(
    frontiers: Mapping[str, Sequence[Frontier]], floor: float
) -> dict[str, Band]:
    """Return mean and spread of each method's frontiers, on one grid of budgets.

    Empty where there is no frontier.
    """
    steps = [frontier_band(runs).costs for runs in frontiers.values()]
    if not steps:
        return {}
    grid = np.unique(np.concatenate([[0.0], *steps]))
    return {
        name: frontier_band(runs, grid, floor=floor) for name, runs in frontiers.items()
    }


def noise_sentence(
    bands: Mapping[str, Band], budget: float, unit: str, overlap: float
) -> str:
    """Return how sure it is that the best method within a budget is the best.

    Empty where there are fewer than two methods.
    """
    if len(bands) < 2:
        return ""
    grid = next(iter(bands.values())).costs
    at = max(0, int(np.searchsorted(grid, room_of(budget), side="right")) - 1)
    first, second = sorted(bands, key=lambda name: -bands[name].mean[at])[:2]
    difference = compare_bands(bands[first], bands[second], overlap=overlap)
    one, other = (all_methods()[name].title for name in (first, second))
    return difference.sentence(rounded(budget, 4), one, other, unit)
