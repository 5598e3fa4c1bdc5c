"""Every method's frontier and time, on several data sets and seeds, above the floors.

Run as ``python -m benchmarks.frontiers``; writes ``benchmarks/results/frontiers.json``,
from which ``python -m benchmarks.results_page`` makes ``docs/results.md``. Training is
timed, scoring is not. Points are kept in ``build/frontiers`` as they come: the same
command goes on where it stopped. Generated data are drawn anew with each seed, so costs
are shares of the full cost. Points are chosen on validation rows, thresholds are tuned
there, and test rows are reported.
"""

import argparse
import json
import subprocess
from pathlib import Path

import numpy as np

from benchmarks.floors import FLOORS
from benchmarks.machine import machine
from solvers import ThriftscopeError, all_methods
from solvers.bands import compare_bands, frontier_band
from solvers.evaluation import resolve_method
from solvers.sweep import sweep, sweep_frontiers

RESULTS = Path(__file__).parent / "results" / "frontiers.json"
POINTS = Path(__file__).parents[1] / "build" / "frontiers"
DATASETS = ("signals", "gaussian", "sources", "breast_cancer")
SEEDS = (0, 1, 2, 3, 4)
BUDGETS = (0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1.0)
ACCOUNTING = "mean"
# Where the same rows are split again and again: test rows over training rows.
OVERLAP = 0.5
# Drawn anew with each seed, so runs share no rows.
DRAWN = ("gaussian", "sources")
VARIANTS = {
    "cegb, coupled": ("cegb", {"charge": "coupled"}),
    "cegb, lazy": ("cegb", {"charge": "lazy"}),
}


def contenders():
    """Return every method on the menu, its variants and the floors."""
    found = {name: method() for name, method in all_methods().items()}
    for label, (name, params) in VARIANTS.items():
        if name in found:
            found[label] = all_methods()[name](**params)
    return {**found, **FLOORS}


def traced(dataset, methods, seeds, points, workers):
    """Return the points of each method, and why others have none."""
    found, skipped = [], {}
    for label, method in methods.items():
        try:
            found += sweep(
                {label: method},
                [dataset],
                seeds,
                redraw=True,
                accounting=ACCOUNTING,
                out=points,
                n_workers=workers,
            )
        except ThriftscopeError as error:
            skipped[label] = str(error)
        print(dataset, label, skipped.get(label, "done"), flush=True)
    return found, skipped


def summary(dataset, points, methods):
    """Return what the points of one data set say, by method."""
    frontiers = {
        method: runs
        for (_, method), runs in sweep_frontiers(
            points, ACCOUNTING, relative=True
        ).items()
    }
    bands = {name: frontier_band(runs, BUDGETS) for name, runs in frontiers.items()}
    equals = best_or_as_good(bands, 0.0 if dataset in DRAWN else OVERLAP)
    seconds = training_seconds(points)
    return {
        name: {
            "title": methods[name].title,
            "floor": name in FLOORS,
            "hypervolume": spread([run.hypervolume(1.0) for run in frontiers[name]]),
            "f1": [
                {"mean": plain(mean), "standard error": plain(error)}
                for mean, error in zip(band.mean, band.standard_error, strict=True)
            ],
            "best or within noise of it": equals[name],
            "over budget": over_budget(frontiers[name]),
            "dearest overshoot on test rows": overshoot(frontiers[name]),
            "seconds": spread(seconds[name]),
            "points": float(np.mean([len(run) for run in frontiers[name]])),
        }
        for name, band in bands.items()
    }


def best_or_as_good(bands, overlap):
    """Return, for each budget, who is best or not beyond noise of the best."""
    equals = {name: [False] * len(BUDGETS) for name in bands}
    rivals = {name: band for name, band in bands.items() if name not in FLOORS}
    for i in range(len(BUDGETS)):
        means = {name: band.mean[i] for name, band in rivals.items()}
        known = {name: mean for name, mean in means.items() if not np.isnan(mean)}
        if not known:
            continue
        best = max(known, key=lambda name: known[name])
        for name in known:
            equals[name][i] = name == best or within_noise(
                bands[best], bands[name], i, overlap
            )
    return equals


def within_noise(best, other, i, overlap):
    if best.n_runs < 2:
        return False
    return bool(compare_bands(best, other, overlap=overlap).within_noise[i])


def training_seconds(points):
    """Return the training time of each whole path, by method."""
    totals = {}
    for swept in points:
        of_method = totals.setdefault(swept.method, {})
        run = (swept.seed, swept.fold)
        of_method[run] = of_method.get(run, 0.0) + swept.point.seconds
    return {name: list(runs.values()) for name, runs in totals.items()}


def over_budget(runs):
    """Count choices that cost more than the budget on validation rows: must be 0."""
    return sum(
        point.charged(ACCOUNTING, "validation") > budget * (1 + 1e-9)
        for _, budget, point in choices(runs)
    )


def overshoot(runs):
    """By how much of the budget a choice costs more on test rows: adaptive ones may."""
    shares = [point.charged(ACCOUNTING) / b - 1.0 for _, b, point in choices(runs)]
    return max(0.0, *shares) if shares else 0.0


def choices(runs):
    for number, run in enumerate(runs):
        for budget in BUDGETS:
            point = run.best_within(budget)
            if point is not None:
                yield number, budget, point


def spread(values):
    error = np.std(values, ddof=1) / np.sqrt(len(values)) if len(values) > 1 else np.nan
    return {"mean": plain(np.mean(values)), "standard error": plain(error)}


def plain(value):
    """Return a float, or None where there is no number: JSON knows no NaN."""
    return None if np.isnan(value) else float(value)


def commit():
    asked = ["git", "rev-parse", "--short", "HEAD"]
    done = subprocess.run(asked, capture_output=True, text=True, check=False)
    return done.stdout.strip() or "unknown"


def measured(datasets, methods, seeds, points, workers):
    """Return the results of the whole grid."""
    results = {
        "environment": {**machine(), "commit": commit(), "workers": workers},
        "seeds": list(seeds),
        "budgets": list(BUDGETS),
        "accounting": ACCOUNTING,
        "datasets": {},
    }
    for dataset in datasets:
        found, skipped = traced(dataset, methods, seeds, points, workers)
        results["datasets"][dataset] = {
            "unit": found[0].unit,
            "full cost": spread([p.full_cost for p in found if p.number == 0]),
            "methods": summary(dataset, found, methods),
            "skipped": skipped,
        }
    return results


def chosen(names, known):
    for name in names:
        if name not in known:
            resolve_method(name)  # says what is known, or what is missing
    return {name: known[name] for name in names}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--datasets", nargs="+", default=DATASETS)
    parser.add_argument("--methods", nargs="+", help="all, their variants and floors")
    parser.add_argument("--seeds", nargs="+", type=int, default=SEEDS)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--points", type=Path, default=POINTS)
    parser.add_argument("--output", type=Path, default=RESULTS)
    options = parser.parse_args()
    known = contenders()
    methods = chosen([*options.methods, *FLOORS], known) if options.methods else known
    results = measured(
        options.datasets, methods, options.seeds, options.points, options.workers
    )
    options.output.parent.mkdir(exist_ok=True)
    options.output.write_text(json.dumps(results, indent=1) + "\n")


if __name__ == "__main__":
    main()
