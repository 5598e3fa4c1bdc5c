"""How long a slider move at λ takes to be solved at 100,000 rows of fifty columns.

Run ``python -m benchmarks.moves``: λ goes over its range in an order of chance, each
solved on data that are prepared, as behind the slider. By the clock and by the
processor's time, which other work lengthens less. Writes
``benchmarks/results/moves.json``.
"""

import json
import time
from pathlib import Path

import numpy as np

from benchmarks.machine import code_version, machine
from solvers import FeatureHypergraph
from solvers.methods.acafh import ACAFHClassifier

RESULTS = Path(__file__).parent / "results" / "moves.json"
ROWS, FEATURES, SHARED, SHARED_BY, INFORMATIVE = 100_000, 50, 12, 8, 20
ALPHAS = np.geomspace(1e-4, 3e-2, 20)  # from 20 features to one
TARGET_MS = 300.0


def prepared(seed=0):
    """Return data that are ready to be solved at any λ, warmed up by one."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(ROWS, FEATURES))
    shared = np.zeros((SHARED, FEATURES), dtype=bool)
    for component in shared:
        component[rng.choice(FEATURES, SHARED_BY, replace=False)] = True
    incidence = np.vstack([shared, np.eye(FEATURES, dtype=bool)])
    costs = 0.2 + rng.exponential(1.0, SHARED + FEATURES)
    weights = np.zeros(FEATURES)
    used = rng.choice(FEATURES, INFORMATIVE, replace=False)
    weights[used] = rng.normal(size=INFORMATIVE)
    y = X @ weights + rng.normal(size=ROWS) > 0
    found = ACAFHClassifier(FeatureHypergraph(incidence, costs)).prepare(X, y)
    found.at(alpha=1e-3)
    return found


def main():
    """Measure, print and write."""
    data, moves = prepared(), []
    for alpha in np.random.default_rng(0).permutation(ALPHAS):
        started, worked = time.perf_counter(), time.process_time()
        model = data.at(alpha=float(alpha))
        milliseconds = 1e3 * (time.perf_counter() - started)
        moves.append(
            {
                "alpha": float(alpha),
                "features": int(model.support_.sum()),
                "objective": round(model.objective_, 7),
                "ms": round(milliseconds),
                "processor ms": round(1e3 * (time.process_time() - worked)),
            }
        )
    found = {
        "environment": machine(),
        "code": code_version(),
        "target ms": TARGET_MS,
        "median ms": float(np.median([move["ms"] for move in moves])),
        "median processor ms": float(
            np.median([move["processor ms"] for move in moves])
        ),
        "moves": sorted(moves, key=lambda move: move["alpha"]),
    }
    print(json.dumps(found, indent=1))
    RESULTS.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
