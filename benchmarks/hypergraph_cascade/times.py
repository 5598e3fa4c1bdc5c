"""What the cascade takes to train, to look a budget up and to decide on one row."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.base import clone

from solvers import Dataset, all_datasets
from solvers.methods.hypergraph_cascade import HypergraphCascadeClassifier

from .worlds import WORLDS

__all__ = ["overhead", "training"]

# Rows that are decided on, and how often each.
_ROWS = 100
_REPEATS = 25
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
    """Time decisions alone on images, against what the cheapest stage computes.

    All features are known, so that what is left is reading them and deciding: the
    least of many repeats of each row, and the mean over rows. Reading the same features
    by itself is timed beside it: whoever uses them has to. It is held against the
    cheapest stage twice: what it is charged, and what extracting it takes here.
    """
    data = all_datasets()["scenes"]()
    model = HypergraphCascadeClassifier(data.hypergraph, objective="accuracy")
    model.fit(data.X[_ROWS:], data.y[_ROWS:])
    model = model.at_budget(_BUDGET * data.hypergraph.total_cost)
    decide, names = model.decider(), data.hypergraph.features
    deciding, reading, journeys = [], [], []
    for row in data.X[: 10 if tiny else _ROWS]:
        known = dict(zip(names, row.tolist(), strict=True)).__getitem__
        deciding.append(_least(lambda known=known: decide(known)))
        journeys.append(model.predict_one(known))
        asked = journeys[-1].features
        reading.append(_least(lambda known=known, asked=asked: list(map(known, asked))))
    cheapest = min((r for r in model.stage_table() if r.cost > 0), key=lambda r: r.cost)
    extracting = [
        _least(lambda sample=sample: _extract(data, sample, cheapest.features))
        for sample in data.samples[: 10 if tiny else _ROWS]
    ]
    decided, read = float(np.mean(deciding)), float(np.mean(reading))
    return {
        "deciding, us a row": decided,
        "of which reading what is known": read,
        "stages asked a row": float(np.mean([len(j.stops) for j in journeys])),
        "features read a row": float(np.mean([len(j.features) for j in journeys])),
        "charged, us a row": float(np.mean([j.cost for j in journeys])),
        "cheapest stage, charged, us": cheapest.cost,
        "cheapest stage, extracted here, us": float(np.median(extracting)),
        "deciding over cheapest stage, charged": decided / cheapest.cost,
        "the same without reading": (decided - read) / cheapest.cost,
        "deciding over cheapest stage, extracted": decided
        / float(np.median(extracting)),
        "deciding over charged, whole row": decided
        / float(np.mean([j.cost for j in journeys])),
    }


def _extract(data: Dataset, sample: Any, features: tuple[str, ...]) -> None:
    read = data.pipeline.open(sample).feature
    for name in features:
        read(name)


def _least(run: Callable[[], Any]) -> float:
    """Return the least microseconds of several runs."""
    found = []
    for _ in range(_REPEATS):
        started = time.perf_counter()
        run()
        found.append(time.perf_counter() - started)
    return 1e6 * min(found)
