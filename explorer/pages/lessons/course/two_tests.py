"""The small world of two lessons: a quick test and a slow one, for two classes."""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from solvers import Dataset, FeatureHypergraph
from solvers.datasets.splits import Split
from solvers.frontier.evaluation import evaluate
from solvers.methods.tefe import TEFEClassifier

__all__ = ["COSTS", "THRESHOLDS", "Outcome", "cascade", "outcome", "world"]

COSTS = (1.0, 9.0)
THRESHOLDS = (0.0, 0.1, 0.2, 0.3, 0.5, 0.75, 1.0, 1.5, 2.0, 2.5, 3.0, 4.0)
# How far apart the classes lie in each test, in standard deviations from the middle.
STRENGTHS = (1.5, 2.0)
N_TRAIN, N_TEST = 300, 1000


@dataclass(frozen=True, eq=False)
class Outcome:
    """What becomes of the test rows at an exit threshold."""

    is_slow: NDArray[np.bool_]  # (n_rows,) Which rows go on to the slow test
    is_right: NDArray[np.bool_]  # (n_rows,) Which rows are labelled rightly
    mean: float  # What a row costs, by the three accountings
    p95: float
    max: float

    @property
    def accuracy(self) -> float:
        """Share of rows that is right."""
        return float(self.is_right.mean())

    @property
    def share_quick(self) -> float:
        """Share of rows that leave after the quick test."""
        return float(1.0 - self.is_slow.mean())


@cache
def world(quick: float = STRENGTHS[0]) -> Split:
    """Return two classes that both tests tell apart, with noise."""
    rng = np.random.default_rng(4)
    n = N_TRAIN + 2 * N_TEST
    y = rng.integers(0, 2, n)
    strengths = np.array([quick, STRENGTHS[1]])
    X = (2 * y - 1)[:, np.newaxis] * strengths + rng.standard_normal((n, 2))
    prices = FeatureHypergraph.independent(COSTS, ("quick", "slow"))
    train, validation, test = np.split(np.arange(n), [N_TRAIN, N_TRAIN + N_TEST])
    rows = {"train": train, "validation": validation, "test": test}
    return Split(Dataset("two tests", X, y, prices), rows)


@cache
def cascade(quick: float = STRENGTHS[0]) -> TEFEClassifier:
    """Return the cascade of both tests, as published."""
    split = world(quick)
    # On columns as they are: the band is drawn in the unit of the test.
    model = TEFEClassifier(split.dataset.hypergraph, standardise=False)
    return model.fit(split.X("train"), split.y("train"))


@cache
def outcome(threshold: float, quick: float = STRENGTHS[0]) -> Outcome:
    """Return what becomes of the test rows at an exit threshold.

    `threshold`: confidence, as a distance from the boundary, that is enough to leave.
    """
    split = world(quick)
    model = copy(cascade(quick)).set_params(threshold=threshold)
    rows = split.X("test")
    charged = evaluate(model, split, threshold="default").cost
    return Outcome(
        model.acquired_features(rows)[:, 1],
        model.predict(rows) == split.y("test"),
        charged["mean"],
        charged["p95"],
        charged["max"],
    )
