"""Certified frontier: how far methods are above the floor, and how long floors take.

Run as ``python -m benchmarks.certify [methods|search] [--seconds 30] [--again]``; both
by default.

``methods`` writes ``benchmarks/results/certify.json``, a data set at a time: one that
is there is not computed again without ``--again``. The columns that each linear method
chooses on the training rows are given the best model that they allow, in the objective
that floors bound: mean logistic loss plus ridge. Of a method's path, the best within
the budget counts. There is no test split: a floor says nothing of other rows.

``search`` prints processor seconds until the gap is 1 % of what features bring.
Features of one source share it and pay for themselves besides; one budget at a time,
nothing known beforehand. A gap that is still open when time is up is printed as open.
"""

import argparse
import json
import time
import warnings
from pathlib import Path

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from benchmarks.machine import code_version, machine
from solvers import (
    FeatureHypergraph,
    LinearClassifier,
    all_datasets,
    all_methods,
    split_dataset,
)
from solvers.certify import RidgeObjective, certified_frontier

RESULTS = Path(__file__).parent / "results" / "certify.json"
SIZES = ((30, 1000), (100, 2000))
SHARES = (0.1, 0.25, 0.4)
RIDGE = 1e-2
TARGET = 0.01
DATASETS = ("heart", "breast_cancer", "published")
BUDGET_SHARES = (0.05, 0.1, 0.25, 0.5, 0.75)


# ------------------------------------------------------------------- methods and floors


def chosen_columns(X, y, hypergraph):
    """Columns that linear methods choose along their paths, by method, each once."""
    found = {}
    for name, method in all_methods().items():
        if issubclass(method, LinearClassifier):
            path = method(hypergraph=hypergraph).path(X, y)
            unique = {one.support_.tobytes(): one.support_ for one in path}
            found[name] = list(unique.values())
    return found


def above_floor(X, y, hypergraph, chosen, seconds):
    """A row for each budget and method: gaps as shares of what all features bring."""
    objective = RidgeObjective(X, y, hypergraph, ridge=RIDGE)
    budgets = [share * hypergraph.total_cost for share in BUDGET_SHARES]
    stream = certified_frontier(
        X, y, hypergraph, ridge=RIDGE, budgets=budgets, tol=TARGET, seconds=seconds
    )
    last = {one.budget: one for one in stream}
    nothing = np.zeros(hypergraph.n_features, dtype=bool)
    for share, budget in zip(BUDGET_SHARES, budgets, strict=True):
        one = last[budget]
        for name, selections in chosen.items():
            room = budget * (1 + 1e-9)
            within = [s for s in [nothing, *selections] if hypergraph.cost(s) <= room]
            best = min(within, key=objective)
            value = objective(best)
            yield {
                "budget": share,
                "method": name,
                "cost": hypergraph.cost(best) / hypergraph.total_cost,
                "objective": value,
                "floor": one.lower,
                "best known": one.upper,
                "above floor at most": max(value - one.lower, 0.0) / one.full_gain,
                "above floor at least": max(value - one.upper, 0.0) / one.full_gain,
                "proven": one.proven,
            }


def measured(name, seconds):
    """All rows of a data set, on the training rows of its first split."""
    split = split_dataset(all_datasets()[name]())
    X = split.X("train")
    y = (split.y("train") == split.dataset.positive).astype(int)
    worked = time.process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        chosen = chosen_columns(X, y, split.hypergraph)
    trained = time.process_time()
    rows = list(above_floor(X, y, split.hypergraph, chosen, seconds))
    return {
        "rows": len(y),
        "columns": X.shape[1],
        "components": split.hypergraph.n_components,
        "ridge": RIDGE,
        "tolerance": TARGET,
        "processor seconds of methods": trained - worked,
        "processor seconds of floors": time.process_time() - trained,
        "code": code_version(),
        "machine": machine(),
        "found": rows,
    }


def methods(seconds, again):
    known = json.loads(RESULTS.read_text("utf-8")) if RESULTS.exists() else {}
    for name in DATASETS:
        if again or name not in known:
            known[name] = measured(name, seconds)
            RESULTS.write_text(json.dumps(known, indent=1) + "\n", "utf-8")
        print(f"{name}: above the floor at most, % of what all features bring")
        for row in known[name]["found"]:
            state = "proven" if row["proven"] else "open"
            print(
                f"  {row['budget']:.0%} {row['method']}: "
                f"{row['above floor at most']:.2%}, {state}"
            )


# ------------------------------------------------------------------------------- search


def sources(m, n, seed=1):
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


def search(seconds):
    print("m, n, budget: gap, proven or open, nodes, processor s, wall s")
    for m, n in SIZES:
        X, y, hypergraph = sources(m, n)
        for share in SHARES:
            budget = share * hypergraph.total_cost
            began, worked = time.perf_counter(), time.process_time()
            *_, last = certified_frontier(
                X,
                y,
                hypergraph,
                ridge=RIDGE,
                budgets=[budget],
                tol=TARGET,
                seconds=seconds,
            )
            wall = time.perf_counter() - began
            busy = time.process_time() - worked
            state = "proven" if last.proven else "open"
            print(
                f"{m}, {n}, {share:.0%}: {last.gap:.2%}, {state}, {last.nodes}, "
                f"{busy:.1f}, {wall:.1f}"
            )


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("part", nargs="?", choices=["methods", "search"])
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--again", action="store_true")
    asked = parser.parse_args()
    if asked.part != "search":
        methods(asked.seconds, asked.again)
    if asked.part != "methods":
        search(asked.seconds)


if __name__ == "__main__":
    main()
