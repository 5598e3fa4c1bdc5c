"""What the cascade takes to train, to look a budget up and to decide on one row."""

from __future__ import annotations

import statistics
import time

import numpy as np
from sklearn.base import clone

from solvers import all_datasets
from solvers.methods.hypergraph_cascade import HypergraphCascadeClassifier

from .worlds import WORLDS

__all__ = ["overhead", "training"]

# Rows that are decided on, and how often each: the median counts.
_ROWS = 100
_REPEATS = 9
_BUDGET = 0.3


def training(tiny: bool) -> dict:
    """Train 25 stages on 5000 rows of 100 features, and look budgets up."""
    split = WORLDS["gaussian, psi .1"](0, tiny)
    model = HypergraphCascadeClassifier(split.dataset.hypergraph, stages=25)
    seconds = []
    for _ in range(2 if tiny else 6):
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
        "processor seconds, first run left out": _spread(seconds[1:]),
        "policies compared": model.n_policies_,
        "look-up, ms": 1e3 * (time.perf_counter() - started) / len(budgets),
    }


def _spread(values: list[float]) -> dict[str, float]:
    return {
        "median": statistics.median(values),
        "least": min(values),
        "most": max(values),
        "n": len(values),
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
