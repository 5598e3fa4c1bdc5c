"""A fitted model whose answers are those of least expected mistakes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..costs.hypergraph import FeatureHypergraph
from ..decisions.decision import Decision
from ..decisions.program import PricedAnswers, Program
from ..methods.base import CostAwareClassifier
from ..numerics.arrays import Floats, Mask


class PricedModel(CostAwareClassifier):
    """A fitted model of three classes or more, told what mistakes cost.

    It computes what the model does; scores are minus what each answer is expected to
    cost. `slope`, `offsets`, `costs`: as `PricedAnswers` has them.
    """

    def __init__(
        self, estimator: CostAwareClassifier, slope: float, offsets: Any, costs: Any
    ) -> None:
        self.estimator = estimator
        self.slope, self.offsets, self.costs = slope, offsets, costs

    @classmethod
    def of(cls, estimator: CostAwareClassifier, priced: PricedAnswers) -> Self:
        """Return a model with answers of least cost."""
        return cls(estimator, priced.slope, priced.offsets, priced.costs)

    @property
    def priced(self) -> PricedAnswers:
        """What makes costs of the model's scores."""
        offsets = tuple(map(float, self.offsets))
        costs = tuple(tuple(map(float, of_class)) for of_class in self.costs)
        return PricedAnswers(float(self.slope), offsets, costs)

    # What the contract declares as plain attributes is here that of the model: a copy
    # would be one more place where it can be wrong.

    @property
    def title(self) -> str:  # type: ignore[override]
        """Name of the method."""
        return self.estimator.title

    @property
    def words(self) -> Mapping[int, tuple[str, ...]]:  # type: ignore[override]
        """Words of features that come as words, as the model has them."""
        return self.estimator.words

    @property
    def hypergraph(self) -> FeatureHypergraph | None:  # type: ignore[override]
        """What features cost, as the model has it."""
        return self.estimator.hypergraph

    @property
    def feature_names_in_(self) -> NDArray:
        """Names of the columns, where the model was given some."""
        return np.asarray(self.estimator.feature_names_in_)

    @property
    def classes_(self) -> NDArray:
        """The labels, sorted."""
        return np.asarray(self.estimator.classes_)

    @property
    def n_features_in_(self) -> int:
        """How many features a row has."""
        return int(self.estimator.n_features_in_)

    def decision_function(self, X: ArrayLike) -> Floats:
        """Return minus what each answer is expected to cost.

        Shapes: `X` (n_samples, n_features) -> (n_samples, n_classes).
        """
        return self.priced.scores(self.estimator.decision_function(X))

    def acquired_features(self, X: ArrayLike) -> Mask:
        """Return which features each row's prediction computed."""
        return self.estimator.acquired_features(X)

    def acquirable_features(self) -> Mask:
        """Return what predictions may compute, whatever rows are to come."""
        return self.estimator.acquirable_features()

    def decide(self, X: ArrayLike) -> Decision:
        """Return labels, scores, what was computed and what it cost, from one call."""
        found = self.estimator.decide(X)
        return self._decision(self.priced.scores(found.scores), found.acquired)

    def program(self) -> Program:
        """Return how the model decides about one row, and what its answers cost."""
        return replace(self.estimator.program(), priced=self.priced)

    def __sklearn_is_fitted__(self) -> bool:
        return True

    def _take(self, _: object) -> Self:
        return self

    def _hypergraph(self) -> FeatureHypergraph:
        return self.estimator._hypergraph()

    def _feature_names(self) -> tuple[str, ...]:
        return self.estimator._feature_names()
