"""Certified frontier: how far methods are above the floor, and how long floors take.

Run as ``python -m benchmarks.certify [methods|search|rivals] [--seconds 30] [--again]
[--python ENV/bin/python]``; all three by default. Results are in
``benchmarks/results``; ``search`` and ``rivals`` are told in `certify_search` and
`certify_rivals`.

``methods`` writes ``benchmarks/results/certify.json``, a data set at a time: one that
is there is not computed again without ``--again``. The columns that each method chooses
on the training rows are given the best linear model that they allow, in the objective
that floors bound: mean logistic loss plus ridge. Of a method that looks at other
columns for other rows, `solvers.methods.linear_choices` says which. Of a method's path,
the best within the budget counts, and all choices are what the search begins with.
There is no test split: a floor says nothing of other rows.
"""

import argparse
import json
import time
import warnings
from pathlib import Path

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from threadpoolctl import threadpool_limits

from benchmarks.certify_rivals import rivals
from benchmarks.certify_search import search
from benchmarks.machine import code_version, machine
from solvers import all_datasets, all_methods, split_dataset
from solvers.certify import RidgeObjective, certified_frontier
from solvers.costs.budgets import room_of
from solvers.methods.linear_choices import chosen_features

RESULTS = Path(__file__).parent / "results" / "certify.json"
RIDGE = 1e-2
TARGET = 0.01
DATASETS = ("heart", "breast_cancer", "published")
BUDGET_SHARES = (0.05, 0.1, 0.25, 0.5, 0.75)


# ------------------------------------------------------------------- methods and floors


def chosen_columns(X, y, hypergraph):
    """Columns that methods choose along their paths, by method, each once."""
    return {
        name: list(chosen_features(method(hypergraph=hypergraph), X, y))
        for name, method in all_methods().items()
    }


def above_floor(X, y, hypergraph, chosen, seconds):
    """A row for each budget and method: gaps as shares of what all features bring."""
    objective = RidgeObjective(X, y, hypergraph, ridge=RIDGE)
    budgets = [share * hypergraph.total_cost for share in BUDGET_SHARES]
    stream = certified_frontier(
        X,
        y,
        hypergraph,
        ridge=RIDGE,
        budgets=budgets,
        tol=TARGET,
        seconds=seconds,
        known=[one for selections in chosen.values() for one in selections],
    )
    last = {one.budget: one for one in stream}
    nothing = np.zeros(hypergraph.n_features, dtype=bool)
    for share, budget in zip(BUDGET_SHARES, budgets, strict=True):
        one = last[budget]
        for name, selections in chosen.items():
            room = room_of(budget)
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


# ------------------------------------------------------------------------------- entry


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("part", nargs="?", choices=["methods", "search", "rivals"])
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--python", help="interpreter that has okridge and l0bnb")
    asked = parser.parse_args()
    with threadpool_limits(1):
        if asked.part in (None, "methods"):
            methods(asked.seconds, asked.again)
        if asked.part in (None, "search"):
            search(asked.seconds, asked.again)
        if asked.part in (None, "rivals"):
            rivals(asked.python)


if __name__ == "__main__":
    main()
