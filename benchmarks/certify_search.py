"""Time until a certified floor is within 1 % of the best selection known.

Features of one source share it and pay for themselves besides; one budget at a time,
nothing known beforehand. Labels of the bundled *sources* hang on all features. A gap
that is still open when time is up is recorded as open. The search stops by the
processor's clock here, so that other work on the machine takes nothing from it. A size
that is there is not computed again without ``--again``.
"""

import json
import time
from functools import partial
from pathlib import Path
from unittest import mock

import numpy as np

from benchmarks.machine import code_version, machine
from solvers import FeatureHypergraph, all_datasets, split_dataset
from solvers.certify import certified_frontier

RESULTS = Path(__file__).parent / "results" / "certify_search.json"
SIZES = ((16, 1000), (30, 1000), (100, 2000), (1000, 2000))
SEEDS = {16: (1, 2, 3), 30: (1, 2, 3), 100: (1, 2, 3, 4, 5), 1000: (1, 2)}
SHARES = (0.1, 0.25, 0.4)
RIDGE, TARGET = 1e-2, 0.01


def sources(m, n, seed):
    """Planted weights on independent columns, five of a source."""
    rng = np.random.default_rng(seed)
    k = m // 5
    incidence = np.zeros((k + m, m), dtype=bool)
    incidence[rng.integers(k, size=m), range(m)] = True
    incidence[k + np.arange(m), range(m)] = True
    costs = np.concatenate([rng.uniform(2, 6, k), rng.uniform(0.2, 1, m)])
    X, weights = rng.standard_normal((n, m)), np.zeros(m)
    weights[rng.choice(m, 15, replace=False)] = rng.standard_normal(15)
    y = (rng.random(n) < 1 / (1 + np.exp(-X @ weights))).astype(int)
    return X, y, FeatureHypergraph(incidence, costs)


def bundled(seed):
    """The bundled sources, of which as many rows train as the page takes."""
    split = split_dataset(all_datasets()["sources"](random_state=seed))
    X, y = split.X("train")[:2000], split.y("train")[:2000]
    return X, (y == split.dataset.positive).astype(int), split.hypergraph


# By name: how a table is made, of which seeds, and the budgets that are asked for.
CASES = {
    f"{m} features, {n} rows": (partial(sources, m, n), SEEDS[m], SHARES)
    for m, n in SIZES
} | {"bundled *sources*, 2000 rows": (bundled, (0, 1), (0.25, 0.5))}


def timed(table, seed, share, seconds):
    """One search: its first gap, its last, nodes, and how long it took."""
    X, y, hypergraph = table
    began, worked = time.perf_counter(), time.process_time()
    asked = {"ridge": RIDGE, "tol": TARGET, "seconds": seconds}
    with mock.patch("time.perf_counter", time.process_time):
        budgets = [share * hypergraph.total_cost]
        found = list(certified_frontier(X, y, hypergraph, budgets=budgets, **asked))
    return {
        "seed": seed,
        "budget": share,
        "root gap": found[0].gap,
        "gap": found[-1].gap,
        "proven": found[-1].proven,
        "nodes": found[-1].nodes,
        "processor seconds": time.process_time() - worked,
        "wall seconds": time.perf_counter() - began,
    }


def search(seconds, again):
    known = json.loads(RESULTS.read_text("utf-8")) if RESULTS.exists() else {}
    for name, (made, seeds, shares) in CASES.items():
        if again or name not in known:
            known[name] = {
                "seconds": seconds,
                "code": code_version(),
                "machine": machine(),
                "found": [
                    timed(made(seed), seed, share, seconds)
                    for seed in seeds
                    for share in shares
                ],
            }
            RESULTS.write_text(json.dumps(known, indent=1) + "\n", "utf-8")
        print(f"{name}: budget, seed, gap, nodes, processor s, wall s")
        for row in known[name]["found"]:
            state = "proven" if row["proven"] else "open"
            print(
                f"  {row['budget']:.0%}, {row['seed']}: {row['gap']:.2%} {state}, "
                f"{row['nodes']}, {row['processor seconds']:.1f}, "
                f"{row['wall seconds']:.1f}"
            )
