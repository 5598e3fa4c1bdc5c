"""Duel: each row buys what best parts its two likeliest classes, until it is sure."""

from __future__ import annotations

from typing import Annotated, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from scipy.special import softmax

from solvers import AdaptiveClassifier, FeatureHypergraph, Number
from solvers.methods.base import LabelledRows, Prices
from solvers.values.fields import declared

__all__ = ["DuelClassifier"]

_CONFIDENCES = (0.0, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 0.999)


@declared
class DuelClassifier(AdaptiveClassifier):
    """Normal classes of one variance a feature; features bought row by row.

    Of the two classes that a row is likeliest of, a feature parts the means by so much
    of its variance; the most for its marginal cost is bought next.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> decision = DuelClassifier().fit(X, y).decide(X)
    >>> decision.scores.shape, set(decision.cost.tolist()) <= {1.0, 2.0, 3.0, 4.0}
    ((150, 3), True)
    """

    title: ClassVar[str] = "Duel"
    path_knob: ClassVar[str | None] = "confidence"

    hypergraph: Prices = None
    confidence: Annotated[
        float,
        Number("Confidence", 0.0, 1.0, doc="From where a row stops."),
        "A row stops where its likeliest class is at least so probable.",
    ] = 0.95

    def _prepared(self, known: LabelledRows) -> None:
        """Learn the classes: all models along the knob have them."""
        members = np.zeros((len(self.classes_), len(known.X)))
        members[known.labels, np.arange(len(known.X))] = known.weights
        totals = members.sum(axis=1)
        self.log_priors_ = np.log(totals / totals.sum())
        self.means_ = members @ known.X / totals[:, np.newaxis]
        around = (known.X - self.means_[known.labels]) ** 2
        variance = known.weights @ around / totals.sum()
        # A column that is constant within the classes has a variance too, a tiny one.
        self.variance_ = variance + 1e-9 * (variance.max() or 1.0)

    def _values(self, _: None) -> tuple[float, ...]:
        return _CONFIDENCES

    def _take(self, _: None) -> Self:
        return self

    def _walk(
        self, rows: NDArray[np.float64]
    ) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
        belief = np.tile(self.log_priors_, (len(rows), 1))
        acquired = np.zeros(rows.shape, dtype=bool)
        hypergraph, going = self._hypergraph(), np.arange(len(rows))
        for _ in range(rows.shape[1]):
            sure = softmax(belief[going], axis=1).max(axis=1)
            going = going[sure < self.confidence]
            worth = self._worth(belief[going], acquired[going], hypergraph)
            is_worth = worth.max(axis=1) > 0
            going, bought = going[is_worth], worth.argmax(axis=1)[is_worth]
            acquired[going, bought] = True
            gaps = rows[going, bought][:, np.newaxis] - self.means_.T[bought]
            belief[going] -= gaps**2 / (2.0 * self.variance_[bought][:, np.newaxis])
        if len(self.classes_) == 2:
            return belief[:, 1] - belief[:, 0], acquired
        return belief, acquired

    def _worth(
        self,
        belief: NDArray[np.float64],
        acquired: NDArray[np.bool_],
        hypergraph: FeatureHypergraph,
    ) -> NDArray[np.float64]:
        """Return what each feature is worth to each row for its marginal cost."""
        second, first = np.argsort(belief, axis=1)[:, -2:].T
        parted = (self.means_[first] - self.means_[second]) ** 2 / self.variance_
        paid = hypergraph.required_component_rows(acquired)
        prices = hypergraph.marginal_cost_rows(paid)
        return np.where(acquired, 0.0, parted / np.maximum(prices, 1e-12))
