"""Nearest mean: the class whose average is closer, on features that a budget buys."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from ..costs.budgets import room_of
from ..costs.hypergraph import FeatureHypergraph
from ..values.fields import declared
from ..values.knobs import Number
from .base import Prices, Training
from .static import LinearClassifier

__all__ = ["NearestMeanClassifier"]


@declared
class NearestMeanClassifier(LinearClassifier):
    """Nearest class mean, features scaled by their spread within the classes.

    A feature gains the squared distance of the two means over the variance within the
    classes; the best gain per marginal cost is bought first.

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

    hypergraph: Prices = None
    budget: Annotated[
        float | None,
        Number("Runtime budget", 0.0, optional=True, doc="What a prediction may cost."),
    ] = None

    def _prepared(self, training: Training) -> _Purchases:
        return _Purchases(training)

    def _values(self, known: _Purchases) -> list[float]:
        return [cost for _, cost in known.bought]

    def _take(self, known: _Purchases) -> Self:
        room = np.inf if self.budget is None else room_of(self.budget)
        *_, chosen = (chosen for chosen, cost in known.bought if cost <= room)
        weights = np.where(chosen, known.weights, 0.0)
        self._set_weights(weights, -float(weights @ known.middle))
        return self


class _Purchases:
    """What the columns tell, and which are bought one after the other."""

    def __init__(self, training: Training) -> None:
        is_second = training.signs > 0
        means, within = [], np.zeros(training.X.shape[1])
        for rows in (~is_second, is_second):
            X, weights = training.X[rows], training.weights[rows]
            means.append(np.average(X, axis=0, weights=weights))
            within += weights @ (X - means[-1]) ** 2
        apart, spread = means[1] - means[0], within / training.weights.sum()
        self.middle = (means[0] + means[1]) / 2.0
        self.weights = np.zeros(len(apart))  # of a column without spread none
        np.divide(apart, spread, out=self.weights, where=spread > 0)
        self.bought = list(_bought(apart * self.weights, training.hypergraph))


def _bought(
    gains: NDArray[np.float64], hypergraph: FeatureHypergraph
) -> Iterator[tuple[NDArray[np.bool_], float]]:
    """Yield what is bought so far, and its cost: nothing at first."""
    chosen = np.zeros(len(gains), dtype=bool)
    while True:
        prices = hypergraph.marginal_costs(hypergraph.required_components(chosen))
        chosen |= (gains > 0) & (prices == 0)  # what is paid for comes along
        yield chosen.copy(), hypergraph.cost(chosen)
        left = ~chosen & (gains > 0)
        if not left.any():
            return
        lowest = np.full(len(gains), -np.inf)
        chosen[np.argmax(np.divide(gains, prices, out=lowest, where=left))] = True
