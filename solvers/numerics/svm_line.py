"""The support vector machine on one feature, exactly, and on a known edge.

The problem is that of ``svm_objective``, but for the margins asked for: ``targets``,
(n_samples,), where that has 1.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .arrays import Floats

_BISECTIONS = 200
_SAME_WEIGHT = 1e-12


@dataclass(eq=False)
class Standing:
    """Where a solution path stands."""

    coef: Floats  # (n_features,) Weights
    intercept: float
    alpha: Floats  # (n_samples,) Dual variables
    edge: list[int]  # The rows that are held to their margins; at least one


def on_one_feature(X: Floats, signs: Floats, caps: Floats, targets: Floats) -> Standing:
    """Return the machine on the last column of X, where all others are constant.

    For a given weight the best intercept is a weighted median, and the dual variables
    follow from it; the weight is where the derivative ``w - sum alpha y x`` changes its
    sign, found by bisection.
    """
    x = X[:, -1]
    low, high = 0.0, _pull(x, signs, _duals_at(0.0, x, signs, caps, targets)[0])
    coef = np.zeros(X.shape[1])
    for _ in range(_BISECTIONS):
        middle = 0.5 * (low + high)
        alpha, row = _duals_at(middle, x, signs, caps, targets)
        trial = _pull(x, signs, alpha)
        settled, same = _duals_at(trial, x, signs, caps, targets)
        if same == row and np.array_equal(settled, alpha):
            coef[-1] = trial
            return Standing(coef, _corner(trial, row, x, signs, targets), alpha, [row])
        if middle in (low, high):
            break  # no number lies between them
        if abs(middle) < abs(trial) and middle * trial >= 0:
            low = middle
        else:
            high = middle
    below, first = _duals_at(low, x, signs, caps, targets)
    above, second = _duals_at(high, x, signs, caps, targets)
    edge = sorted({first, second, *(int(i) for i in np.flatnonzero(below != above))})
    coef[-1] = low
    mixed = 0.5 * (below + above)
    intercept = _corner(low, first, x, signs, targets)
    return solve_on_edge(
        X, signs, caps, targets, Standing(coef, intercept, mixed, edge)
    )


def _duals_at(
    weight: float, x: NDArray, signs: NDArray, caps: NDArray, targets: NDArray
) -> tuple[NDArray, int]:
    """Return the dual variables of the best intercept, and the row that sets it."""
    corners = signs * targets - weight * x
    order = np.argsort(corners, kind="stable")
    risen = np.cumsum(caps[order])
    needed = caps[signs > 0].sum()
    first = int(np.searchsorted(risen, needed - _SAME_WEIGHT * risen[-1]))
    short = np.where(signs > 0, 1.0, 0.0)
    passed = order[:first]
    # b is beyond their corners: positive rows keep their margins, negative do not.
    short[passed] = np.where(signs[passed] > 0, 0.0, 1.0)
    row = int(order[first])
    short[row] = 0.0
    alpha = short * caps
    # The row at the corner makes up for the rest: sum alpha y = 0.
    alpha[row] = np.clip(-signs[row] * (alpha @ signs), 0.0, caps[row])
    return alpha, row


def _pull(x: NDArray, signs: NDArray, alpha: NDArray) -> float:
    return float((alpha * signs) @ x)


def _corner(
    weight: float, row: int, x: NDArray, signs: NDArray, targets: NDArray
) -> float:
    return float(signs[row] * targets[row] - weight * x[row])


def solve_on_edge(
    X: Floats, signs: Floats, caps: Floats, targets: Floats, at: Standing
) -> Standing:
    """Return the machine whose edge is known, with what has drifted put right."""
    edge = np.array(at.edge)
    dual = at.alpha * signs
    dual[edge] = 0.0
    fixed = dual @ X
    rows = X[edge]
    if len(edge) == 1:
        # One equation too few to move alpha; the row keeps the margin by the intercept.
        dual[edge] = -dual.sum()
        coef = dual @ X
        intercept = float(signs[edge[0]] * targets[edge[0]] - rows[0] @ coef)
        return Standing(coef, intercept, dual * signs, at.edge)
    # KKT on the edge: [K 1; 1' 0] [dual; b] = [margins - what is fixed; -its sum].
    system = np.ones((len(edge) + 1, len(edge) + 1))
    system[:-1, :-1] = rows @ rows.T
    system[-1, -1] = 0.0
    right = np.append(signs[edge] * targets[edge] - rows @ fixed, -dual.sum())
    solved = np.linalg.solve(system, right)
    dual[edge] = solved[:-1]
    alpha = np.clip(dual * signs, 0.0, caps)
    return Standing((alpha * signs) @ X, float(solved[-1]), alpha, at.edge)
