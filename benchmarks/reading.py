"""How long tables of many rows take to be looked at, read and learned from.

Run ``python -m benchmarks.reading [ROWS ...]``: fifty columns of all kinds, as CSV
and as Parquet; each case in a process of its own, whose memory is told. Writes
``benchmarks/results/reading.json``; sizes that are not measured anew stay in it.
"""

import io
import json
import resource
import subprocess
import sys
import time
import warnings
from pathlib import Path

import numpy as np
import pandas as pd

from benchmarks.machine import code_version, machine
from solvers import all_methods, read_table, split_dataset
from solvers.datasets import open_table, planned_columns
from solvers.interchange import MAX_BYTES

RESULTS = Path(__file__).parent / "results" / "reading.json"
ROWS = (10_000, 100_000, 1_000_000)
FORMS = ("csv", "parquet")
METHODS = ("acafh", "l1", "forward_selection", "hypergraph_cascade", "cegb")
MOST_BYTES = 16 * MAX_BYTES  # a million rows are larger than the app takes


def frame(n_rows, seed=0):
    """Return thirty numbers, ten categories, five codes, three dates and two yes/no."""
    rng = np.random.default_rng(seed)
    columns = {f"number{k}": rng.normal(size=n_rows) for k in range(30)}
    for k in range(10):
        columns[f"number{k}"][rng.random(n_rows) < 0.05] = np.nan
        words = np.array([f"w{i}" for i in range(4 + k)], dtype=object)
        columns[f"word{k}"] = words[rng.integers(0, len(words), n_rows)]
    for k in range(5):
        columns[f"code{k}"] = rng.integers(0, 9, n_rows)
    for k in range(3):
        days = rng.integers(0, 5000, n_rows).astype("timedelta64[D]")
        columns[f"day{k}"] = np.datetime64("2010-01-01", "ms") + days
    for k in range(2):
        columns[f"is{k}"] = rng.random(n_rows) < 0.3
    score = columns["number20"] + columns["number21"] + (columns["word0"] == "w1")
    noise = rng.normal(size=n_rows)
    return pd.DataFrame(columns).assign(y=(score + noise > 0.3).astype(int))


def written(n_rows, form):
    """Return the table as a file holds it."""
    if form == "csv":
        return frame(n_rows).to_csv(index=False).encode()
    buffer = io.BytesIO()
    frame(n_rows).to_parquet(buffer, index=False)
    return buffer.getvalue()


def peak():
    """Return the most memory that this process has held, in bytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def case(n_rows, form, method):
    """Return what one process measured."""
    content, before = written(n_rows, form), peak()
    marks = [time.perf_counter()]
    table = open_table(content, max_bytes=MOST_BYTES)
    plans = planned_columns(table, {"y": "label"}, {})
    next(plans)
    marks.append(time.perf_counter())
    n_planned = 1 + len(list(plans))
    marks.append(time.perf_counter())
    dataset = read_table(table, "y")
    marks.append(time.perf_counter())
    found = {
        "rows": n_rows,
        "form": form,
        "megabytes of the file": round(len(content) / 1e6, 1),
        "megabytes of the table": round(8 * n_rows * n_planned / 1e6, 1),
        "seconds to the first column": round(marks[1] - marks[0], 2),
        "seconds to all columns": round(marks[2] - marks[0], 2),
        "seconds to read": round(marks[3] - marks[2], 2),
        "memory over the table": round((peak() - before) / (8 * n_rows * n_planned), 2),
    }
    if method:
        started = time.perf_counter()
        split = split_dataset(dataset)
        estimator = all_methods()[method](split.hypergraph)
        n_points = sum(1 for _ in estimator.path(split.X("train"), split.y("train")))
        seconds = round(time.perf_counter() - started, 1)
        found |= {"method": method, "points": n_points, "seconds to train": seconds}
    return found


def measured(n_rows, form, method=""):
    """Return what a fresh process measures."""
    command = [sys.executable, "-W", "ignore", "-m", "benchmarks.reading", "--case"]
    command += [str(n_rows), form, method]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return json.loads(done.stdout.splitlines()[-1])


def main(sizes):
    """Measure, print and write."""
    known = json.loads(RESULTS.read_text()) if RESULTS.exists() else {"cases": []}
    kept = [one for one in known["cases"] if one["rows"] not in sizes]
    cases = []
    for n_rows in sizes:
        for form, method in [
            *((form, "") for form in FORMS),
            *(("parquet", method) for method in METHODS),
        ]:
            cases.append(measured(n_rows, form, method))
            print(json.dumps(cases[-1]), flush=True)
            # The largest take hours: what is known by then is kept.
            write(sorted([*kept, *cases], key=lambda one: one["rows"]))


def write(cases):
    """Write what was measured, and where."""
    found = {"environment": machine(), "code": code_version(), "cases": cases}
    RESULTS.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    if sys.argv[1:2] == ["--case"]:
        rows, form, method = sys.argv[2:5]
        print(json.dumps(case(int(rows), form, method)))
    else:
        main([int(rows) for rows in sys.argv[1:]] or ROWS)
