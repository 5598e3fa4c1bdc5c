"""How long tables of many rows take to be looked at, read and learned from.

Run ``python -m benchmarks.reading [ROWS ...] [METHOD ...] [--seconds=N]`` ("none": no
method): fifty columns of all kinds, as CSV and as Parquet; each case in a process of
its own, whose memory is told. Methods are traced as on screen: split, trained, scored
and charged. Traces are cut after so many seconds, and say so. Writes
``benchmarks/results/reading.json``; cases that are not measured anew stay in it.
"""

import argparse
import io
import json
import resource
import subprocess
import sys
import tempfile
import time
import warnings
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np
import pandas as pd

from benchmarks.machine import code_version, machine
from solvers import preview_table, read_table, split_dataset, trace_frontier
from solvers.costs.interchange import MAX_BYTES
from solvers.datasets import head_table, open_table, planned_columns
from solvers.datasets.freed_memory import give_back_memory

RESULTS = Path(__file__).parent / "results" / "reading.json"
ROWS = (10_000, 100_000, 1_000_000)
FORMS = ("csv", "parquet")
METHODS = ("acafh", "l1", "forward_selection", "hypergraph_cascade", "cegb")
MOST_BYTES = 16 * MAX_BYTES  # a million rows are larger than the app takes
MOST_SECONDS = 60  # of one trace


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


def case(path, method, most_seconds):
    """Return what one process measured of a file that another has written."""
    n_rows, form = int(Path(path).stem), Path(path).suffix[1:]
    started, before = time.perf_counter(), peak()
    head = head_table(path, MOST_BYTES)
    preview_table(head)
    next(planned_columns(head, {"y": "label"}, {}))
    previewed = time.perf_counter()
    table = open_table(path, MOST_BYTES)
    opened = time.perf_counter()
    n_planned = len(list(planned_columns(table, {"y": "label"}, {})))
    planned = time.perf_counter()
    dataset = read_table(table, "y")
    read = time.perf_counter()
    n_bytes = 8 * n_rows * n_planned
    found = {
        "rows": n_rows,
        "form": form,
        "megabytes of the file": round(Path(path).stat().st_size / 1e6, 1),
        "megabytes of the table": round(n_bytes / 1e6, 1),
        "seconds to a preview": round(previewed - started, 2),
        "seconds to open": round(opened - previewed, 2),
        "seconds to plan all columns": round(planned - opened, 2),
        "seconds to the data set": round(read - planned, 2),
        "memory over the table": round((peak() - before) / n_bytes, 2),
    }
    if method:
        del table, head
        give_back_memory()
        found |= {"method": method, **traced(dataset, method, most_seconds)}
        found["memory of all over the table"] = round((peak() - before) / n_bytes, 2)
    return found


def traced(dataset, method, most_seconds):
    """Return how long a trace takes, or how much of it there is within the limit."""
    started = time.perf_counter()
    split = split_dataset(dataset)
    n_encoded = split.X("train").shape[1]
    encoded = time.perf_counter()
    n_points, best, first = 0, 0.0, None
    for point in trace_frontier(method, dataset, split=split):
        n_points += 1
        first = first or time.perf_counter() - encoded
        best = max(best, point.scores["test"]["f1"])
        if time.perf_counter() - encoded > most_seconds:
            break
    seconds = time.perf_counter() - encoded
    is_whole = seconds <= most_seconds
    return {
        "encoded columns": n_encoded,
        "seconds to encode": round(encoded - started, 1),
        "seconds to the first point": round(first or seconds, 1),
        "points": n_points,
        "seconds to trace": round(seconds, 1),
        "best test F1": round(best, 3),
        **({} if is_whole else {"stopped": f"after {most_seconds} s"}),
    }


def measured(path, method="", most_seconds=MOST_SECONDS):
    """Return what a fresh process measures; None where it takes far too long."""
    command = [sys.executable, "-W", "ignore", "-m", "benchmarks.reading", "--case"]
    try:
        done = subprocess.run(
            [*command, str(path), method, str(most_seconds)],
            capture_output=True,
            text=True,
            check=True,
            timeout=4 * most_seconds,
        )
    except subprocess.TimeoutExpired:
        told = {"method": method} if method else {}
        return {"rows": int(path.stem), "form": path.suffix[1:], **told} | {
            "stopped": f"after {4 * most_seconds} s, without a point"
        }
    return json.loads(done.stdout.splitlines()[-1])


def main(sizes, methods, most_seconds):
    """Measure, print and write."""
    known = json.loads(RESULTS.read_text()) if RESULTS.exists() else {"cases": []}
    cases = known["cases"]
    with tempfile.TemporaryDirectory() as folder:
        for n_rows in sizes:
            paths = [Path(folder, f"{n_rows}.{form}") for form in FORMS]
            for path in paths:
                # Its memory is not that of who reads.
                with ProcessPoolExecutor(1) as writer:
                    writer.submit(write_file, path, n_rows).result()
            wanted = [(path, "") for path in paths]
            wanted += [(paths[-1], method) for method in methods]
            for path, method in wanted:
                case = measured(path, method, most_seconds)
                print(json.dumps(case), flush=True)
                cases = [one for one in cases if key(one) != key(case)] + [case]
                # The largest take hours: what is known by then is kept.
                write(sorted(cases, key=key))


def key(case):
    """Return what a case is of."""
    return case["rows"], case.get("method", ""), case["form"]


def write_file(path, n_rows):
    """Write a table."""
    path.write_bytes(written(n_rows, path.suffix[1:]))


def write(cases):
    """Write what was measured, and where."""
    told = json.loads(RESULTS.read_text()).get("note") if RESULTS.exists() else None
    found = {"note": told} if told else {}
    found |= {"environment": machine(), "code": code_version(), "cases": cases}
    RESULTS.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    if sys.argv[1:2] == ["--case"]:
        print(json.dumps(case(*sys.argv[2:4], int(sys.argv[4]))))
    else:
        parser = argparse.ArgumentParser(description=__doc__)
        parser.add_argument("what", nargs="*", help="rows, methods, or none")
        parser.add_argument("--seconds", type=int, default=MOST_SECONDS)
        options = parser.parse_args()
        sizes = [int(word) for word in options.what if word.isdigit()]
        named = [word for word in options.what if not word.isdigit()]
        chosen = [word for word in named if word != "none"]
        main(sizes or ROWS, chosen if named else METHODS, options.seconds)
