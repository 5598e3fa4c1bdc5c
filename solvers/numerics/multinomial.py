"""Mean multinomial loss of several linear decisions over scaled columns.

Scores of K classes matter up to what is added to all of them, so that each row has
K - 1 numbers, its odds, and each class a corner of a simplex: a class's score is half
the product of odds and corner. Of two classes the corners are -1 and +1: it is then
the logistic loss. A feature weighs every number of the odds; its size, the length of
these weights, does not depend on the order of the classes.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import helmert
from scipy.special import logsumexp

from .arrays import Floats, Integers
from .logistic import LabelledColumns, LogisticLoss, chosen_columns


def class_corners(n_classes: int) -> Floats:
    """Return the corner of each class, (n_classes, n_classes - 1).

    Columns are orthogonal, sum to 0 and have a squared length of 2.
    """
    return np.asarray(-np.sqrt(2.0) * helmert(n_classes).T)


def sizes(weights: NDArray) -> Floats:
    """Return the size of each feature's weights, whether it has one or several.

    Shapes: `weights` (n_features,) or (n_features, n_outputs) -> (n_features,).
    """
    if weights.ndim == 1:
        return np.abs(weights)
    return np.sqrt((weights.astype(float, copy=False) ** 2).sum(axis=1))


@dataclass(frozen=True, eq=False)
class MultinomialPoint:
    """The loss and its derivatives with respect to the odds of each row."""

    value: float  # Mean multinomial loss
    slopes: Floats  # (n_samples, n_outputs) First derivatives
    beliefs: Floats  # (n_samples, n_classes) Probability of each class
    # (n_samples,) Mean second derivative over the numbers of the odds
    curvatures: Floats


@dataclass(frozen=True, eq=False)
class MultinomialLoss(LabelledColumns):
    """Mean multinomial loss, ``-sum_i share_i log P_i(class_i)``.

    `signs` are the corners of the rows' classes; `gradient_bounds` bound the sizes of
    gradients.
    """

    @classmethod
    def of_classes(
        cls, X: NDArray, labels: Integers, weights: NDArray
    ) -> MultinomialLoss:
        """Scale and centre the columns of a table.

        Shapes: `X` (n_samples, n_features), `labels` (n_samples,), `weights`
        (n_samples,).
        `labels`: codes of the classes, all of which occur.
        """
        corners = class_corners(int(labels.max()) + 1)
        return cls.from_rows(X, corners[labels], weights)

    @property
    def n_outputs(self) -> int:
        """Numbers of the odds of a row: one less than there are classes."""
        return int(self.signs.shape[1])

    @cached_property
    def corners(self) -> Floats:
        """Corner of each class, (n_classes, n_outputs)."""
        return class_corners(self.n_outputs + 1)

    @cached_property
    def base_intercept(self) -> Floats:
        """Intercepts of the model without features, (n_outputs,)."""
        labels = np.argmax(self.signs @ self.corners.T, axis=1)
        of_class = np.bincount(labels, weights=self.shares)
        return np.asarray(np.log(of_class) @ self.corners)

    def odds(self, chosen: NDArray, weights: NDArray, intercept: NDArray) -> Floats:
        """Return the decision of each row.

        Shapes: `chosen` (k,), `weights` (k, n_outputs), `intercept` (n_outputs,) ->
        (n_samples, n_outputs).
        """
        columns = chosen_columns(self.columns, chosen)
        found = np.empty((self.n_samples, self.n_outputs))
        for k, begin in enumerate(intercept):
            found[:, k] = weights[:, k].astype(columns.dtype) @ columns + begin
        return found

    def value(self, odds: NDArray) -> float:
        """Return the mean loss at given odds.

        Shapes: `odds` (n_samples, n_outputs).
        """
        right = (odds * self.signs).sum(axis=1) / 2.0
        return float(self.shares @ (logsumexp(self._scores(odds), axis=1) - right))

    def at(self, odds: NDArray) -> MultinomialPoint:
        """Return loss, slopes and beliefs at given odds.

        Shapes: `odds` (n_samples, n_outputs).
        """
        scores = self._scores(odds)
        total = logsumexp(scores, axis=1)
        beliefs = np.exp(scores - total[:, np.newaxis])
        right = (odds * self.signs).sum(axis=1) / 2.0
        slopes = (beliefs @ self.corners - self.signs) * (self.shares / 2.0)[:, None]
        # The trace of B'(diag(p) - pp')B, with B half the corners, over its rows.
        means = beliefs @ (self.corners / 2.0)
        spread = beliefs @ ((self.corners / 2.0) ** 2).sum(axis=1)
        bent = self.shares * (spread - (means**2).sum(axis=1)) / self.n_outputs
        value = float(self.shares @ (total - right))
        return MultinomialPoint(value, slopes, beliefs, bent)

    def _scores(self, odds: NDArray) -> Floats:
        return np.asarray(odds @ (self.corners.T / 2.0))

    def hessian(
        self, point: MultinomialPoint, chosen: Integers, *, is_rough: bool = False
    ) -> Floats:
        """Return the second derivatives in weights and intercepts, feature by feature.

        Shapes: `chosen` (k,) -> ((k + 1) n_outputs, (k + 1) n_outputs).
        The intercepts come last. `is_rough`: in single precision, in half the time.
        """
        columns = self._with_ones(chosen)
        if is_rough:
            columns = columns.astype(np.float32, copy=False)
        halves, n_outputs = self.corners / 2.0, self.n_outputs
        means = point.beliefs @ halves
        size = len(columns) * n_outputs
        found = np.empty((size, size))
        for r in range(n_outputs):
            for s in range(r + 1):
                both = point.beliefs @ (halves[:, r] * halves[:, s])
                bent = self.shares * (both - means[:, r] * means[:, s])
                block = (columns * bent.astype(columns.dtype)) @ columns.T
                found[r::n_outputs, s::n_outputs] = block
                found[s::n_outputs, r::n_outputs] = block
        return found

    def curvature_bound(self, point: MultinomialPoint, chosen: Integers) -> Floats:
        """Return a matrix whose product with every output bounds the Hessian here.

        Shapes: `chosen` (k,) -> (k + 1, k + 1).
        """
        # No eigenvalue of diag(p) - pp' is above 1/2, nor above 2 p_c (1 - p_c) of all
        # c (Gershgorin); corners over two halve it.
        own = 2.0 * point.beliefs * (1.0 - point.beliefs)
        bent = self.shares * np.minimum(own.max(axis=1), 0.5) / 2.0
        columns = self._with_ones(chosen)
        return np.asarray((columns * bent.astype(columns.dtype)) @ columns.T, float)

    def _with_ones(self, chosen: Integers) -> NDArray:
        columns = self.columns[chosen]
        return np.vstack([columns, np.ones((1, self.n_samples), columns.dtype)])

    def to_raw(self, weights: NDArray, intercept: NDArray) -> tuple[Floats, Floats]:
        """Return weights and intercepts of each class for columns as they come.

        Shapes: `weights` (n_features, n_outputs), `intercept` (n_outputs,) ->
        (n_classes, n_features), (n_classes,).
        """
        half = self.corners / 2.0
        coef = half @ (weights / self.scale[:, np.newaxis]).T
        return coef, half @ (intercept - self.centre @ weights)


#: Of two classes, or of more.
ClassLoss: TypeAlias = LogisticLoss | MultinomialLoss


def class_loss(X: NDArray, signs: NDArray, weights: NDArray) -> ClassLoss:
    """Return the loss of a linear decision: logistic, or multinomial of corners.

    Shapes: `X` (n_samples, n_features), `signs` (n_samples,) or (n_samples, n_outputs),
    `weights` (n_samples,).
    """
    kind = LogisticLoss if signs.ndim == 1 else MultinomialLoss
    return kind.from_rows(X, signs, weights)
