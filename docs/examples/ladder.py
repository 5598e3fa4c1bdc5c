"""Ladder: weighted sums that grow by a feature; a row leaves where one is sure."""

from __future__ import annotations

from typing import Annotated, ClassVar, Self

import numpy as np

from solvers import AdaptiveClassifier, Number
from solvers.decisions.program import Answered, ExitIf, Program, linear_node
from solvers.methods.base import Prices, Training
from solvers.values.fields import declared

__all__ = ["LadderClassifier"]

_CONFIDENCES = (0.0, 0.5, 1.0, 2.0, 4.0, 8.0)


@declared
class LadderClassifier(AdaptiveClassifier):
    """Normal classes of one variance a feature; the clearest feature comes first.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from solvers.deploy import to_python
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = LadderClassifier(confidence=2.0).fit(X, y)
    >>> asked = []
    >>> def measured(name):  # one row, whose features are measured when asked for
    ...     asked.append(name)
    ...     return X[19, int(name.removeprefix("x"))]
    >>> model.decider()(measured) == model.predict(X)[19]
    np.True_
    >>> len(asked) == model.prediction_cost(X)[19]
    np.True_
    >>> file = {}
    >>> exec(to_python(model), file)  # needs Python alone
    >>> said = file["decide"]({f"x{j}": value for j, value in enumerate(X[19])})
    >>> int(said.label) == model.predict(X)[19], len(said.computed) == len(asked)
    (np.True_, True)
    """

    title: ClassVar[str] = "Ladder"
    path_knob: ClassVar[str | None] = "confidence"
    two_classes_only: ClassVar[bool] = True

    hypergraph: Prices = None
    confidence: Annotated[
        float, Number("Confidence", 0.0, 20.0, doc="Log odds from which a row stops.")
    ] = 3.0

    def _prepared(self, training: Training) -> None:
        is_second, shares = training.signs > 0, training.weights[:, np.newaxis]
        parts = [(training.X[r], shares[r]) for r in (~is_second, is_second)]
        means = [(X * w).sum(axis=0) / w.sum() for X, w in parts]
        spread = sum(
            (w * (X - mean) ** 2).sum(axis=0)
            for (X, w), mean in zip(parts, means, strict=True)
        ) / len(is_second)
        apart = means[1] - means[0]
        self.weights_ = np.divide(
            apart, spread, out=np.zeros(len(apart)), where=spread > 0
        )
        self.middle_ = (means[0] + means[1]) / 2.0
        self.order_ = np.argsort(-apart * self.weights_, kind="stable")

    def _values(self, _: None) -> tuple[float, ...]:
        return _CONFIDENCES

    def _take(self, _: None) -> Self:
        return self

    def program(self) -> Program:
        """Return a node for each feature: buy it, weigh all so far, leave if sure."""
        nodes = []
        for stage in range(1, len(self.order_) + 1):
            known = self.order_[:stage]
            weights = self.weights_[np.newaxis, known]  # (n_values, n_columns)
            sure = ExitIf("size", (1.0,), (self.confidence,), onward=stage)
            rule = sure if stage < len(self.order_) else Answered()
            base = -weights @ self.middle_[known]
            nodes.append(linear_node(known, weights, base, known[-1:], rule))
        return Program(tuple(nodes))
