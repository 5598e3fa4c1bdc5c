"""The linear support vector machine: its objective, its dual and its intercept.

Every function speaks of one problem,

    minimise  1/2 |w|^2 + sum_i caps_i max(0, 1 - signs_i (w . x_i + b)),

of ``X`` (n_samples, n_features), ``signs`` (n_samples,), both of which occur, and
``caps`` (n_samples,), C times the weights of the rows. A dual point, (n_samples,), is
written with the sign of its row, ``dual = alpha * signs``, so that ``w = dual @ X``.
"""

from __future__ import annotations

import numpy as np

from .arrays import Floats

# Sums of weights that differ by less, relative to all of them, are held to be equal.
_SAME_WEIGHT = 1e-10


def primal_objective(
    X: Floats, signs: Floats, caps: Floats, coef: Floats, intercept: float
) -> float:
    """Return the value of the problem at a weight vector and an intercept."""
    hinge = np.maximum(0.0, 1.0 - signs * (X @ coef + intercept))
    return float(0.5 * coef @ coef + caps @ hinge)


def dual_objective(X: Floats, signs: Floats, dual: Floats) -> float:
    """Return the value of the dual at a point that keeps its constraints."""
    coef = dual @ X
    return float(dual @ signs - 0.5 * coef @ coef)


def relative_gap(
    X: Floats, signs: Floats, caps: Floats, coef: Floats, intercept: float, dual: Floats
) -> float:
    """Return how far a solution can be from the optimum, relative to its value."""
    upper = primal_objective(X, signs, caps, coef, intercept)
    lower = dual_objective(X, signs, dual)
    return max(0.0, upper - lower) / upper


def best_intercept(scores: Floats, signs: Floats, caps: Floats) -> float:
    """Return the intercept of least loss, the middle one where there are many.

    The loss is convex and piecewise linear in b: its slope is minus the caps of the
    positive rows at the far left, and grows by ``caps_i`` where row i meets its margin.
    """
    # Row i meets its margin at b = sign_i - score_i, whichever its sign.
    corners = signs - scores
    order = np.argsort(corners)
    risen = np.cumsum(caps[order])
    needed = caps[signs > 0].sum()
    slack = _SAME_WEIGHT * risen[-1]
    first = int(np.searchsorted(risen, needed - slack))
    lowest = corners[order[first]]
    if risen[first] > needed + slack:
        return float(lowest)
    return float(0.5 * (lowest + corners[order[first + 1]]))
