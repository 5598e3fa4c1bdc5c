"""The least objective G at shares z of what a node has open, with two derivatives.

The penalty of weight w_j is ridge / (2 z_j): with v = w / z, L the Hessian of the loss
and P = ridge / Z, grad G = -ridge v^2 / 2 and hess G = diag(v) (L - L (L + P)^-1 L)
diag(v), both summed over the columns of each bundle.
"""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from .node_part import NodePart
from .oracle import Cut

__all__ = ["Fit", "MinimisedLoss", "ShareModel"]


class Fit(Protocol):
    """A model of some columns."""

    value: float

    @property
    def slopes(self) -> NDArray[np.float64]:
        """The weights of the columns."""

    def minimise(self, penalty: NDArray[np.float64], tol: float) -> None:
        """Move to the minimum with this penalty of each weight, or near it."""

    def curvature(self) -> NDArray[np.float64]:
        """Return L - L (L + P)^-1 L."""


class MinimisedLoss(Protocol):
    """What is to be minimised: the loss itself, or what is known to be below it."""

    strengths: NDArray[np.float64]  # (n_columns,): what a square of a weight costs

    def model_of(self, columns: NDArray[np.int_]) -> Any:
        """Return a model of some columns."""

    def answer(self, columns: NDArray[np.int_], fit: Any) -> Cut:
        """Return the cut that a model of some columns gives."""


class ShareModel:
    """A logistic model that follows the shares of the open bundles."""

    def __init__(self, loss: MinimisedLoss, part: NodePart) -> None:
        place = np.full(part.problem.n_bundles, -1)
        place[part.bundles] = np.arange(len(part.bundles))
        place[part.paid] = len(part.bundles)
        bundle = place[part.problem.bundle_of]
        self._n = len(part.bundles)
        self._columns = np.flatnonzero(bundle >= 0)
        self._bundle = bundle[self._columns]  # `_n` where it is paid for
        self._loss, self._strengths = loss, loss.strengths[self._columns]
        self._fit: Fit = loss.model_of(self._columns)

    def at(self, z: NDArray[np.float64], tol: float) -> Cut:
        """Fit the model at shares of the open bundles; return its cut."""
        self._z = np.append(z, 1.0)[self._bundle]
        self._fit.minimise(self._strengths / self._z, tol)
        return self._loss.answer(self._columns, self._fit)

    def curvature(self) -> NDArray[np.float64]:
        """Return hess G, (n_open, n_open)."""
        v = self._fit.slopes / self._z
        # The chain rule through penalty_j = strength_j / z_j, twice.
        of_columns = self._fit.curvature() * v * v[:, np.newaxis]
        if np.array_equal(self._bundle, np.arange(self._n)):
            return of_columns
        return self._summed(self._summed(of_columns).T)

    def _summed(self, of_columns: NDArray[np.float64]) -> NDArray[np.float64]:
        sums = np.zeros((self._n + 1, of_columns.shape[1]))
        np.add.at(sums, self._bundle, of_columns)
        return sums[: self._n]
