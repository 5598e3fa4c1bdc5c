"""The hypergraph cascade beside every other method, under one rule for all.

Run as ``python -m benchmarks.hypergraph_cascade``; writes
``benchmarks/results/hypergraph_cascade.json`` and, for the docs, ``.md`` beside it.
``--tiny`` runs every line on a few rows, to see that it works; ``--worlds`` and
``--seeds`` run a part.

The rule: a method is trained on training rows; each of its models (all variants, all
points of their paths) has its threshold tuned and its cost measured on validation rows;
within a budget the model of the best validation score is taken; test rows report only.
The answer that computes nothing is free for everybody. Methods of the library that are
not there are left out; those that cannot take a data set are named with the reason.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path

import numpy as np
from sklearn.base import clone
from threadpoolctl import threadpool_limits

from benchmarks.machine import machine
from solvers import all_datasets
from solvers.methods.hypergraph_cascade import HypergraphCascadeClassifier

from .comparison import SHARES, compare, markdown, paired
from .worlds import NEEDS, WORLDS

RESULTS = Path(__file__).parents[1] / "results" / "hypergraph_cascade.json"
# None of them was looked at while the method was made.
SEEDS = tuple(range(2000, 2005))


def training(tiny: bool) -> dict:
    """Train 25 stages on 5000 rows of 100 features, and look budgets up."""
    split = WORLDS["gaussian, psi .1"](0, tiny)
    model = HypergraphCascadeClassifier(split.dataset.hypergraph, stages=25)
    seconds = []
    for _ in range(1 if tiny else 6):
        started = time.process_time()
        clone(model).fit(split.X("train"), split.y("train"))
        seconds.append(time.process_time() - started)
    model.fit(split.X("train"), split.y("train"))
    budgets = np.linspace(0, split.dataset.hypergraph.total_cost, 500)
    started = time.perf_counter()
    for budget in budgets:
        _ = model.at_budget(budget).policy_
    return {
        "rows x features": split.X("train").shape,
        "processor seconds, first run left out": seconds[1:] or seconds,
        "policies compared": model.n_policies_,
        "look-up, ms": 1e3 * (time.perf_counter() - started) / len(budgets),
    }


def overhead(tiny: bool) -> dict:
    """Time decisions alone on images, against what the cheapest stage computes."""
    data = all_datasets()["scenes"]()
    model = HypergraphCascadeClassifier(data.hypergraph, objective="accuracy")
    model.fit(data.X[100:], data.y[100:])
    model = model.at_budget(0.3 * data.hypergraph.total_cost)
    names = data.hypergraph.features
    deciding, measured, charged = [], [], []
    for number in range(10 if tiny else 100):
        known = dict(zip(names, data.X[number].tolist(), strict=True))
        journeys = [model.predict_one(known.__getitem__) for _ in range(5)]
        deciding.append(min(journey.seconds for journey in journeys))
        journey = model.predict_one(data.pipeline.open(data.samples[number]))
        measured.append(journey.seconds)
        charged.append(journey.cost)
    priced = [row.cost for row in model.stage_table() if row.cost > 0]
    return {
        "deciding, us a row": 1e6 * float(np.mean(deciding)),
        "measured with extraction, us a row": 1e6 * float(np.mean(measured)),
        "charged, us a row": float(np.mean(charged)),
        "cheapest stage, us": min(priced),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tiny", action="store_true", help="a few rows, two seeds")
    parser.add_argument("--seeds", type=int, default=len(SEEDS))
    parser.add_argument("--worlds", nargs="*", default=list(WORLDS))
    parser.add_argument("--out", type=Path, default=RESULTS)
    options = parser.parse_args()
    results = {"environment": machine(), "shares of the full cost": SHARES}
    results["worlds"] = {}
    with threadpool_limits(1):
        fill(results, options)
    options.out.parent.mkdir(exist_ok=True)
    options.out.write_text(json.dumps(results, indent=1) + "\n", "utf-8")
    options.out.with_suffix(".md").write_text(markdown(results) + "\n", "utf-8")
    print(json.dumps({key: results[key] for key in ("training", "overhead")}, indent=1))


def fill(results: dict, options: argparse.Namespace) -> None:
    """Add what every world gives, and the times."""
    for world in options.worlds:
        if NEEDS.get(world, "gaussian") not in all_datasets():
            print(f"{world}: no such data set in this version")
            continue
        runs, missing = [], {}
        for seed in SEEDS[: 2 if options.tiny else options.seeds]:
            started = time.perf_counter()
            rows, absent = compare(WORLDS[world](seed, options.tiny), options.tiny)
            runs.append(rows)
            missing |= absent
            print(f"{world}, seed {seed}: {time.perf_counter() - started:.0f} s")
        results["worlds"][world] = {
            "seeds": len(runs),
            "missing": missing,
            "table": paired(runs),
            "runs": runs,
        }
    results["training"] = training(options.tiny)
    results["overhead"] = overhead(options.tiny)


if __name__ == "__main__":
    main()
