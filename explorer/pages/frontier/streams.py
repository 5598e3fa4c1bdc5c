"""The frontier page's computations as plain streams, from an immutable request."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from solvers import Dataset, FrontierPoint, all_methods
from solvers.frontier.evaluation import ThresholdRule, iter_frontier


@dataclass(frozen=True)
class TraceItem:
    """A point of a method's frontier, how far it is, or that there are no more."""

    method: str  # Name of the method
    point: FrontierPoint | None  # None at the end of the method's path
    share: float | None = None  # Before its first point: how much of training is done
    seed: int = 0  # Of the split that it is traced on

    @property
    def is_end(self) -> bool:
        """Whether the method's path has come to its end."""
        return self.point is None and self.share is None


@dataclass(frozen=True)
class TraceRequest:
    """Which frontiers to trace."""

    dataset: Dataset  # Rows, labels and prices
    methods: Mapping[str, Mapping[str, Any]]  # Parameters of each method by its name
    threshold: ThresholdRule  # Rule for the decision threshold
    random_state: int  # Seed of the split and of the methods


def trace_methods(request: TraceRequest) -> Iterator[TraceItem]:
    """Yield the points of one method after the other."""
    seed = request.random_state
    for name, params in request.methods.items():
        steps = iter_frontier(
            all_methods()[name](**params),
            request.dataset,
            threshold=request.threshold,
            random_state=seed,
        )
        for step in steps:
            if isinstance(step, float):
                yield TraceItem(name, None, step, seed)
            else:
                yield TraceItem(name, step, seed=seed)
        yield TraceItem(name, None, seed=seed)
