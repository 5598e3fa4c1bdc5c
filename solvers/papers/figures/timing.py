"""Seconds of gradients and of trainings, on one core."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from statistics import median
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from ...costs.hypergraph import FeatureHypergraph
from ...methods.acafh import ACAFHClassifier
from ...methods.base import CostAwareClassifier
from ...numerics.threads import one_thread
from .gradients import ORDERS, BlockShapes

GRADIENT, TRAINING = "one gradient", "training"
# Calls together take so long that the clock's own steps do not show.
_SHORTEST = 2e-3
# Everybody trains at this share of the λ where its own path begins.
_ALPHA_SHARE = 0.1


@dataclass(frozen=True)
class TimeRow:
    """How long one procedure takes on one problem."""

    what: str  #: "one gradient", "training": what was timed
    procedure: str  #: Who did it
    #: Size of the problem
    n_features: int
    n_samples: int
    #: How likely a feature needs another's component; NaN where it is not drawn
    psi: float
    #: Number of blocks, and features of the largest one
    n_blocks: int
    largest_block: int
    products: float  #: Multiplications of a gradient; NaN for a training
    seconds: float  #: CPU seconds on one core, median over repeats

    @property
    def sharing(self) -> float:
        """What counts for blocks: features times ψ."""
        return self.n_features * self.psi


def gradient_rows(
    hypergraph: FeatureHypergraph, psi: float, repeats: int, random_state: int
) -> Iterator[TimeRow]:
    """Yield how long one gradient takes in every order of multiplication.

    `repeats`: evaluations, or batches of them, of which the median is taken.
    """
    rng = np.random.default_rng(random_state)
    shapes = BlockShapes.of(hypergraph)
    halves = rng.random(2 * hypergraph.n_features)
    target = rng.random(hypergraph.n_components)
    for order in ORDERS:
        gradient = order.prepared(hypergraph)
        seconds = _seconds(partial(gradient, halves, target, 1.0), repeats)
        yield TimeRow(
            GRADIENT,
            order.title,
            hypergraph.n_features,
            0,
            psi,
            shapes.n_blocks,
            shapes.largest,
            order.n_products(shapes),
            seconds,
        )


def training_rows(
    methods: Mapping[str, CostAwareClassifier],
    X: NDArray,
    y: NDArray,
    hypergraph: FeatureHypergraph,
    psi: float,
    repeats: int,
) -> Iterator[TimeRow]:
    """Yield how long our implementations take to train once.

    Methods with a λ train at a tenth of the λ where their own path begins.

    Shapes: `X` (n_samples, n_features), `y` (n_samples,).
    """
    shapes = BlockShapes.of(hypergraph)
    for name, method in methods.items():
        estimator: Any = clone(method).set_params(hypergraph=hypergraph)
        if estimator.path_knob == "alpha":
            largest = next(iter(estimator.path(X, y))).alpha
            estimator.set_params(alpha=_ALPHA_SHARE * largest)
        yield TimeRow(
            TRAINING,
            name,
            hypergraph.n_features,
            len(X),
            psi,
            shapes.n_blocks,
            shapes.largest,
            np.nan,
            _seconds(partial(_train, estimator, X, y), repeats),
        )


def trained_as() -> dict[str, CostAwareClassifier]:
    """Return CAFH and ACAFH as we train them, for both of the paper's p."""
    return {
        f"{name} p={text} (ours)": ACAFHClassifier(p=p, decompose=decompose)
        for text, p in (("1/2", 1 / 2), ("2/3", 2 / 3))
        for name, decompose in (("CAFH", False), ("ACAFH", True))
    }


def _train(estimator: Any, X: NDArray, y: NDArray) -> None:
    clone(estimator).fit(X, y)


def _seconds(run: Callable[[], Any], repeats: int) -> float:
    """Return CPU seconds of one call; the first call only warms up."""
    with one_thread():
        calls, taken = 1, _clocked(run, 1)
        while taken < _SHORTEST:
            calls *= 4
            taken = _clocked(run, calls)
        return median(_clocked(run, calls) / calls for _ in range(repeats))


def _clocked(run: Callable[[], Any], calls: int) -> float:
    # Of this thread alone: other sessions and other programs do not count.
    started = time.thread_time()
    for _ in range(calls):
        run()
    return time.thread_time() - started
