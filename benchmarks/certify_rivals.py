"""Certified floors beside OKRidge, l0bnb and abess, where no component is shared.

Planted weights on independent columns, each of cost 1: a budget is a number of columns.
The three prove or look for something else, and that is said:

* ours bounds the mean logistic loss plus ridge of any k columns;
* OKRidge bounds the squared loss plus ridge of any k columns;
* l0bnb bounds the squared loss plus ridge plus a price for each column, which is chosen
  so that k columns are about what it buys; the price is part of its objective. It is
  told the columns of forward selection to begin with;
* abess proves nothing: its k columns are weighed in our objective, above our floor.

A gap is a share of what all columns lower each one's own loss plus ridge, so that they
can stand beside each other; all of them are asked for the same gap. How ours narrows is
recorded, for three times as long as the others have: what it is at the moment when
another ends, and when it is where that one ended. Labels are -1 and 1 for squared
losses, whose ridge is four times ours, as the curvature of the logistic loss is at most
a quarter.

Run as ``python -m benchmarks.certify rivals --python ENV/bin/python``: OKRidge and
l0bnb need numpy 1, so they live in an environment of their own (``pip install okridge
l0bnb requests "numpy<2"``) and run there, on the same columns. All of them stop by the
processor's clock, on one thread, so other work takes nothing from any of them. Rows of
those that are not installed stay as an earlier run recorded them, and say so.
"""

import argparse
import json
import os
import subprocess
import tempfile
import time
from importlib.util import find_spec
from pathlib import Path
from unittest import mock

import numpy as np

RESULTS = Path(__file__).parent / "results" / "certify_rivals.json"
ROWS, COLUMNS, SEEDS, SIZES = 2000, 100, (1, 2), (5, 10, 20)
RIDGE, SECONDS, TIGHT = 1e-2, 10.0, 1e-6
LONGER = 3  # times what the others have: so late ours is looked at
ELSEWHERE = ("okridge", "l0bnb")  # run in an environment of their own


def table(seed):
    rng = np.random.default_rng(seed)
    X, weights = rng.standard_normal((ROWS, COLUMNS)), np.zeros(COLUMNS)
    weights[rng.choice(COLUMNS, 15, replace=False)] = rng.standard_normal(15)
    y = rng.random(ROWS) < 1 / (1 + np.exp(-X @ weights))
    return (X - X.mean(axis=0)) / X.std(axis=0), np.where(y, 1.0, -1.0)


# ----------------------------------------------------------- in the rivals' environment


def squared(X, y, columns):
    """Sum of squares plus ridge of some columns, halved."""
    if not len(columns):
        return 0.5 * float(y @ y)
    Z, ridge = X[:, columns], 4 * RIDGE * len(y)
    w = np.linalg.solve(Z.T @ Z + ridge * np.eye(len(columns)), Z.T @ y)
    return 0.5 * float(((y - Z @ w) ** 2).sum() + ridge * w @ w)


def forward(X, y, k):
    """Columns by forward selection, and a price between what the last two bring."""
    chosen, values = [], [squared(X, y, [])]
    for _ in range(k + 1):
        left = [j for j in range(X.shape[1]) if j not in chosen]
        chosen.append(min(left, key=lambda j: squared(X, y, [*chosen, j])))
        values.append(squared(X, y, chosen))
    brought = -np.diff(values)
    return chosen[:k], float(np.sqrt(brought[k - 1] * brought[k]))


def weights_of(X, y, columns):
    """Weights of all columns, those of a ridge on some of them."""
    Z, weights = X[:, columns], np.zeros(X.shape[1])
    ridge = 4 * RIDGE * len(y)
    weights[columns] = np.linalg.solve(Z.T @ Z + ridge * np.eye(len(columns)), Z.T @ y)
    return weights


def okridge(X, y, k, full):
    from okridge.tree import BNBTree

    tree = BNBTree(X, y - y.mean(), lambda2=4 * RIDGE * len(y), max_memory_GB=2)
    upper, _, _, lower, seconds = tree.solve(k, gap_tol=TIGHT, time_limit=SECONDS)
    return {"gap": (upper - lower) / (2 * full), "seconds": seconds, "columns": k}


def l0bnb(X, y, k, full):
    from l0bnb import BNBTree

    BNBTree(X[:50, :5], y[:50]).solve(1.0, 1.0, 5.0)  # compiled before it is timed
    centred, ridge = y - y.mean(), 4 * RIDGE * len(y)
    chosen, price = forward(X, centred, k)
    asked = {
        "l0": price,
        "l2": ridge / 2,
        "m": 2 * np.abs(weights_of(X, centred, np.arange(X.shape[1]))).max(),
        "warm_start": weights_of(X, centred, chosen),
        "gap_tol": TIGHT,
        "time_limit": SECONDS,
    }
    began = time.time()
    found = BNBTree(np.asfortranarray(X), centred).solve(**asked)
    return {
        "gap": abs(found.cost) * found.gap / full,
        "seconds": time.time() - began,
        "columns": int(np.count_nonzero(found.beta)),
    }


def in_their_environment(path):
    data = np.load(path)
    X, y, k = data["X"], data["y"], int(data["k"])
    centred = y - y.mean()
    full = squared(X, centred, []) - squared(X, centred, range(X.shape[1]))
    time.time = time.process_time  # what both of them stop by
    for solve in (okridge, l0bnb):
        print(json.dumps({"solver": solve.__name__, **solve(X, y, k, full)}))


# --------------------------------------------------------------------------- in our own


def ours(X, y, k):
    from solvers import FeatureHypergraph
    from solvers.certify import certified_frontier

    graph = FeatureHypergraph.independent(np.ones(COLUMNS))
    with mock.patch("time.perf_counter", time.process_time):
        stream = certified_frontier(
            X, y, graph, ridge=RIDGE, budgets=[k], tol=TIGHT, seconds=LONGER * SECONDS
        )
        found = list(stream)
    narrowed = [(one.seconds, one.gap) for one in found]
    seconds, gap = max(one for one in narrowed if one[0] <= SECONDS)
    told = {"gap": gap, "seconds": seconds, "columns": k, "narrowed": narrowed}
    return found[-1], {"solver": "ours", **told}


def abess(X, y, k, last):
    from abess import LogisticRegression

    from solvers import FeatureHypergraph
    from solvers.certify import RidgeObjective

    graph = FeatureHypergraph.independent(np.ones(COLUMNS))
    began = time.process_time()
    model = LogisticRegression(support_size=k).fit(X, (y > 0).astype(int))
    told = {"seconds": time.process_time() - began, "columns": k}
    chosen = np.flatnonzero(model.coef_)
    value = RidgeObjective(X, y, graph, ridge=RIDGE)(chosen)
    return {"solver": "abess", "gap": (value - last.lower) / last.full_gain, **told}


def theirs(X, y, k, python):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "table.npz"
        np.savez(path, X=X, y=y, k=k)
        command = [python, __file__, str(path)]
        threads = {name: "1" for name in ("OMP_NUM_THREADS", "NUMBA_NUM_THREADS")}
        run = subprocess.run(
            command,
            capture_output=True,
            text=True,
            check=True,
            env=os.environ | threads,
        )
    return [json.loads(line) for line in run.stdout.splitlines() if line[:1] == "{"]


def recorded(seed, k, solvers):
    """Rows of solvers that are not here, as an earlier run wrote them."""
    if not RESULTS.exists():
        return []
    record = json.loads(RESULTS.read_text("utf-8"))
    return [
        {"recorded with": record["code"], **row}
        for row in record["found"]
        if (row["seed"], row["k"]) == (seed, k) and row["solver"] in solvers
    ]


def rivals(python=None):
    """Write all rows; those of solvers that are not here stay as recorded."""
    from benchmarks.machine import code_version, machine

    missing = () if find_spec("abess") else ("abess",)
    missing += () if python else ELSEWHERE
    rows = []
    for seed in SEEDS:
        X, y = table(seed)
        for k in SIZES:
            last, own = ours(X, y, k)
            told = [own, *recorded(seed, k, missing)]
            if "abess" not in missing:
                told.insert(1, abess(X, y, k, last))
            if python:
                told += theirs(X, y, k, python)
            rows += [{"seed": seed, "k": k, **one} for one in told]
            print(*rows[-len(told) :], sep="\n")
    if missing:
        print(f"Not here, so as an earlier run recorded them: {', '.join(missing)}.")
    record = {
        "code": code_version(),
        "machine": machine(),
        "asked gap": TIGHT,
        "found": rows,
    }
    RESULTS.write_text(json.dumps(record, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("table", help="what `theirs` wrote")
    in_their_environment(parser.parse_args().table)
