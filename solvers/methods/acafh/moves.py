"""Adding or dropping one feature, or all features of one component.

A stationary point locks its zeros, so better points may lie one move away. Each move's
objective is predicted from the quadratic model of the loss and the exact penalty; only
the most promising ones are tried.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...numerics.arrays import Floats, Integers
from ...numerics.curvature import HessianCache
from ...numerics.logistic import LogisticLoss
from ...numerics.prox_newton import LinearFit
from .penalties import SharedPenalty

_STRIDES = (0.5, 1.0)
# Where the mean curvature is below this share of the mean loss, the loss is straight or
# nothing: no quadratic tells what a move gives.
_STRAIGHT = 1e-6
# Where features times components are more than this, only so many features outside of
# the support are looked at: those whose loss falls fastest for their price.
_ENTRIES = 200_000
_OUTSIDE = 200


class _Model:
    """Predicts the change of the objective under changes of the weights."""

    def __init__(
        self,
        loss: LogisticLoss,
        penalty: SharedPenalty,
        hessians: HessianCache,
        fit: LinearFit,
    ) -> None:
        point = loss.at(fit.odds)
        gradient = loss.gradient(point.slopes)
        self.index = _looked_at(loss, penalty, fit, gradient)
        matrix = hessians.near(self.index, point.curvatures, 0.3)
        # The intercept follows every change.
        slope = matrix[:-1, -1]
        self.hessian = matrix[:-1, :-1] - np.outer(slope, slope) / matrix[-1, -1]
        self.gradient = gradient[self.index]
        self.weights = fit.weights[self.index]
        self.penalty = penalty
        components = penalty.sharing.needed(self.index)
        self.rows = penalty.sharing.rows_of(self.index, components)
        self.costs = penalty.sharing.costs[components]
        self.before = self._penalties(self.weights[np.newaxis])[0]

    def _penalties(self, weights: NDArray) -> Floats:
        loads = np.abs(weights) @ self.rows
        paid = self.penalty.shape.value(loads) @ self.costs
        return self.penalty.alpha * paid

    def change(self, steps: NDArray) -> Floats:
        """Return the predicted change of the objective for each row of steps."""
        # The loss by second order, the penalty as it is: a dropped component is a jump.
        quadratic = np.einsum("ij,ij->i", steps @ self.hessian, steps) / 2.0
        after = self._penalties(self.weights + steps)
        return steps @ self.gradient + quadratic + after - self.before


def promising_moves(
    loss: LogisticLoss,
    penalty: SharedPenalty,
    hessians: HessianCache,
    fit: LinearFit,
    n_moves: int,
    least: float,
) -> list[Floats]:
    """Return weights after the moves that promise to lower the objective most.

    Shape: (n_features,).
    `fit`: where to move from.
    """
    if loss.at(fit.odds).curvatures.sum() <= _STRAIGHT * fit.loss:
        return []
    model = _Model(loss, penalty, hessians, fit)
    support = np.flatnonzero(model.weights)
    outside = np.flatnonzero((model.weights == 0) & loss.selectable[model.index])
    strides = np.zeros(len(model.weights))
    # To the minimum along each coordinate alone.
    curvature = np.maximum(np.diag(model.hessian)[outside], 1e-12)
    strides[outside] = -model.gradient[outside] / curvature
    steps = np.vstack(
        [
            _drops(model, support),
            _by_component(model, -model.weights),
            *(share * np.diag(strides)[outside] for share in _STRIDES),
            *(share * _by_component(model, strides) for share in _STRIDES),
        ]
    )
    changes = model.change(steps)
    order = np.argsort(changes, kind="stable")[: 4 * n_moves]
    moved: list[Floats] = []
    supports: set[bytes] = set()
    for i in order:
        weights = fit.weights.copy()
        weights[model.index] += steps[i]
        key = np.flatnonzero(weights).tobytes()
        if changes[i] < -least and key not in supports and len(moved) < n_moves:
            supports.add(key)
            moved.append(weights)
    return moved


def _looked_at(
    loss: LogisticLoss, penalty: SharedPenalty, fit: LinearFit, gradient: NDArray
) -> Integers:
    """Return the features that moves are made of: all of them where they are few."""
    used = fit.weights != 0
    if loss.n_features * len(penalty.sharing.costs) <= _ENTRIES:
        return np.arange(loss.n_features)
    prices = penalty.sharing.prices
    # To first order a feature lowers the loss by its gradient squared over curvature.
    worth = gradient**2 / np.maximum(prices, 1e-12 * prices.max(initial=1.0))
    worth[used | ~loss.selectable] = 0.0
    used[np.argsort(-worth, kind="stable")[:_OUTSIDE]] = True
    return np.flatnonzero(used)


def _drops(model: _Model, support: Integers) -> Floats:
    """Return steps that take out one feature; the others make up for it."""
    k, m = len(support), len(model.weights)
    steps = np.zeros((k, m))
    if not k:
        return steps
    hessian = model.hessian[np.ix_(support, support)]
    ridge = 1e-9 * np.trace(hessian) / k + 1e-300
    # Optimal brain surgeon: w_j -> 0 moves the others by -w_j C_j / C_jj, C = H^-1.
    inverse = np.linalg.inv(hessian + ridge * np.eye(k))
    w = model.weights[support]
    steps[:, support] = -(w / np.diag(inverse))[:, np.newaxis] * inverse
    steps[np.arange(k), support] = -w
    return steps


def _by_component(model: _Model, change: NDArray) -> Floats:
    """Return steps that change all features of one component, where it has several."""
    steps = model.rows.T * change
    return steps[np.count_nonzero(steps, axis=1) > 1]
