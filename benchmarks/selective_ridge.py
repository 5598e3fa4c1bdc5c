"""Selective ridge: seconds of a path, of a re-solve, and against more features.

Run as ``python -m benchmarks.selective_ridge``; writes
``benchmarks/results/selective_ridge.json``. Solving is timed, making the data is not;
the first run of each is a warm-up and is left out. Every row carries the largest
relative duality gap of what it timed. There is no test split: these are solvers.
"""

import argparse
import json
import os
import platform
import subprocess
import time
from importlib.metadata import version
from pathlib import Path

import cvxpy as cp
import numpy as np
from sklearn.linear_model import ElasticNet, LogisticRegression

from solvers.datasets.makers.evoked import make_evoked
from solvers.methods.selective_ridge import (
    maximum_selectivity,
    selective_ridge_path,
    selective_ridge_stream,
)
from solvers.methods.selective_ridge.problem import RidgeProblem
from solvers.methods.selective_ridge.working_set import FIRST_GAP, Solver

RESULTS = Path(__file__).parent / "results" / "selective_ridge.json"
REPETITIONS = 5
LOSSES = ("squared", "hinge", "logistic")
TOLERANCE = 1e-6

# Seconds that a path and a move of the slider may take, and the power of the features
# with which time may grow.
PATH_TARGET = 5.0
RESOLVE_TARGET = 0.060
SLOPE_TARGET = 1.2
RESOLVE_SHARES = (0.3, 0.1, 0.03, 0.01, 3e-3, 1e-3)
SIZES = (825, 1650, 3300, 6600, 20_000, 100_000, 1_000_000)
RIVAL_SIZES = (825, 1650, 3300, 6600)
# Rivals that would take minutes are skipped, and say so.
RIVAL_LIMIT = 60.0


def timed(run, repetitions=REPETITIONS):
    """Seconds of wall clock and of one processor: median, fastest, slowest."""
    run()
    wall, busy = [], []
    for _ in range(repetitions):
        started, worked = time.perf_counter(), time.process_time()
        run()
        wall.append(time.perf_counter() - started)
        busy.append(time.process_time() - worked)
    return {
        "median": float(np.median(wall)),
        "fastest": min(wall),
        "slowest": max(wall),
        "processor median": float(np.median(busy)),
        "repetitions": repetitions,
    }


def environment():
    revision = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"],
        capture_output=True,
        text=True,
        check=False,
    )
    packages = ("numpy", "scipy", "scikit-learn", "cvxpy", "clarabel")
    return {
        "machine": platform.machine(),
        "system": platform.system(),
        "cores": os.cpu_count(),
        "threads": os.environ.get("OMP_NUM_THREADS", "all"),
        "load before": os.getloadavg(),
        "commit": revision.stdout.strip() or "unknown",
        "python": platform.python_version(),
        **{name: version(name) for name in packages},
    }


def targets_of(dataset, loss):
    """Labels, or for the squared loss the labels with noise."""
    if loss != "squared":
        return dataset.y
    return dataset.y + np.random.default_rng(0).standard_normal(len(dataset.y))


def paths():
    """50 certified points, over five decades and over the paper's eight."""
    dataset = make_evoked()
    for loss in LOSSES:
        for decades in (5, 8):
            y, gaps = targets_of(dataset, loss), []

            def run(y=y, loss=loss, decades=decades, gaps=gaps):
                gaps.clear()
                gaps.extend(
                    fit.relative_gap
                    for fit in selective_ridge_path(
                        dataset.X, y, loss=loss, smallest=10.0**-decades
                    )
                )

            yield {
                "loss": loss,
                "points": 50,
                "decades": decades,
                "seconds": timed(run),
                "largest relative gap": max(gaps),
                "target": PATH_TARGET,
            }


def moved(solver, mu):
    """Seconds to the first answer, at a gap of 1e-3, and to the last."""
    started, worked, first = time.perf_counter(), time.process_time(), None
    for fit in solver.refine(mu, TOLERANCE):
        if first is None and fit.relative_gap <= FIRST_GAP:
            first = time.perf_counter() - started
    last = time.perf_counter() - started
    return {
        "first": last if first is None else first,
        "last": last,
        "processor": time.process_time() - worked,
        "gap": fit.relative_gap,
    }


def resolves():
    """A slider moves by 1.15: N = 200, n = 7000."""
    dataset = make_evoked(n_samples=200, n_channels=70, n_times=100)
    for loss in LOSSES:
        y = targets_of(dataset, loss).astype(float)
        largest = maximum_selectivity(dataset.X, y, 1.0, loss)
        ones = np.ones(dataset.n_features)
        problem = RidgeProblem.of(dataset.X, y, np.ones(len(y)), ones, 1.0, loss)
        solver, moves, gaps = Solver(problem), [], []
        for share in RESOLVE_SHARES:
            for mu in share * largest / 1.15 ** np.arange(REPETITIONS + 1):
                moves.append(moved(solver, mu))
                gaps.append(moves[-1].pop("gap"))
            # What comes first is no slider move, but a jump.
            del moves[-REPETITIONS - 1]
        seconds = [move["last"] for move in moves]
        yield {
            "loss": loss,
            "first answer, median": float(np.median([m["first"] for m in moves])),
            "median": float(np.median(seconds)),
            "processor median": float(np.median([m["processor"] for m in moves])),
            "p90": float(np.quantile(seconds, 0.9)),
            "slowest": max(seconds),
            "moves": len(moves),
            "largest relative gap": max(gaps),
            "target": RESOLVE_TARGET,
        }


def wide_table(n_features, n_samples=196):
    """Correlated columns, made in place: 60 shared directions, and noise."""
    rng = np.random.default_rng(0)
    hidden = rng.standard_normal((n_samples, 60)) * np.geomspace(1.0, 0.03, 60)
    X = np.empty((n_samples, n_features))
    for at in range(0, n_features, 20_000):
        part = X[:, at : at + 20_000]
        part[:] = hidden @ rng.standard_normal((60, part.shape[1]))
        part += rng.standard_normal(part.shape)
    y = np.where(X[:, :20].sum(axis=1) > 0, 1.0, -1.0)
    return 0.3 * X, y


def sizes(largest_size):
    """From nothing, and after a move by 1.15, for more and more features."""
    for n_features in (size for size in SIZES if size <= largest_size):
        X, y = wide_table(n_features)
        for loss in LOSSES:
            # The selectivity of the smallest table, as in the paper's Fig. 1.
            mu = 0.05 * maximum_selectivity(X[:, :825], y, 1.0, loss)
            ones = np.ones(n_features)
            problem = RidgeProblem.of(X, y, np.ones(len(y)), ones, 1.0, loss)
            repetitions = REPETITIONS if n_features <= 20_000 else 3
            kept = {}

            def cold(problem=problem, mu=mu, kept=kept):
                kept["solver"] = Solver(problem)
                *_, kept["fit"] = kept["solver"].refine(mu, TOLERANCE)

            seconds = timed(cold, repetitions)
            moves = []
            for step in range(1, repetitions + 1):
                started = time.perf_counter()
                *_, fit = kept["solver"].refine(mu / 1.15**step, TOLERANCE)
                moves.append(time.perf_counter() - started)
            yield {
                "loss": loss,
                "features": n_features,
                "gigabytes": X.nbytes / 1e9,
                "selected": int(kept["fit"].support.sum()),
                "cold": seconds,
                "move": {"median": float(np.median(moves)), "slowest": max(moves)},
                "relative gap": max(kept["fit"].relative_gap, fit.relative_gap),
            }


def slopes(rows):
    """Slope of log time of a cold fit on log features, by least squares."""
    for loss in LOSSES:
        points = [
            (row["features"], row["cold"]["median"])
            for row in rows
            if row["loss"] == loss
        ]
        logs = np.log(points)
        slope = float(np.polyfit(logs[:, 0], logs[:, 1], 1)[0])
        yield {"loss": loss, "slope": slope, "target": SLOPE_TARGET}


def primal(X, y, mu, loss):
    """Pose eq. (11) for a general convex solver."""
    coef, inner, outer = (cp.Variable(X.shape[1]) for _ in range(3))
    decisions = X @ coef + cp.Variable()
    losses = {
        "squared": lambda: cp.sum_squares(y - decisions),
        "hinge": lambda: cp.sum(cp.pos(1 - cp.multiply(y, decisions))),
        "logistic": lambda: cp.sum(cp.logistic(-cp.multiply(y, decisions))),
    }[loss]()
    penalty = 2 * mu * cp.sum(inner + outer) + cp.sum_squares(outer)
    return cp.Problem(
        cp.Minimize(penalty + losses),
        [cp.abs(coef) <= inner + outer, inner >= 0, inner <= mu],
    )


def scikit(X, y, mu, loss):
    """The nearest model of scikit-learn; None where there is none with zeros."""
    if loss == "squared":
        n_samples = len(y)
        return ElasticNet(mu / n_samples, l1_ratio=0.9, max_iter=1000, tol=1e-6)
    if loss == "logistic":
        return LogisticRegression(
            l1_ratio=0.9, C=1 / (2 * mu), solver="saga", max_iter=200
        )
    return None


def rivals():
    """The same tables through a general solver on the primal, and scikit-learn."""
    too_slow = set()
    for n_features in RIVAL_SIZES:
        X, y = wide_table(n_features)
        for loss in LOSSES:
            mu = 0.05 * maximum_selectivity(X[:, :825], y, 1.0, loss)

            def ours(X=X, y=y, mu=mu, loss=loss):
                *_, fit = selective_ridge_stream(X, y, mu=mu, loss=loss)
                return fit

            fit, seconds = ours(), timed(ours, 3)
            row = {"loss": loss, "features": n_features, "ours": seconds["median"]}
            row |= {
                "objective": fit.objective,
                "scikit-learn": "skipped: no such model",
            }
            if loss in too_slow:
                row["cvxpy"] = f"skipped: over {RIVAL_LIMIT:g} s at half the size"
            else:
                problem = primal(X, y, mu, loss)
                started = time.perf_counter()
                problem.solve(solver=cp.CLARABEL)
                row["cvxpy"] = time.perf_counter() - started
                row["times faster"] = row["cvxpy"] / row["ours"]
                row["cvxpy objective"] = float(problem.value)
                if row["cvxpy"] > RIVAL_LIMIT:
                    too_slow.add(loss)
            model = scikit(X, y, mu, loss)
            if model is not None:
                started = time.perf_counter()
                model.fit(X, y)
                row["scikit-learn"] = time.perf_counter() - started
                row["scikit-learn converged"] = bool(
                    np.max(model.n_iter_) < model.max_iter
                )
            yield row


def published():
    """The gap that the algorithm as published leaves, beside ours."""
    dataset = make_evoked()
    for loss in LOSSES:
        y = targets_of(dataset, loss)
        largest = maximum_selectivity(dataset.X, y, 1.0, loss)
        for share in (0.1, 0.01):
            for algorithm in ("published", "interior_point"):
                started = time.perf_counter()
                *_, fit = selective_ridge_stream(
                    dataset.X, y, mu=share * largest, loss=loss, algorithm=algorithm
                )
                yield {
                    "loss": loss,
                    "mu / mu0": share,
                    "algorithm": algorithm,
                    "seconds": time.perf_counter() - started,
                    "iterations": fit.iterations,
                    "relative gap": fit.relative_gap,
                    "objective": fit.objective,
                }


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--features", type=int, default=SIZES[-1])
    parser.add_argument("--output", type=Path, default=RESULTS)
    options = parser.parse_args()
    results = {"environment": environment()}
    for part, rows in {
        "path": paths(),
        "re-solve": resolves(),
        "sizes": sizes(options.features),
        "rivals": rivals(),
        "published": published(),
    }.items():
        results[part] = []
        for row in rows:
            print(part, row, flush=True)
            results[part].append(row)
    results["slopes"] = list(slopes(results["sizes"]))
    results["environment"]["load after"] = os.getloadavg()
    print(results["slopes"])
    options.output.parent.mkdir(exist_ok=True)
    options.output.write_text(json.dumps(results, indent=1) + "\n")


if __name__ == "__main__":
    main()
