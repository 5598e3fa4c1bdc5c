"""Points of a sweep as frontiers, one for each run."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from ...decisions.row_costs import Accounting
from ...errors import ThriftscopeError
from ..frontier import Frontier, FrontierPoint
from .tasks import SweepPoint


def sweep_frontiers(
    points: Iterable[SweepPoint],
    accounting: Accounting = "mean",
    *,
    relative: bool = False,
) -> dict[tuple[str, str], list[Frontier]]:
    """Return the frontiers of each method on each data set.

    Parameters
    ----------
    points : iterable of SweepPoint
        In any order.
    accounting : {"mean", "p95", "max"}, default="mean"
        Which cost over rows is the axis.
    relative : bool, default=False
        Whether costs are shares of the full cost, as for data drawn anew, whose full
        costs differ.

    Returns
    -------
    dict of (str, str) to list of Frontier
        By data set and method, as they first appear; one for each run, by seed and
        fold, and so the same runs in the same places for every method. Each knows what
        the free answer scores on its rows.

    Raises
    ------
    ThriftscopeError
        If a method lacks runs that another one has on the same data.
    """
    runs: dict[tuple[str, str], dict[tuple[int, int], list[FrontierPoint]]] = {}
    floors: dict[tuple[str, int, int], Mapping[str, float]] = {}
    for swept in points:
        fold = -1 if swept.fold is None else swept.fold
        of_method = runs.setdefault((swept.dataset, swept.method), {})
        scale = swept.full_cost if relative and swept.full_cost > 0 else 1.0
        floors[swept.dataset, swept.seed, fold] = swept.floor
        of_method.setdefault((swept.seed, fold), []).append(_scaled(swept.point, scale))
    _refuse_missing_runs({key: set(found) for key, found in runs.items()})
    return {
        key: [
            Frontier(found[run], accounting, floor=floors[key[0], *run])
            for run in sorted(found)
        ]
        for key, found in runs.items()
    }


def _scaled(point: FrontierPoint, scale: float) -> FrontierPoint:
    if scale == 1.0:
        return point
    validation = point.validation_cost or point.cost
    return replace(
        point,
        cost={name: cost / scale for name, cost in point.cost.items()},
        validation_cost={name: cost / scale for name, cost in validation.items()},
    )


def _refuse_missing_runs(runs: dict[tuple[str, str], set[tuple[int, int]]]) -> None:
    for (dataset, method), found in runs.items():
        wanted = set.union(
            *(have for (data, _), have in runs.items() if data == dataset)
        )
        if found != wanted:
            seed, fold = min(wanted - found)
            where = f"seed {seed}" + (f", fold {fold}" if fold >= 0 else "")
            raise ThriftscopeError(
                f"There are no points of {method} on {dataset} with {where}, which "
                "other methods have; finish the sweep first."
            )
