"""The frontier page's computations as plain streams, from an immutable request."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from solvers import (
    CostAwareClassifier,
    Dataset,
    FrontierPoint,
    all_methods,
    evaluate,
    trace_frontier,
)
from solvers.evaluation import Split, ThresholdRule

__all__ = [
    "MarkRequest",
    "TraceItem",
    "TraceRequest",
    "lazy_refitter",
    "mark_methods",
    "trace_methods",
]


@dataclass(frozen=True)
class TraceItem:
    """A point of a method's frontier, or the news that there are no more.

    Parameters
    ----------
    method : str
        Name of the method.
    point : FrontierPoint or None
        None at the end of the method's path.
    """

    method: str
    point: FrontierPoint | None


@dataclass(frozen=True)
class TraceRequest:
    """Which frontiers to trace.

    Parameters
    ----------
    dataset : Dataset
        Rows, labels and prices.
    methods : mapping of str to mapping
        Parameters of each method by its name.
    threshold : {"tuned", "default"}
        Rule for the decision threshold.
    random_state : int
        Seed of the split and of the methods.
    """

    dataset: Dataset
    methods: Mapping[str, Mapping[str, Any]]
    threshold: ThresholdRule
    random_state: int


def trace_methods(request: TraceRequest) -> Iterator[TraceItem]:
    """Yield the points of several methods, one of each in turn.

    Parameters
    ----------
    request : TraceRequest
        What to trace.

    Yields
    ------
    TraceItem
        Every method ends with an item without a point.
    """
    tracing = {
        name: trace_frontier(
            all_methods()[name](**params),
            request.dataset,
            threshold=request.threshold,
            random_state=request.random_state,
        )
        for name, params in request.methods.items()
    }
    try:
        while tracing:
            for name, points in list(tracing.items()):
                point = next(points, None)
                if point is None:
                    del tracing[name]
                yield TraceItem(name, point)
    finally:
        for points in tracing.values():
            points.close()


@dataclass(frozen=True)
class MarkRequest:
    """Which models to fit at exactly one λ.

    Parameters
    ----------
    refitters : mapping of str to callable
        What fits each method, by its name, on the training rows of `split`.
    alpha : float
        λ.
    split : Split
        Where the models are evaluated.
    threshold : {"tuned", "default"}
        Rule for the decision threshold.
    """

    refitters: Mapping[str, Callable[..., CostAwareClassifier]]
    alpha: float
    split: Split
    threshold: ThresholdRule


def mark_methods(request: MarkRequest) -> Iterator[TraceItem]:
    """Yield each method's model at exactly one λ.

    Parameters
    ----------
    request : MarkRequest
        What to fit.

    Yields
    ------
    TraceItem
        One for each method.
    """
    for name, refit in request.refitters.items():
        started = time.perf_counter()
        model = refit(alpha=request.alpha)
        seconds = time.perf_counter() - started
        point = evaluate(
            model,
            request.split,
            name=name,
            threshold=request.threshold,
            seconds=seconds,
        )
        yield TraceItem(name, point)


def lazy_refitter(
    estimator: CostAwareClassifier, split: Split
) -> Callable[..., CostAwareClassifier]:
    """Return a refitter that prepares on first use: on the worker's thread.

    Parameters
    ----------
    estimator : CostAwareClassifier
        What is fitted again and again.
    split : Split
        Its training rows.

    Returns
    -------
    callable
        Takes parameters and returns a fitted model.
    """
    prepared: list[Callable[..., CostAwareClassifier]] = []

    def refit(**params: Any) -> CostAwareClassifier:
        if not prepared:
            prepared.append(estimator.refitter(split.X("train"), split.y("train")))
        return prepared[0](**params)

    return refit
