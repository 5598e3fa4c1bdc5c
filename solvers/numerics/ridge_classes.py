"""Multinomial logistic regression with a small ridge, for many small fits."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize
from scipy.special import logsumexp

from .arrays import Floats, Integers
from .multinomial import class_corners

# By how much a class that no row is of trails the mean of the others: about 99 %.
_SURE = 4.6
_CONSTANT = 1e-12
_TOL = 1e-8
_MAX_STEPS = 1000


@dataclass(frozen=True, eq=False)
class ClassScores:
    """A score a class, linear in the columns as they come."""

    weights: Floats  # (n_classes, n_features) Weights of the columns
    intercept: Floats  # (n_classes,) Added to every score

    def scores(self, X: Floats) -> Floats:
        """Return the scores of rows, (n_rows, n_features) -> (n_rows, n_classes)."""
        return X @ self.weights.T + self.intercept


def fit_classes(
    X: Floats,
    labels: Integers,
    n_classes: int,
    weights: Floats,
    ridge: float = 1e-4,
    start: ClassScores | None = None,
) -> ClassScores:
    """Minimise the mean multinomial loss plus ``ridge / 2 |W|^2``.

    W are the weights of the odds on standardised columns, as `MultinomialLoss` has
    them: of two classes it is what `fit_logistic` minimises. Intercepts are not
    penalised; constant columns get no weight. A class that no row is of trails the mean
    of the others by 4.6, so that it is never called.

    Shapes: `X` (n_rows, n_features), `labels` (n_rows,), `weights` (n_rows,).
    `start`: where to begin.
    """
    seen, codes = np.unique(labels, return_inverse=True)
    n_features, n_seen = X.shape[1], len(seen)
    coef = np.zeros((n_classes, n_features))
    base = np.full(n_classes, -_SURE)
    base[seen] = 0.0
    if n_seen == 1:
        return ClassScores(coef, base)
    shares = weights / weights.sum()
    centre = shares @ X
    table = X - centre
    deviation = np.sqrt(shares @ table**2)
    # Relative to the values: rounding leaves a constant column some deviation.
    useful = deviation > _CONSTANT * np.abs(X).max(axis=0)
    scale = np.where(useful, deviation, 1.0)
    table = np.column_stack([table / scale * useful, np.ones(len(X))])
    half = class_corners(n_seen) / 2.0
    begin = np.zeros((n_features + 1, n_seen - 1))
    # Twice half'half is the identity: these are the odds of given scores.
    begin[-1] = 2.0 * np.log(np.bincount(codes, shares)) @ half
    if start is not None:
        known = start.weights[seen]
        begin[:-1] = 2.0 * ((known * scale * useful).T @ half)
        begin[-1] = 2.0 * (start.intercept[seen] + known @ centre) @ half
    wanted = half[codes]
    penalty = np.append(np.full(n_features, ridge), 0.0)[:, np.newaxis]

    def value_and_gradient(z: Floats) -> tuple[float, Floats]:
        w = z.reshape(begin.shape)
        scores = table @ w @ half.T
        total = logsumexp(scores, axis=1)
        right = scores[np.arange(len(codes)), codes]
        value = shares @ (total - right) + 0.5 * float(np.sum(penalty * w**2))
        slopes = np.exp(scores - total[:, np.newaxis]) @ half - wanted
        gradient = table.T @ (slopes * shares[:, np.newaxis]) + penalty * w
        return float(value), gradient.ravel()

    found = minimize(
        value_and_gradient,
        begin.ravel(),
        jac=True,
        method="L-BFGS-B",
        options={"maxiter": _MAX_STEPS, "maxcor": 20, "ftol": 1e-15, "gtol": _TOL},
    )
    w = found.x.reshape(begin.shape)
    coef[seen] = half @ (w[:-1] / scale[:, np.newaxis]).T
    base[seen] = half @ w[-1] - coef[seen] @ centre
    return ClassScores(coef, base)
