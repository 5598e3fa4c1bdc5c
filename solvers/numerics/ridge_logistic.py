"""Logistic regression with a small ridge, for many small fits."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cho_factor, cho_solve

from .arrays import Floats
from .logistic import log_losses

# Log-odds of rows that are all of one class: about 99 %.
_SURE = 4.6
_TOL = 1e-8
_MAX_STEPS = 50
_HALVINGS = 30
_CONSTANT = 1e-12


@dataclass(frozen=True, eq=False)
class LogisticModel:
    """Log-odds that are linear in the columns as they come."""

    weights: Floats  # (n_features,) Weights of the columns
    intercept: float  # Added to every decision

    def odds(self, X: Floats) -> Floats:
        """Return the log-odds of each row, (n_rows, n_features) -> (n_rows,)."""
        return X @ self.weights + self.intercept


def fit_logistic(
    X: Floats,
    signs: Floats,
    weights: Floats,
    ridge: float = 1e-4,
    start: LogisticModel | None = None,
) -> LogisticModel:
    """Minimise the mean logistic loss plus ``ridge / 2 |w|^2`` on standardised columns.

    The intercept is not penalised. Rows of one class only give their class at log-odds
    of 4.6; constant columns get no weight.

    Shapes: `X` (n_rows, n_features), `signs` (n_rows,), `weights` (n_rows,).
    `ridge`: weight of the ridge, above 0; keeps weights finite where classes are
    separable.
    `start`: where to begin.

    Notes
    -----
    Newton's method with step halving: O(n_rows n_features^2) a step.
    """
    shares = weights / weights.sum()
    mean = float(shares @ signs)
    n_features = X.shape[1]
    if abs(mean) > 1.0 - _CONSTANT:
        return LogisticModel(np.zeros(n_features), float(np.sign(mean)) * _SURE)
    centre = shares @ X
    table = X - centre
    deviation = np.sqrt(shares @ table**2)
    # Relative to the values: rounding leaves a constant column some deviation.
    useful = deviation > _CONSTANT * np.abs(X).max(axis=0)
    scale = np.where(useful, deviation, 1.0)
    table = np.column_stack([table / scale * useful, np.ones(len(X))])
    # The best intercept alone: (1 + mean) / 2 is the share of positive rows.
    begin = np.append(np.zeros(n_features), np.log((1.0 + mean) / (1.0 - mean)))
    if start is not None:
        # w.x + b = (scale w).((x - centre) / scale) + (b + w.centre): the same odds.
        moved = start.intercept + float(start.weights @ centre)
        begin = np.append(start.weights * scale * useful, moved)
    solved = _newton(
        table, signs, shares, np.append(np.full(n_features, ridge), 0.0), begin
    )
    raw = solved[:-1] / scale
    return LogisticModel(raw, float(solved[-1] - raw @ centre))


def _newton(
    table: NDArray, signs: NDArray, shares: NDArray, ridge: NDArray, w: NDArray
) -> Floats:
    margins = signs * (table @ w)
    value = _value(margins, shares, ridge, w)
    for _ in range(_MAX_STEPS):
        # sigmoid(-margin) = -d log(1 + e^-m) / dm; tanh does not overflow.
        doubt = 0.5 * (1.0 - np.tanh(0.5 * margins))
        gradient = ridge * w - table.T @ (shares * signs * doubt)
        if np.abs(gradient).max() <= _TOL:
            break
        # The Hessian is sum_i share_i s (1 - s) x_i x_i' + ridge, s = sigmoid.
        curvature = shares * doubt * (1.0 - doubt)
        hessian = (table.T * curvature) @ table
        # The intercept's curvature vanishes where every row is sure.
        hessian[np.diag_indices_from(hessian)] += np.maximum(ridge, 1e-10)
        step = -cho_solve(cho_factor(hessian), gradient)
        change = signs * (table @ step)
        # A Newton step of a convex loss descends: some part of it is lower.
        for size in 0.5 ** np.arange(_HALVINGS):
            moved = w + size * step
            tried = margins + size * change
            reached = _value(tried, shares, ridge, moved)
            if reached < value:
                break
        else:
            return w
        w, margins, value = moved, tried, reached
    return w


def _value(margins: NDArray, shares: NDArray, ridge: NDArray, w: NDArray) -> float:
    return float(shares @ log_losses(margins) + 0.5 * (ridge @ w**2))
