"""ACAFH at scale: seconds and peak memory of a path against features and rows.

Run as ``python -m benchmarks.scale``; writes ``benchmarks/results/scale.json``. The
table is float32, the hypergraph sparse: a fifth as many shared components as features,
each needed by eight of them, and one component a feature of its own. Each size runs in
a process of its own, whose peak memory includes the table itself (named beside it).
There is no test split: this times the solver. Making the data is not timed.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from scipy import sparse

from benchmarks.machine import code_version, machine
from benchmarks.sources import sources_of
from solvers import FeatureHypergraph, read_hif, write_hif
from solvers.methods.acafh import ACAFHClassifier

RESULTS = Path(__file__).parent / "results" / "scale.json"
SIZES = (1_000, 10_000, 100_000)
ROWS = 5_000
# Against the number of rows, at so many features.
ROW_SIZES, AT_FEATURES = (1_250, 2_500, 5_000, 10_000), 10_000
N_ALPHAS = 30
INFORMATIVE = 20
SHARED_BY = 8

# What training at the largest size, and reading a hypergraph of it, may take.
MEMORY_TARGET_GB = 8.0
READING_TARGET_SECONDS = 5.0
# Reading: so many features with so many shared needs are a million incidences.
READ_FEATURES, READ_SHARED_BY = 100_000, 45


def sparse_hypergraph(n_features, shared_by=SHARED_BY, seed=0):
    rng = np.random.default_rng(seed)
    n_shared = n_features // 5
    rows = np.repeat(np.arange(n_shared), shared_by)
    columns = rng.integers(0, n_features, len(rows))
    shared = sparse.coo_array(
        (np.ones(len(rows), dtype=bool), (rows, columns)), (n_shared, n_features)
    )
    own = sparse.eye_array(n_features, dtype=bool)
    costs = 0.2 + rng.exponential(1.0, n_shared + n_features)
    return FeatureHypergraph(sparse.vstack([shared, own]).tocsr(), costs)


def table(n_rows, n_features, seed=0):
    """Normal columns in single precision, made in strips so that no copy is needed."""
    rng = np.random.default_rng(seed)
    X = np.empty((n_rows, n_features), dtype=np.float32)
    for start in range(0, n_rows, 500):
        strip = X[start : start + 500]
        strip[:] = rng.standard_normal(strip.shape, dtype=np.float32)
    weights = np.zeros(n_features, dtype=np.float32)
    used = rng.choice(n_features, INFORMATIVE, replace=False)
    weights[used] = rng.standard_normal(INFORMATIVE)
    return X, X @ weights + rng.standard_normal(n_rows) > 0


def peak_gigabytes():
    """Return the most memory that this process itself has held."""
    # ru_maxrss begins with what the parent held when it started this process.
    status = Path("/proc/self/status")
    if status.exists():
        (line,) = (x for x in status.read_text().splitlines() if x.startswith("VmHWM"))
        return int(line.split()[1]) / 2**20
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20


def one(n_features, n_rows):
    """Trace one path, and say what it took."""
    hypergraph = sparse_hypergraph(n_features)
    X, y = table(n_rows, n_features)
    before = peak_gigabytes()
    started, worked = time.perf_counter(), time.process_time()
    costs = [
        model.cost_
        for model in ACAFHClassifier(hypergraph, n_alphas=N_ALPHAS).path(X, y)
    ]
    return {
        "features": n_features,
        "rows": n_rows,
        "components": hypergraph.n_components,
        "incidences": int(hypergraph.incidence.nnz),
        "models": len(costs),
        "costliest model, share of the full cost": max(costs) / hypergraph.total_cost,
        "seconds": time.perf_counter() - started,
        "processor seconds": time.process_time() - worked,
        "table GB": X.nbytes / 2**30,
        "peak GB before": before,
        "peak GB": peak_gigabytes(),
    }


def in_a_process(n_features, n_rows):
    done = subprocess.run(
        [
            *(sys.executable, "-m", "benchmarks.scale"),
            *(f"--one={n_features}", f"--rows={n_rows}"),
        ],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"},
    )
    return json.loads(done.stdout)


def reading():
    hypergraph = sparse_hypergraph(READ_FEATURES, READ_SHARED_BY)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "hypergraph.json"
        write_hif(hypergraph, path)
        started, worked = time.perf_counter(), time.process_time()
        read_hif(path)
        return {
            "incidences": int(hypergraph.incidence.nnz),
            "file MB": path.stat().st_size / 2**20,
            "seconds": time.perf_counter() - started,
            "processor seconds": time.process_time() - worked,
            "target seconds": READING_TARGET_SECONDS,
        }


def traced(sizes):
    rows = []
    for n_features, n_rows in sizes:
        rows.append(in_a_process(n_features, n_rows))
        print(rows[-1], flush=True)
    return rows


def slope(rows):
    """Exponent of processor time in the size of the table; 1 is linear."""
    sizes = [row["features"] * row["rows"] for row in rows]
    seconds = [row["processor seconds"] for row in rows]
    return float(np.polyfit(np.log(sizes), np.log(seconds), 1)[0])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--one", type=int, help="one size, in this process")
    parser.add_argument("--rows", type=int, default=ROWS)
    parser.add_argument("--most", type=int, default=SIZES[-1], help="most features")
    parser.add_argument("--output", type=Path, default=RESULTS)
    options = parser.parse_args()
    if options.one:
        print(json.dumps(one(options.one, options.rows)))
        return
    results = {
        "environment": machine(),
        "code": code_version(),
        "sources": sources_of([ACAFHClassifier.__module__, read_hif.__module__]),
        "memory target GB": MEMORY_TARGET_GB,
        "reading": reading(),
    }
    print(results["reading"], flush=True)
    grids = {
        "features": [(m, options.rows) for m in SIZES if m <= options.most],
        "rows": [(AT_FEATURES, n) for n in ROW_SIZES if AT_FEATURES <= options.most],
    }
    for name, sizes in grids.items():
        results[name] = traced(sizes)
        if len(sizes) > 1:
            results[f"exponent in {name}"] = slope(results[name])
            print(name, results[f"exponent in {name}"], flush=True)
    options.output.write_text(json.dumps(results, indent=1) + "\n")


if __name__ == "__main__":
    main()
