"""Run the ACAFH benchmarks on one core: ``python -m benchmarks.acafh``."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

import numpy as np
from threadpoolctl import threadpool_limits

from solvers.methods.acafh import Lp

from ..machine import code_version, machine
from ..sources import sources_of
from .datasets import Data, gaussian, sources
from .independent import independent_objectives
from .objective import objective
from .solvers import SOLVERS, problem

RESULT = Path(__file__).parents[1] / "results" / "acafh.json"
REPEATS = 5


def timed(run: Callable[[], object], repeats: int = REPEATS) -> tuple[object, dict]:
    """Return the last result, and wall and CPU seconds after one uncounted run."""
    result, wall, cpu = run(), [], []
    for _ in range(repeats):
        started = time.perf_counter(), time.process_time()
        result = run()
        wall.append(time.perf_counter() - started[0])
        cpu.append(time.process_time() - started[1])
    return result, {
        "seconds": median(wall),
        "seconds_min": min(wall),
        "seconds_max": max(wall),
        "cpu_seconds": median(cpu),
        "cpu_seconds_min": min(cpu),
        "repeats": repeats,
    }


def best_known(data: Data, alphas: np.ndarray, p: float) -> np.ndarray:
    """Return the lowest objectives of two long searches.

    One is the solver's own: paths of several p, then again; the other begins at random
    supports, L1 supports and exchanges, none of which the solver has.
    """
    prepared = problem(data)
    for other in (0.3, 0.7, 0.9):
        list(prepared.along(alphas, Lp(other)))
    for _ in range(2):
        list(prepared.along(alphas, Lp(p)))
    found = list(prepared.along(alphas, Lp(p)))
    own = np.array([solution.objective for solution in found])
    return np.minimum(own, independent_objectives(prepared, alphas, Lp(p)))


def paths(p: float = 0.5) -> list[dict]:
    """30 trade-offs, 100 features, up to 200 components, 5000 rows."""
    rows = []
    tables = [gaussian(0, 100, 5000, 0.1), gaussian(0, 100, 5000, 0.4), sources(0)]
    for data in tables:
        alphas = problem(data).alphas(Lp(p))
        known = best_known(data, alphas, p)
        for name, solver in SOLVERS.items():
            repeats = REPEATS if name == "ACAFH majorise" else 1
            found, clock = timed(lambda s=solver, d=data, a=alphas: s(d, a, p), repeats)
            values = [
                objective(data, *w, a, p) for w, a in zip(found, alphas, strict=True)
            ]
            gap = np.array(values) - known
            rows.append(
                {
                    "what": "30-alpha path",
                    "data": data.name,
                    "solver": name,
                    "mean gap to best known": float(gap.mean()),
                    "largest gap": float(gap.max()),
                    **clock,
                }
            )
    return rows


def single(p: float = 0.5) -> list[dict]:
    """One trade-off from nothing, 600 features, 2000 rows."""
    rows = []
    data = gaussian(0, 600, 2000, 1e-3)
    for alpha in (1e-3, 5e-4):
        for name, solver in SOLVERS.items():
            found, clock = timed(lambda s=solver, a=alpha: s(data, [a], p))
            row = {"what": "one alpha", "data": data.name, "solver": name}
            value = objective(data, *found[0], alpha, p)
            rows.append({**row, "alpha": alpha, "objective": value, **clock})
    return rows


def sliders(p: float = 0.5) -> list[dict]:
    """A slider moves on a problem whose path has been drawn."""
    data = gaussian(0, 100, 5000, 0.1)
    prepared = problem(data)
    alphas = prepared.alphas(Lp(p))
    list(prepared.along(alphas, Lp(p)))
    moves = {f"alpha x {f:g}": (f, p) for f in (0.7, 0.9, 1.1, 1.3)}
    moves |= {f"p {q:+g}": (1.0, p + q) for q in (-0.1, -0.03, 0.03, 0.1)}
    wall = {name: [] for name in moves}
    for alpha in alphas[2::4]:
        for name, (factor, q) in moves.items():
            started = time.perf_counter()
            prepared.solve(alpha * factor, Lp(q))
            wall[name].append(time.perf_counter() - started)
    return [
        {
            "what": "re-solve",
            "data": data.name,
            "solver": f"ACAFH majorise, {name}",
            "seconds": median(seconds),
            "seconds_min": min(seconds),
            "seconds_max": max(seconds),
            "repeats": len(seconds),
        }
        for name, seconds in wall.items()
    ]


def main() -> None:
    """Run, print, write."""
    report = {"machine": machine(), "code": code_version()}
    report["sources"] = sources_of(["benchmarks.acafh.solvers"])
    with threadpool_limits(1):
        report["rows"] = [*paths(), *single(), *sliders()]
    for row in report["rows"]:
        note = {
            key: value
            for key, value in row.items()
            if "gap" in key or key in ("alpha", "objective")
        }
        shown = "  ".join(f"{key} {value:.3g}" for key, value in note.items())
        print(
            f"{row['what']:14s} {row['data']:38s} {row['solver']:38s} "
            f"{row['seconds']:7.3f} s ({row['seconds_min']:.3f} to "
            f"{row['seconds_max']:.3f})  {shown}"
        )
    RESULT.parent.mkdir(exist_ok=True)
    RESULT.write_text(json.dumps(report, indent=1) + "\n")


if __name__ == "__main__":
    main()
