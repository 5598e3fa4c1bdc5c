"""Nearest mean: the class whose average is closer, on features that a budget buys."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from ..costs.budgets import room_of
from ..values.knobs import Knob, Number
from .base import LinearClassifier, Training

__all__ = ["NearestMeanClassifier"]


class NearestMeanClassifier(LinearClassifier):
    """Nearest class mean, features scaled by their spread within the classes.

    A feature gains the squared distance of the two means over the variance within the
    classes; the best gain per marginal cost is bought first.

    Parameters
    ----------
    hypergraph : FeatureHypergraph, optional
        Prices of the features; one unit each by default.
    budget : float, optional
        Most that a prediction may cost; no limit by default.

    Attributes
    ----------
    coef_ : ndarray of float, shape (1, n_features)
        Weights, zero where a feature is not computed.
    intercept_ : ndarray of float, shape (1,)
        Added to every decision.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> NearestMeanClassifier(budget=2).fit(X, y).cost_
    2.0
    """

    title: ClassVar[str] = "Nearest mean"
    path_knob: ClassVar[str | None] = "budget"
    knobs: ClassVar[Mapping[str, Knob]] = {
        "budget": Number(
            "Runtime budget", 0.0, optional=True, doc="What a prediction may cost."
        )
    }

    def __init__(self, hypergraph: Any = None, budget: float | None = None) -> None:
        self.hypergraph = hypergraph
        self.budget = budget

    def _fit(self, training: Training) -> Self:
        limit = np.inf if self.budget is None else self.budget
        *_, (chosen, _) = _purchases(training, limit)
        return self._take(training, chosen)

    def _path(self, training: Training) -> Iterator[NearestMeanClassifier]:
        """Yield one model for each feature that is bought."""
        limit = np.inf if self.budget is None else self.budget
        return (
            self._sibling(budget=cost)._take(training, chosen)
            for chosen, cost in _purchases(training, limit)
        )

    def _take(self, training: Training, chosen: NDArray[np.bool_]) -> Self:
        first, second, variance = _moments(training)
        usable = chosen & (variance > 0)
        weights = np.zeros(len(chosen))
        weights[usable] = (second - first)[usable] / variance[usable]
        self._set_weights(weights, -float(weights @ (first + second)) / 2)
        return self


def _moments(training: Training) -> tuple[NDArray[np.float64], ...]:
    """Return the means of the classes and the variance within them."""
    is_second = training.signs > 0
    means, within = [], np.zeros(training.X.shape[1])
    for rows in (~is_second, is_second):
        X, weights = training.X[rows], training.weights[rows]
        means.append(np.average(X, axis=0, weights=weights))
        within += weights @ (X - means[-1]) ** 2
    return means[0], means[1], within / training.weights.sum()


def _purchases(
    training: Training, budget: float
) -> Iterator[tuple[NDArray[np.bool_], float]]:
    """Yield what is bought so far, and its cost: nothing at first."""
    first, second, variance = _moments(training)
    gains = np.zeros(len(variance))
    np.divide((second - first) ** 2, variance, out=gains, where=variance > 0)
    graph, chosen = training.hypergraph, np.zeros(len(gains), dtype=bool)
    while True:
        prices = graph.marginal_costs(graph.required_components(chosen))
        chosen |= (gains > 0) & (prices == 0)  # what is paid for comes along
        cost = graph.cost(chosen)
        yield chosen.copy(), cost
        open_ = ~chosen & (gains > 0) & (cost + prices <= room_of(budget))
        if not open_.any():
            return
        lowest = np.full(len(gains), -np.inf)
        chosen[np.argmax(np.divide(gains, prices, out=lowest, where=open_))] = True
