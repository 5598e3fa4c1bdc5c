"""What the cascade takes to train, to look a budget up and to decide on one row."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from solvers import Dataset, all_datasets
from solvers.methods.hypergraph_cascade import HypergraphCascadeClassifier

from .worlds import WORLDS

__all__ = ["overhead", "training"]

# Rows that are decided on, and how often each.
_ROWS = 100
_REPEATS = 60
_BUDGET = 0.3


def training(tiny: bool) -> dict:
    """Train 25 stages on 5000 rows of 100 features, and look budgets up."""
    split = WORLDS["gaussian, psi .1"](0, tiny)
    model = HypergraphCascadeClassifier(
        split.dataset.hypergraph, stages=25, model="logistic"
    )
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

    All features are known, so that what is left is reading them and deciding. Reading
    the same features by itself is timed beside it, since whoever uses them has to, and
    it is in what extracting takes as well: the rest is what a decision adds. All of it
    is timed in turn, so that a machine that changes its speed changes it for all.
    """
    data = all_datasets()["scenes"]()
    model = HypergraphCascadeClassifier(
        data.hypergraph, model="logistic", objective="accuracy"
    )
    model.fit(data.X[_ROWS:], data.y[_ROWS:])
    model = model.at_budget(_BUDGET * data.hypergraph.total_cost)
    walker, names = model.walker(), data.hypergraph.features
    cheapest = min((r for r in model.stage_table() if r.cost > 0), key=lambda r: r.cost)
    rows = slice(10 if tiny else _ROWS)
    tables = [dict(zip(names, row, strict=True)) for row in data.X[rows].tolist()]
    journeys = [walker.walk(table.__getitem__) for table in tables]
    runs = [
        (
            partial(walker.decide, table.__getitem__),
            partial(walker.walk, table.__getitem__),
            partial(_read, table.__getitem__, journey.features),
            partial(_extract, data, sample, cheapest.features),
        )
        for table, journey, sample in zip(
            tables, journeys, data.samples[rows], strict=True
        )
    ]
    least = _leasts(runs)
    decided, told, read = (float(np.mean(least[:, column])) for column in range(3))
    extracted = float(np.median(least[:, 3]))
    charged = float(np.mean([journey.cost for journey in journeys]))
    return {
        "decide, us a row": decided,
        "walk, us a row": told,
        "of which reading what is known": read,
        "stages asked a row": float(np.mean([len(j.stops) for j in journeys])),
        "features read a row": float(np.mean([len(j.features) for j in journeys])),
        "charged, us a row": charged,
        "cheapest stage, charged, us": cheapest.cost,
        "cheapest stage, extracted here, us": extracted,
        "walk without reading, charged": (told - read) / cheapest.cost,
        "walk without reading, extracted": (told - read) / extracted,
        "deciding over cheapest stage, charged": decided / cheapest.cost,
        "the same without reading": (decided - read) / cheapest.cost,
        "deciding over cheapest stage, extracted": decided / extracted,
        "the same without reading, extracted": (decided - read) / extracted,
        "deciding over charged, whole row": decided / charged,
    }


def _read(read: Callable[[str], float], features: tuple[str, ...]) -> None:
    list(map(read, features))


def _extract(data: Dataset, sample: Any, features: tuple[str, ...]) -> None:
    read = data.pipeline.open(sample).feature
    for name in features:
        read(name)


def _leasts(runs: list[tuple[Callable[[], Any], ...]]) -> NDArray[np.float64]:
    """Return the least microseconds of each run, of many rounds over all of them."""
    least = np.full((len(runs), len(runs[0])), np.inf)
    for _ in range(_REPEATS):
        for row, of_row in enumerate(runs):
            for column, run in enumerate(of_row):
                run()  # what ran before it has the caches
                started = time.perf_counter()
                run()
                took = time.perf_counter() - started
                least[row, column] = min(least[row, column], 1e6 * took)
    return least
