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
    """Which methods to trace on which splits.

    Parameters
    ----------
    dataset : Dataset
        Rows, labels and prices.
    runs : sequence of tuple of (str, mapping, int)
        Method, its parameters and the seed of split and method.
    threshold : {"tuned", "default"}
        Rule for the decision threshold.
    """

    dataset: Dataset
    runs: Sequence[tuple[str, Mapping[str, Any], int]]
    threshold: ThresholdRule


@dataclass(frozen=True)
class RunItem:
    """A method's whole frontier on one split.

    Parameters
    ----------
    method : str
        Name of the method.
    seed : int
        Seed of the split.
    points : tuple of FrontierPoint
        In the order of the method's path.
    """

    method: str
    seed: int
    points: tuple[FrontierPoint, ...]


def trace_runs(request: RunRequest) -> Iterator[RunItem | None]:
    """Yield each frontier of a request; None while one is under way.

    Parameters
    ----------
    request : RunRequest
        What to trace.

    Yields
    ------
    RunItem or None
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
    """Return the F1 of calling every row positive; 0 where no class is positive.

    Parameters
    ----------
    data : Dataset
        Rows and labels.

    Returns
    -------
    float
    """
    share = float(np.mean(data.y == data.positive)) if data.positive is not None else 0
    return 2 * share / (1 + share)


def bands_of(
    frontiers: Mapping[str, Sequence[Frontier]], floor: float
) -> dict[str, Band]:
    """Return mean and spread of each method's frontiers, on one grid of budgets.

    Parameters
    ----------
    frontiers : mapping of str to sequence of Frontier
        One for each split, by method; the same splits for each.
    floor : float
        The score that costs nothing.

    Returns
    -------
    dict of str to Band
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

    Parameters
    ----------
    bands : mapping of str to Band
        Of the same splits, on the same grid, by method.
    budget : float
        What may be spent.
    unit : str
        Of the budget.
    overlap : float
        Test rows over training rows: the splits share their rows.

    Returns
    -------
    str
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
