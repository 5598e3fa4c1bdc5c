"""Which tests to order: every method beside the best of all 8,192 selections.

Run as ``python -m benchmarks.heart``. On each of ten splits a logistic regression of
every selection of the thirteen tests is fitted on training rows and its threshold tuned
on validation rows, as for every method. Two references come of it: the selection that
validation rows choose of all that the budget pays for, which is what an exhaustive
search would have bought, and the one selection that is best on the test rows of all
splits together, which nobody can choose beforehand.
"""

import argparse
import json
import time
from pathlib import Path

import numpy as np
from scipy.special import expit

from benchmarks.machine import code_version, machine
from solvers import Frontier, all_methods, free_scores, split_dataset, trace_frontier
from solvers.costs.budgets import room_of
from solvers.datasets import make_heart
from solvers.decisions.scores import best_threshold

RESULTS = Path(__file__).parent / "results" / "heart.json"
BUDGETS = (5.0, 20.0, 50.0, 120.0, 324.0)
SEEDS = range(10)
RIDGE = 1.0  # what scikit-learn's LogisticRegression takes
STEPS = 30
BATCH = 512


def all_selections(n_features):
    """Every selection, the empty one first.

    Shape: (2 ** n_features, n_features).
    """
    numbers = np.arange(2**n_features)[:, None]
    return (numbers >> np.arange(n_features) & 1).astype(bool)


def fitted(X, y, columns):
    """Weights of a ridge-penalised logistic regression of each selection of columns.

    Newton's method, many problems at once. The intercept is last and not penalised.
    Shapes: `X` (n, p), `columns` (k, p) -> (k, p + 1).
    """
    rows = np.column_stack([X, np.ones(len(X))])
    products = (rows[:, :, None] * rows[:, None, :]).reshape(len(rows), -1)
    kept = np.column_stack([columns, np.ones(len(columns), dtype=bool)])
    penalty = np.append(np.full(X.shape[1], RIDGE), 0.0)
    found = np.empty((len(kept), rows.shape[1]))
    for start in range(0, len(kept), BATCH):
        batch = kept[start : start + BATCH]
        found[start : start + BATCH] = _newton(rows, products, y, batch, penalty)
    return found


def _newton(rows, products, y, kept, penalty):
    weights = np.zeros(kept.shape)
    free = kept[:, :, None] & kept[:, None, :]
    for _ in range(STEPS):
        likely = expit(weights @ rows.T)
        slope = ((likely - y) @ rows + penalty * weights) * kept
        if np.abs(slope).max() < 1e-8:
            return weights
        curvature = ((likely * (1 - likely)) @ products).reshape(free.shape)
        curvature = np.where(free, curvature + np.diag(penalty), np.eye(len(penalty)))
        weights = weights - np.linalg.solve(curvature, slope[:, :, None])[:, :, 0]
    raise RuntimeError("Newton's method did not come to rest.")


def enumerated(dataset, seed):
    """Validation and test F1 of the logistic regression of every selection of tests.

    Shapes: two of (2 ** n_features,).
    """
    split = split_dataset(dataset, seed)
    train = split.X("train")
    centre, spread = train.mean(axis=0), train.std(axis=0)
    spread[spread == 0] = 1.0
    tables = {
        p: (split.X(p) - centre) / spread for p in ("train", "validation", "test")
    }
    truth = {p: split.y(p) == dataset.positive for p in tables}
    selections = all_selections(dataset.n_features)
    columns = selections[:, split.encoder.column_of_]
    weights = fitted(tables["train"], truth["train"].astype(float), columns)
    beliefs = {
        p: weights[:, :-1] @ tables[p].T + weights[:, -1:]
        for p in ("validation", "test")
    }
    cuts = [best_threshold(row, truth["validation"]) for row in beliefs["validation"]]
    return tuple(_f1(beliefs[p] >= np.array(cuts)[:, None], truth[p]) for p in beliefs)


def _f1(called, truth):
    return 2 * (called & truth).sum(axis=1) / (called.sum(axis=1) + truth.sum())


def of_methods(dataset, seed, names):
    """Test F1 of what each budget buys of each method, and processor seconds."""
    floor = free_scores(split_dataset(dataset, seed))
    found = {}
    for name in names:
        began = time.process_time()
        points = trace_frontier(name, dataset, random_state=seed)
        frontier = Frontier(points, "max", floor=floor)
        bought = [frontier.best_within(budget) for budget in BUDGETS]
        scores = [p.scores["test"]["f1"] if p else floor["test"] for p in bought]
        found[name] = {"f1": scores, "seconds": time.process_time() - began}
    return found


def measure(dataset, seeds, names):
    """Everything that the page tells, for people and for ``docs.tables``."""
    selections = all_selections(dataset.n_features)
    costs = dataset.hypergraph.cost_rows(selections)
    runs, chosen, test_scores = [], [], []
    began = time.process_time()
    for seed in seeds:
        validation, test = enumerated(dataset, seed)
        # Of equals the cheapest, as for every method.
        order = np.lexsort((costs, -validation))
        chosen.append(
            [test[order[costs[order] <= room_of(budget)][0]] for budget in BUDGETS]
        )
        test_scores.append(test)
    seconds = time.process_time() - began
    for seed in seeds:
        runs.append(of_methods(dataset, seed, names))
        print(f"seed {seed}: {sum(run['seconds'] for run in runs[-1].values()):.0f} s")
    mean_test = np.mean(test_scores, axis=0)
    best = [int(np.argmax(np.where(costs <= b, mean_test, -1.0))) for b in BUDGETS]
    return {
        "environment": machine() | {"code": code_version()},
        "budgets": list(BUDGETS),
        "seeds": list(seeds),
        "enumeration": {
            "selections": len(selections),
            "processor seconds": round(seconds, 1),
            "chosen on validation rows": np.round(chosen, 4).T.tolist(),
            "best in hindsight": [
                {
                    "tests": [
                        dataset.feature_names[j] for j in np.flatnonzero(selections[i])
                    ],
                    "cost": round(float(costs[i]), 2),
                    "f1": np.round([test[i] for test in test_scores], 4).tolist(),
                }
                for i in best
            ],
        },
        "methods": {
            name: {
                "f1": np.round([run[name]["f1"] for run in runs], 4).T.tolist(),
                "processor seconds": round(
                    float(np.mean([run[name]["seconds"] for run in runs])), 2
                ),
            }
            for name in names
        },
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--methods", default=",".join(all_methods()))
    parser.add_argument("--seeds", type=int, default=len(SEEDS))
    given = parser.parse_args()
    found = measure(make_heart(), range(given.seeds), given.methods.split(","))
    RESULTS.write_text(json.dumps(found, indent=1) + "\n", "utf-8")
    reference = np.mean(found["enumeration"]["chosen on validation rows"], axis=1)
    print(f"{'enumeration':20}", np.round(reference, 3))
    for name, run in found["methods"].items():
        print(f"{name:20}", np.round(np.mean(run["f1"], axis=1), 3))


if __name__ == "__main__":
    main()
