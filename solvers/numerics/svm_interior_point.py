"""Linear support vector machines by an interior-point method, many at a time.

Mehrotra's predictor and corrector on the dual: with p features an iteration costs
O(n_samples p^2), and 10 to 20 of them are enough whatever C is. The problems share the
rows and differ in the signs (one class against the rest).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .svm_objective import best_intercept, relative_gap
from .svm_polish import polish

__all__ = ["SVMSolutions", "solve_svms"]

_MAX_ITERATIONS = 100
# Share of the way to the boundary that a step may go.
_STEP = 0.995
# Relative complementarity at which the active set is as good as known; the last digits
# come from solving on it.
_TOLERANCE = 1e-12
# Starting margins are at most about this large.
_START_MARGIN = 10.0


@dataclass(frozen=True, eq=False)
class SVMSolutions:
    """Solutions of several problems over the same rows.

    Parameters
    ----------
    coef : ndarray of float, shape (n_problems, n_features)
        Weights.
    intercept : ndarray of float, shape (n_problems,)
        Intercepts; the middle one where the best is not unique.
    dual : ndarray of float, shape (n_problems, n_samples)
        Dual variables times the signs of their rows.
    gap : ndarray of float, shape (n_problems,)
        Duality gaps relative to the objective.
    """

    coef: NDArray[np.float64]
    intercept: NDArray[np.float64]
    dual: NDArray[np.float64]
    gap: NDArray[np.float64]


def solve_svms(
    X: NDArray[np.float64], signs: NDArray[np.float64], caps: NDArray[np.float64]
) -> SVMSolutions:
    """Minimise ``1/2 |w|^2 + sum_i caps_i hinge_i`` for each row of signs.

    Parameters
    ----------
    X : ndarray of float, shape (n_samples, n_features)
        The rows.
    signs : ndarray of float, shape (n_problems, n_samples)
        +1 or -1, both in every problem.
    caps : ndarray of float, shape (n_samples,)
        C times the weight of each row, above 0.

    Returns
    -------
    SVMSolutions

    References
    ----------
    .. [1] Mehrotra, "On the implementation of a primal-dual interior point method",
       1992.
    .. [2] Ferris and Munson, "Interior-point methods for massive support vector
       machines", 2002, for the low-rank step.
    """
    centred = X - X.mean(axis=0)  # moves the intercept alone
    dual = _interior_duals(centred, signs, caps)
    solved = [
        _finished(centred, signs[k], caps, dual[k]) for k in range(signs.shape[0])
    ]
    coef = np.array([weights for weights, _, _ in solved])
    intercept = np.array(
        [
            best_intercept(X @ weights, own_signs, caps)
            for weights, own_signs in zip(coef, signs, strict=True)
        ]
    )
    return SVMSolutions(
        coef,
        intercept,
        np.array([point for _, point, _ in solved]),
        np.array([gap for _, _, gap in solved]),
    )


def _finished(
    X: NDArray, signs: NDArray, caps: NDArray, dual: NDArray
) -> tuple[NDArray, NDArray, float]:
    """Return weights, dual point and gap, solved on the active set if that is right."""
    coef, dual = polish(X, signs, caps, dual)
    intercept = best_intercept(X @ coef, signs, caps)
    return coef, dual, relative_gap(X, signs, caps, coef, intercept, dual)


@dataclass(frozen=True, eq=False)
class _Iterate:
    """Where a batch of problems stands, or a step of it: one row a problem.

    The weights are a variable of their own: recomputed from the duals they would lose
    digits to cancellation where C and the features are large.
    """

    alpha: NDArray  # dual variables, strictly between 0 and caps
    room: NDArray  # caps - alpha
    surplus: NDArray  # how far margins exceed 1: the multiplier of alpha >= 0
    hinge: NDArray  # how far they fall short: the multiplier of alpha <= caps
    weights: NDArray  # (n_problems, n_features + 1), the intercept last

    def kept(self, rows: NDArray[np.bool_]) -> _Iterate:
        return _Iterate(
            self.alpha[rows],
            self.room[rows],
            self.surplus[rows],
            self.hinge[rows],
            self.weights[rows],
        )

    def moved(self, step: _Iterate, length: NDArray) -> _Iterate:
        return _Iterate(
            self.alpha + length * step.alpha,
            self.room + length * step.room,
            self.surplus + length * step.surplus,
            self.hinge + length * step.hinge,
            self.weights + length * step.weights,
        )

    def complementarity(self) -> NDArray:
        return np.vecdot(self.alpha, self.surplus) + np.vecdot(self.room, self.hinge)


def _interior_duals(X: NDArray, signs: NDArray, caps: NDArray) -> NDArray:
    """Return dual points of every problem, times their signs."""
    rows = np.column_stack([X, np.ones(len(X))])
    duals = np.empty_like(signs)
    waiting = np.arange(signs.shape[0])
    at = _start(X, signs, caps)
    for _ in range(_MAX_ITERATIONS):
        coef = at.weights[:, :-1]
        value = 0.5 * np.vecdot(coef, coef) + at.hinge @ caps
        done = at.complementarity() <= _TOLERANCE * value
        duals[waiting] = at.alpha * signs[waiting]
        if done.all():
            break
        if done.any():
            waiting, at = waiting[~done], at.kept(~done)
        at = _advanced(rows, signs[waiting], at)
    return duals


def _start(X: NDArray, signs: NDArray, caps: NDArray) -> _Iterate:
    """Return a dual point that keeps its constraints, of margins that are not large."""
    positive = (caps * (signs > 0)).sum(axis=1, keepdims=True)
    negative = caps.sum() - positive
    share = np.minimum(positive, negative) / np.where(signs > 0, positive, negative)
    alpha = 0.5 * caps * share
    coef = (alpha * signs) @ X
    margins = signs * (coef @ X.T)
    largest = np.abs(margins).max(axis=1, keepdims=True)
    scale = np.minimum(1.0, _START_MARGIN / np.maximum(largest, 1e-300))
    alpha, short = alpha * scale, 1.0 - margins * scale
    hinge = np.maximum(short, 0.0) + 1.0
    weights = np.column_stack([coef * scale, np.zeros(len(signs))])
    return _Iterate(alpha, caps - alpha, hinge - short, hinge, weights)


def _advanced(rows: NDArray, signs: NDArray, at: _Iterate) -> _Iterate:
    """Return the iterate after one predictor and one corrector.

    ``rows`` are those of X with a 1 at the end, for the intercept.
    """
    curvature = 1.0 / (at.surplus / at.alpha + at.hinge / at.room)
    system, scale = _normal_matrices(rows, curvature)
    residual = signs * (at.weights @ rows.T) - 1.0 - at.surplus + at.hinge
    drift = (at.alpha * signs) @ rows
    drift[:, :-1] -= at.weights[:, :-1]

    def direction(low: NDArray, high: NDArray) -> _Iterate:
        target = curvature * (low / at.alpha - high / at.room - residual)
        right = drift + (target * signs) @ rows
        weights = scale * np.linalg.solve(system, (right * scale)[:, :, None])[:, :, 0]
        alpha = target - curvature * signs * (weights @ rows.T)
        surplus = (low - at.surplus * alpha) / at.alpha
        hinge = (high + at.hinge * alpha) / at.room
        return _Iterate(alpha, -alpha, surplus, hinge, weights)

    low, high = -at.alpha * at.surplus, -at.room * at.hinge
    affine = direction(low, high)
    mean = at.complementarity() / (2 * len(rows))
    ahead = at.moved(affine, _step_length(at, affine, 1.0))
    centring = (ahead.complementarity() / (2 * len(rows) * mean)) ** 3
    aim = (centring * mean)[:, np.newaxis]
    step = direction(
        low + aim - affine.alpha * affine.surplus,
        high + aim + affine.alpha * affine.hinge,
    )
    return at.moved(step, _step_length(at, step, _STEP))


def _normal_matrices(rows: NDArray, curvature: NDArray) -> tuple[NDArray, NDArray]:
    """Return ``rows' diag(curvature) rows + diag(1, ..., 1, 0)``, scaled, and scales.

    Scaled to a diagonal of ones, for features of very different sizes.
    """
    size = rows.shape[1]
    system = np.empty((len(curvature), size, size))
    for k, weights in enumerate(curvature):
        np.matmul((rows * weights[:, np.newaxis]).T, rows, out=system[k])
    penalised = np.arange(size - 1)
    system[:, penalised, penalised] += 1.0
    scale = 1.0 / np.sqrt(np.diagonal(system, axis1=1, axis2=2))
    system *= scale[:, :, np.newaxis]
    system *= scale[:, np.newaxis, :]
    return system, scale


def _step_length(at: _Iterate, step: _Iterate, share: float) -> NDArray:
    """Return how far each problem may go, shape (n_problems, 1)."""
    fastest = np.maximum.reduce(
        [
            -(step.alpha / at.alpha).min(axis=1),
            (step.alpha / at.room).max(axis=1),
            -(step.surplus / at.surplus).min(axis=1),
            -(step.hinge / at.hinge).min(axis=1),
        ]
    )
    return np.minimum(1.0, share / np.maximum(fastest, 1e-300))[:, np.newaxis]
