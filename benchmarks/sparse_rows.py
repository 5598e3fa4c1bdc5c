"""How long tables of sparse rows take to be read and learned from, and their memory.

Run ``python -m benchmarks.sparse_rows [SIZE ...] [METHOD ...] [--seconds=N]``: sizes
are named as in `SIZES`; each case in a process of its own, which reads the rows from an
archive, prices them by a hypergraph and traces a method as on screen: split, trained,
scored and charged. As in text, a few columns stand in many rows and most in few. Paths
are cut after so many processor seconds, and say so. Writes
``benchmarks/results/sparse_rows.json``; cases that are not measured anew stay in it.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
import warnings
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np
from scipy import sparse

from benchmarks.machine import code_version, machine
from benchmarks.scale import peak_gigabytes, sparse_hypergraph
from solvers import read_table, split_dataset, trace_frontier

RESULTS = Path(__file__).parent / "results" / "sparse_rows.json"
# Rows, columns and values of a row; a table of fewer cells is written out when read.
SIZES = {
    "6000": (6_000, 6_000, 40),
    "20000": (20_000, 20_000, 40),
    "100000": (100_000, 100_000, 100),
}
METHODS = ("l1", "acafh", "forward_selection", "csnb", "cegb")
INFORMATIVE = 200
MOST_SECONDS = 600
MOST_BYTES = 2**30
# What the largest of `SIZES` is to fit in.
MEMORY_TARGET_GB = 4.0


def rows_of(n_rows, n_columns, n_stored, seed=0):
    """Return sparse rows, and labels that a sum of some of their columns tells."""
    rng = np.random.default_rng(seed)
    # The column of rank r stands in a share of the rows that falls as 1 / sqrt(r).
    places = (n_columns * rng.random(n_rows * n_stored) ** 2).astype(np.int32)
    values = 0.5 + rng.exponential(1.0, n_rows * n_stored)
    X = sparse.csr_array(
        (values, places, n_stored * np.arange(n_rows + 1)), (n_rows, n_columns)
    )
    X.sum_duplicates()
    X = X[:, rng.permutation(n_columns)]
    X.sort_indices()
    weights = np.zeros(n_columns)
    often = np.argsort(-np.bincount(X.indices, minlength=n_columns))
    used = rng.choice(often[: n_columns // 5], INFORMATIVE, replace=False)
    weights[used] = rng.normal(size=INFORMATIVE)
    odds = X @ weights
    noise = 0.5 * odds.std() * rng.normal(size=n_rows)
    return X, (odds + noise > np.median(odds)).astype(int)


def write_rows(path, n_rows, n_columns, n_stored):
    """Write rows and labels as one archive."""
    X, y = rows_of(n_rows, n_columns, n_stored)
    parts = {"data": X.data, "indices": X.indices, "indptr": X.indptr}
    np.savez(path, format="csr", shape=X.shape, **parts, ill=y)


def case(path, method, most_seconds):
    """Return what one process measured of an archive that another has written."""
    started = time.process_time()
    n_columns = SIZES[Path(path).stem][1]
    prices = sparse_hypergraph(n_columns)
    dataset = read_table(path, "ill", hypergraph=prices, max_bytes=MOST_BYTES)
    read = time.process_time()
    found = {
        "size": Path(path).stem,
        "method": method,
        "rows": dataset.n_samples,
        "columns that vary": dataset.n_features,
        "values": int(dataset.X.nnz),
        "rows MB": round((dataset.X.nnz * 12 + 4 * dataset.n_samples) / 1e6, 1),
        "processor seconds to read": round(read - started, 1),
        "peak GB after reading": round(peak_gigabytes(), 2),
    }
    n_points, best, most, first = 0, 0.0, 0, None
    for point in trace_frontier(method, dataset, split=split_dataset(dataset)):
        n_points += 1
        first = first or round(time.process_time() - read, 1)
        best = max(best, point.scores["test"]["f1"])
        most = max(most, point.n_features)
        if time.process_time() - read > most_seconds:
            found["stopped"] = f"after {most_seconds} processor seconds"
            break
    return found | {
        "points": n_points,
        "processor seconds to the first": first,
        "processor seconds": round(time.process_time() - read, 1),
        "most features": most,
        "best test F1": round(best, 3),
        "peak GB": round(peak_gigabytes(), 2),
    }


def measured(path, method, most_seconds):
    """Return what a fresh process measures, and the load before; None if it hangs."""
    command = [sys.executable, "-W", "ignore", "-m", "benchmarks.sparse_rows", "--case"]
    load = round(os.getloadavg()[0], 1)
    try:
        done = subprocess.run(
            [*command, str(path), method, str(most_seconds)],
            stdout=subprocess.PIPE,
            text=True,
            check=True,
            timeout=4 * most_seconds,  # by the clock: a path is cut at points alone
            env={**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"},
        )
    except subprocess.TimeoutExpired:
        sys.stderr.write(f"{method} on {path.stem}: cut before it said anything\n")
        return None
    return {**json.loads(done.stdout.splitlines()[-1]), "load before": load}


def main(sizes, methods, most_seconds):
    """Measure, print and write."""
    known = json.loads(RESULTS.read_text()) if RESULTS.exists() else {"cases": []}
    cases = known["cases"]
    with tempfile.TemporaryDirectory() as folder:
        for size in sizes:
            path = Path(folder, f"{size}.npz")
            # Its memory is not that of who reads.
            with ProcessPoolExecutor(1) as writer:
                writer.submit(write_rows, path, *SIZES[size]).result()
            for method in methods:
                case = measured(path, method, most_seconds)
                if case is None:
                    continue
                case |= {"code": code_version()}
                print(json.dumps(case), flush=True)
                cases = [one for one in cases if key(one) != key(case)] + [case]
                write(sorted(cases, key=key))


def key(case):
    """Return what a case is of."""
    return int(case["size"]), case["method"]


def write(cases):
    """Write what was measured, and where."""
    found = {"environment": machine(), "memory target GB": MEMORY_TARGET_GB}
    RESULTS.write_text(json.dumps(found | {"cases": cases}, indent=1) + "\n")


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    if sys.argv[1:2] == ["--case"]:
        print(json.dumps(case(*sys.argv[2:4], int(sys.argv[4]))))
    else:
        parser = argparse.ArgumentParser(description=__doc__)
        parser.add_argument("what", nargs="*", help="sizes, methods")
        parser.add_argument("--seconds", type=int, default=MOST_SECONDS)
        options = parser.parse_args()
        sizes = [word for word in options.what if word in SIZES]
        methods = [word for word in options.what if word not in SIZES]
        main(sizes or SIZES, methods or METHODS, options.seconds)
