"""The linear support vector machine: its objective, its dual, and its last digits.

Every function speaks of one problem,

    minimise  1/2 |w|^2 + sum_i caps_i max(0, 1 - signs_i (w . x_i + b)),

of ``X`` (n_samples, n_features), ``signs`` (n_samples,), both of which occur, and
``caps`` (n_samples,), C times the weights of the rows. A dual point, (n_samples,), is
written with the sign of its row, ``dual = alpha * signs``, so that ``w = dual @ X``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import linalg

from .arrays import Floats, Mask

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


# The last digits, by solving on the active set.


# How often rows may change sides before the guess of the active set is given up.
_ROUNDS = 6
# Relative to the trace: makes duplicated rows on the margin solvable; refinement
# against the true system takes its effect away again.
_RIDGE = 1e-13
_REFINEMENTS = 3
# Relative to the objective, or to the sum of the caps: no more than rounding.
_EXACT = 1e-14
# Nothing is gained below this where more rows lie on the margin than features fix.
_NEARLY_EXACT = 1e-11


class Machine(NamedTuple):
    """A machine, a dual point, and the relative duality gap that they certify."""

    coef: Floats
    intercept: float
    dual: Floats
    gap: float


@dataclass(frozen=True, eq=False)
class _DualPoint:
    """A dual point, the best machine of its weights, and what both are worth."""

    coef: NDArray
    dual: NDArray
    margins: NDArray
    intercept: float
    value: float
    bound: float


def machine_of(X: Floats, signs: Floats, caps: Floats, dual: Floats) -> Machine:
    """Return the machine of a dual point that nearly keeps its constraints."""
    dual = _balanced(dual, signs, caps)
    return _machine(*[_point(X, signs, caps, dual @ X, dual)] * 2)


def polish(X: Floats, signs: Floats, caps: Floats, dual: Floats) -> Machine:
    """Return a machine that is exact where the active set is right.

    Rows are split into those on the margin, those short of it (``alpha = cap``) and
    those beyond it (``alpha = 0``); on a split the solution is a linear system. What is
    returned is never worse than what was given: a nearly optimal dual point, times the
    signs, over the rows of ``X``, (n_samples, n_features).
    """
    dual = _balanced(dual, signs, caps)
    at = upper = lower = _point(X, signs, caps, dual @ X, dual)
    tried = None
    for _ in range(_ROUNDS):
        edge, full = _split(caps, at.dual * signs, at.margins)
        if tried is not None and np.array_equal(tried, (edge, full)):
            break  # the same system again
        degenerate = np.count_nonzero(edge) > X.shape[1] + 1
        if degenerate and upper.value - lower.bound <= _NEARLY_EXACT * upper.value:
            break
        tried = (edge, full)
        coef, dual = _solve_on(X, signs, caps, edge, full, at.dual)
        at = _point(X, signs, caps, coef, _balanced(dual, signs, caps))
        if at.value <= upper.value:
            upper = at
        is_feasible = abs(at.dual.sum()) <= _EXACT * caps.sum()
        if at.bound >= lower.bound and is_feasible:
            lower = at
        if upper.value - lower.bound <= _EXACT * upper.value:
            break
    return _machine(upper, lower)


def _machine(upper: _DualPoint, lower: _DualPoint) -> Machine:
    gap = max(0.0, upper.value - lower.bound) / upper.value
    return Machine(upper.coef, upper.intercept, lower.dual, gap)


def _point(
    X: NDArray, signs: NDArray, caps: NDArray, coef: NDArray, dual: NDArray
) -> _DualPoint:
    scores = X @ coef
    intercept = best_intercept(scores, signs, caps)
    margins = signs * (scores + intercept)
    value = 0.5 * coef @ coef + caps @ np.maximum(0.0, 1.0 - margins)
    bound = dual_objective(X, signs, dual)
    return _DualPoint(coef, dual, margins, intercept, float(value), bound)


def _balanced(dual: NDArray, signs: NDArray, caps: NDArray) -> NDArray:
    """Return a dual point within the caps whose sum is zero, if rows have the room."""
    alpha = np.clip(dual * signs, 0.0, caps)
    movable = np.minimum(alpha, caps - alpha)
    excess = float(alpha @ signs)
    total = movable.sum()
    if abs(excess) > total or total == 0.0:
        return alpha * signs
    return alpha * signs - excess / total * movable


def _split(caps: NDArray, alpha: NDArray, margins: NDArray) -> tuple[Mask, Mask]:
    """Return which rows are held to the margin, and which have alpha = cap."""
    # At the solution one of the two, dual variable and surplus of the margin, is zero;
    # near it, that is the smaller one.
    share = alpha / caps
    beyond = (share < 0.5) & (margins - 1.0 > share)
    full = (share >= 0.5) & (1.0 - margins > 1.0 - share)
    return ~beyond & ~full, full


def _solve_on(
    X: NDArray, signs: NDArray, caps: NDArray, edge: Mask, full: Mask, near: NDArray
) -> tuple[NDArray, NDArray]:
    """Return the solution whose edge rows have margin 1 and full rows alpha = cap.

    Of many such duals the one that is closest to ``near``.
    """
    dual = np.where(full, caps * signs, 0.0)
    fixed = dual @ X
    rows = X[edge]
    if not len(rows):
        return fixed, dual
    if len(rows) > X.shape[1] + 1:
        right = signs[edge] - rows @ fixed
        news, dual[edge] = _solve_tall(rows, right, -dual.sum(), near[edge])
        return fixed + news, dual
    solution = _refined(*edge_system(rows, signs[edge] - rows @ fixed, -dual.sum()))
    dual[edge] = solution[:-1]
    return fixed + solution[:-1] @ rows, dual


def edge_system(rows: Floats, missing: Floats, total: float) -> tuple[Floats, Floats]:
    """Return the linear system of rows that are held to their margins.

    Its solution is their dual variables and the intercept. The scores of the rows are
    to grow by what is ``missing``, (n_rows,), and their dual variables to sum to
    ``total``: [K 1; 1' 0] [dual; b] = [missing; total].
    """
    system = np.ones((len(rows) + 1, len(rows) + 1))
    system[:-1, :-1] = rows @ rows.T
    system[-1, -1] = 0.0
    return system, np.append(missing, total)


def _solve_tall(
    rows: NDArray, right: NDArray, total: float, near: NDArray
) -> tuple[NDArray, NDArray]:
    """Return weights that give more rows than features their scores, and their duals.

    As when nothing can be learned, and every row of the larger class is on the margin:
    the system over rows, hundreds of times larger, is singular then. Weights and
    intercept follow from the rows alone; of all duals that make up these weights and
    have the total given, the least are taken.
    """
    table = np.column_stack([rows, np.ones(len(rows))])
    left, sizes, turned = linalg.svd(table, full_matrices=False, check_finite=False)
    kept = sizes > sizes[0] * len(rows) * np.finfo(float).eps
    left, sizes, turned, free = left[:, kept], sizes[kept], turned[kept], turned[~kept]
    plane = (left.T @ right / sizes) @ turned
    # Along these directions no score changes, but only one point has such duals.
    excess = free[:, :-1] @ plane[:-1] + free[:, -1] * total
    weights = free[:, :-1]
    plane = plane - np.linalg.pinv(weights @ weights.T) @ excess @ free
    coef = plane[:-1]
    missing = np.append(coef, total) - near @ table
    return coef, near + left @ (turned @ missing / sizes)


def _refined(system: NDArray, right: NDArray) -> NDArray:
    n = len(system) - 1
    ridged = system.copy()
    diagonal = np.arange(n)
    ridged[diagonal, diagonal] += _RIDGE * max(np.trace(system) / n, 1e-12)
    # LAPACK itself: for systems of this size the checks around it take as long.
    factors, pivots, _ = linalg.lapack.dgetrf(ridged)
    solution = linalg.lapack.dgetrs(factors, pivots, right)[0]
    for _ in range(_REFINEMENTS):
        residual = right - system @ solution
        solution += linalg.lapack.dgetrs(factors, pivots, residual)[0]
    return solution
