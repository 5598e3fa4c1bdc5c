"""What the points of many methods and seeds say: means, and paired differences.

At each budget the method of the best mean is compared with every other one, run by
run. Those comparisons are read together, so their p-values are corrected by Holm's
procedure; a method is called as good as the best where its corrected value is above
5 %. Picking the best by the same runs is not corrected for.
"""

from collections.abc import Iterable, Mapping

import numpy as np

from benchmarks.floors import FLOORS
from solvers import Frontier
from solvers.costs.budgets import room_of
from solvers.frontier.bands import Band, compare_bands, frontier_band, holm
from solvers.frontier.sweep import SweepPoint, sweep_frontiers

ACCOUNTING = "mean"
LEVEL = 0.05
# Where the same rows are split again and again: test rows over training rows.
OVERLAP = 0.5


def summary(points: Iterable[SweepPoint], budgets, *, redrawn: bool, methods) -> dict:
    """Return what the points of one data set say, by method."""
    points = list(points)
    frontiers = {
        method: runs
        for (_, method), runs in sweep_frontiers(
            points, ACCOUNTING, relative=True
        ).items()
    }
    overlap = 0.0 if redrawn else OVERLAP
    bands = {name: frontier_band(runs, budgets) for name, runs in frontiers.items()}
    areas = {name: area_band(runs) for name, runs in frontiers.items()}
    behind, behind_area = (
        behind_the_best(bands, overlap),
        behind_the_best(areas, overlap),
    )
    seconds = training_seconds(points)
    return {
        name: {
            "title": methods[name].title,
            "floor": name in FLOORS,
            "hypervolume": _spread(areas[name], 0) | behind_area[name][0],
            "f1": [_spread(band, i) | behind[name][i] for i in range(len(band.costs))],
            "over budget": over_budget(frontiers[name], budgets),
            "costliest overshoot on test rows": overshoot(frontiers[name], budgets),
            "seconds": _mean_and_error(seconds[name]),
            "candidates": float(np.mean([len(run) for run in frontiers[name]])),
        }
        for name, band in bands.items()
    }


def area_band(runs: list[Frontier]) -> Band:
    """Return the hypervolume of each run, to be compared like scores at one budget."""
    return Band(np.array([1.0]), np.array([[run.hypervolume(1.0)] for run in runs]))


def behind_the_best(bands: Mapping[str, Band], overlap: float) -> dict[str, list[dict]]:
    """Return by how much each method is behind the best one, and how sure that is.

    Floors are compared too, but are never the best, nor counted among the comparisons:
    nobody doubts them.
    """
    found: dict[str, list[dict]] = {name: [] for name in bands}
    rivals = [name for name in bands if name not in FLOORS]
    n_costs = len(next(iter(bands.values())).costs)
    for i in range(n_costs):
        means = {name: bands[name].mean[i] for name in rivals}
        best = max(means, key=lambda name: means[name])
        others = [name for name in rivals if name != best]
        p = {name: _p_value(bands[best], bands[name], i, overlap) for name in bands}
        corrected = dict(zip(others, holm([p[name] for name in others]), strict=True))
        for name, band in bands.items():
            gap = bands[best].scores[:, i] - band.scores[:, i]
            found[name].append(
                {
                    "behind the best": float(gap.mean()),
                    "p, corrected": float(corrected.get(name, p[name])),
                    "best or as good": bool(
                        name == best or corrected.get(name, 0.0) > LEVEL
                    ),
                }
            )
    return found


def _p_value(best: Band, other: Band, i: int, overlap: float) -> float:
    # A single run says nothing about noise: everybody may be as good.
    if best is other or best.n_runs < 2:
        return 1.0
    return float(compare_bands(best, other, overlap=overlap).p_value[i])


def training_seconds(points: Iterable[SweepPoint]) -> dict[str, list[float]]:
    """Return the training time of each whole path, by method."""
    totals: dict[str, dict] = {}
    for swept in points:
        of_method = totals.setdefault(swept.method, {})
        run = (swept.seed, swept.fold)
        of_method[run] = of_method.get(run, 0.0) + swept.point.seconds
    return {name: list(runs.values()) for name, runs in totals.items()}


def over_budget(runs: list[Frontier], budgets) -> int:
    """Count choices that cost more than the budget on validation rows: must be 0."""
    return sum(
        point.charged(ACCOUNTING, "validation") > room_of(budget)
        for budget, point in _choices(runs, budgets)
    )


def overshoot(runs: list[Frontier], budgets) -> float:
    """By how much of the budget a choice costs more on test rows: adaptive ones may."""
    chosen = _choices(runs, budgets)
    return max(0.0, *(point.charged(ACCOUNTING) / b - 1.0 for b, point in chosen), 0.0)


def _choices(runs, budgets):
    for run in runs:
        for budget in budgets:
            point = run.best_within(budget)
            if point is not None:
                yield budget, point


def _spread(band: Band, i: int) -> dict:
    return _mean_and_error(band.scores[:, i])


def _mean_and_error(values) -> dict:
    n = len(values)
    error = float(np.std(values, ddof=1) / np.sqrt(n)) if n > 1 else None
    return {"mean": float(np.mean(values)), "standard error": error}
