"""The same frontiers over several splits of the rows: mean, spread, and noise."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from solvers import Dataset, Frontier, FrontierPoint, all_methods, trace_frontier
from solvers.bands import Band, compare_bands, frontier_band
from solvers.evaluation import ThresholdRule

__all__ = [
    "RunItem",
    "RunRequest",
    "all_positive_f1",
    "bands_of",
    "noise_sentence",
    "trace_runs",
]


@dataclass(frozen=True)
class RunRequest:
    """Which methods to trace on which splits."""

    dataset: Dataset  # Rows, labels and prices
    # Method, its parameters and the seed of split and method
    runs: Sequence[tuple[str, Mapping[str, Any], int]]
    threshold: ThresholdRule  # Rule for the decision threshold


@dataclass(frozen=True)
class RunItem:
    """A method's whole frontier on one split."""

    method: str  # Name of the method
    seed: int  # Seed of the split
    points: tuple[FrontierPoint, ...]  # In the order of the method's path


def trace_runs(request: RunRequest) -> Iterator[RunItem | None]:
    """Yield each frontier of a request; None while one is under way.

    None gives whoever pulls the chance to stop.
    """
    for method, params, seed in request.runs:
        points = []
        for point in trace_frontier(
            all_methods()[method](**params),
            request.dataset,
            threshold=request.threshold,
            random_state=seed,
        ):
            points.append(point)
            yield None
        yield RunItem(method, seed, tuple(points))


def all_positive_f1(data: Dataset) -> float:
    """Return the F1 of calling every row positive; 0 where no class is positive."""
    share = float(np.mean(data.y == data.positive)) if data.positive is not None else 0
    return 2 * share / (1 + share)


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
    at = max(0, int(np.searchsorted(grid, budget * (1 + 1e-12), side="right")) - 1)
    first, second = sorted(bands, key=lambda name: -bands[name].mean[at])[:2]
    difference = compare_bands(bands[first], bands[second], overlap=overlap)
    one, other = (all_methods()[name].title for name in (first, second))
    return difference.sentence(float(f"{budget:.4g}"), one, other, unit)
