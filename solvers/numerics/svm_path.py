"""The published solution path from each support vector machine to the next.

Between the machine on the first ``p - 1`` features and that on the first ``p`` lies a
piecewise linear path: the new weight is held back by a penalty ``beta |w_p|`` that
falls to zero. Every solution on it meets, with ``t_i`` the margin that is asked for,

    w_k = sum_i alpha_i y_i x_ik (k < p),   w_p = the same, shrunk towards 0 by beta,
    sum_i alpha_i y_i = 0,   0 <= alpha_i <= caps_i,
    alpha_i = caps_i short of the margin, alpha_i = 0 beyond it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .arrays import Floats, Integers, Mask
from .svm_machines import solve_svms
from .svm_optimum import edge_system, relative_gap

# Margins are asked to be 1 + this times a draw from [0, 1): it parts rows that would
# meet the margin together, and moves the objective by no more than itself.
_PERTURBATION = 1e-8
# Speeds below this are rounding.
_STILL = 1e-12
# A new feature whose first pull is below this share of the largest has none.
_NO_PULL = 1e-13
_RECOMPUTE_EVERY = 25
# Relative duality gap at which a machine is reached.
_REACHED = 1e-6
_MOST_STEPS_OF_LENGTH_ZERO = 200


@dataclass(frozen=True, eq=False)
class PathPoint:
    """A breakpoint of the path."""

    n_features: int  # How many features take part; the last of them is the new one
    # Penalty of the new weight. At 0 the machine on these features is reached.
    beta: float
    coef: Floats  # (n_features,) Weights
    intercept: float  # Intercept
    alpha: Floats  # (n_samples,) Dual variables, between 0 and the caps
    # False where the path was lost and the machine was solved afresh
    followed: bool = True


class _PathLostError(ArithmeticError):
    """Too many rows on the margin at once to tell where the path goes."""


def margin_targets(n_samples: int, random_state: int | None = 0) -> Floats:
    """Return the margins that the path asks for: 1, and a hair more, (n_samples,)."""
    return 1.0 + _PERTURBATION * np.random.default_rng(random_state).random(n_samples)


def solution_path(
    X: Floats, signs: Floats, caps: Floats, random_state: int | None = 0
) -> Iterator[PathPoint]:
    """Yield every breakpoint, features entering one by one in the order of columns.

    For each number of features at least the point of ``beta = 0``.

    Notes
    -----
    O(n_samples n_features) a breakpoint, and on noisy data about .4 n_samples
    breakpoints a feature. Where the path is lost, the machine is solved by the
    interior-point method and the path goes on from there.

    References
    ----------
    .. [1] Liu et al., "TEFE: a time-efficient approach to feature extraction", 2008,
       section 3.1 and Fig. 2. Its Eq. (1) must read ``1 - y f <= xi``, and ``alpha``
       runs to C.
    """
    targets = margin_targets(X.shape[0], random_state)
    at = None
    for n_features in range(1, X.shape[1] + 1):
        rows = X[:, :n_features]
        try:
            for standing, beta in _towards(rows, signs, caps, targets, at):
                yield _point(standing, beta)
            at = standing
        except (_PathLostError, np.linalg.LinAlgError):
            at = _afresh(rows, signs, caps, targets)
            yield _point(at, 0.0, followed=False)


def _towards(
    X: NDArray, signs: NDArray, caps: NDArray, targets: NDArray, at: Standing | None
) -> Iterator[tuple[Standing, float]]:
    """Yield the way to the machine on all columns of X; lost if that is not reached."""
    if at is None or not np.ptp(X[:, :-1], axis=0).any():
        way = iter([(on_one_feature(X, signs, caps, targets), 0.0)])
    else:
        way = _phase(X, signs, caps, targets, at)
    for standing, beta in way:
        if beta == 0.0 and not _is_machine(X, signs, caps, standing):
            raise _PathLostError
        yield standing, beta


def _is_machine(X: NDArray, signs: NDArray, caps: NDArray, at: Standing) -> bool:
    dual = at.alpha * signs
    gap = relative_gap(X, signs, caps, at.coef, at.intercept, dual)
    return abs(dual.sum()) <= _REACHED * caps.sum() and gap <= _REACHED


def _point(at: Standing, beta: float, followed: bool = True) -> PathPoint:
    return PathPoint(
        len(at.coef), beta, at.coef.copy(), at.intercept, at.alpha.copy(), followed
    )


def _phase(
    X: NDArray, signs: NDArray, caps: NDArray, targets: NDArray, at: Standing
) -> Iterator[tuple[Standing, float]]:
    """Yield where the path stands while the penalty of the last feature falls to 0."""
    new = X[:, -1]
    pull = float((at.alpha * signs) @ new)
    # From beta = |pull| down the new weight grows away from 0; its sign never turns.
    side, beta = (1.0 if pull >= 0 else -1.0), abs(pull)
    at = Standing(np.append(at.coef, 0.0), at.intercept, at.alpha.copy(), list(at.edge))
    if beta <= _NO_PULL * float(caps @ np.abs(new)):
        yield at, 0.0
        return
    yield at, beta
    short = signs * (X @ at.coef + at.intercept) < targets
    short[at.edge] = False
    stuck = 0
    for number in range(1, 50 * len(X) + 1000):
        length, beta = _advance(X, signs, caps, targets, at, short, side, beta)
        stuck = stuck + 1 if length == 0.0 else 0
        if stuck > _MOST_STEPS_OF_LENGTH_ZERO:
            break
        if beta <= 0.0:
            yield solve_on_edge(X, signs, caps, targets, at), 0.0
            return
        if number % _RECOMPUTE_EVERY == 0:
            # w = sum alpha y x, less the last weight's shrinkage: rounding is undone.
            at.coef = (at.alpha * signs) @ X
            at.coef[-1] -= side * beta
        if length > 0.0:
            yield at, beta
    raise _PathLostError


def _advance(
    X: NDArray,
    signs: NDArray,
    caps: NDArray,
    targets: NDArray,
    at: Standing,
    short: Mask,
    side: float,
    beta: float,
) -> tuple[float, float]:
    """Move to the next breakpoint; return the length of the step and the new beta."""
    edge = np.array(at.edge)
    d_alpha, d_coef, d_intercept = _direction(X, signs, edge, side)
    margins = signs * (X @ at.coef + at.intercept)
    d_margins = signs * (X @ d_coef + d_intercept)
    leave = _time_to_bounds(at.alpha[edge], caps[edge], d_alpha)
    enter = _time_to_margin(margins - targets, d_margins, short, edge)
    leaving, entering = int(np.argmin(leave)), int(np.argmin(enter))
    # The next event: the penalty is gone, a row leaves the edge, or one comes onto it.
    length = min(beta, float(leave[leaving]), float(enter[entering]))
    at.alpha[edge] = np.clip(at.alpha[edge] + length * d_alpha, 0.0, caps[edge])
    at.coef = at.coef + length * d_coef
    at.intercept += length * d_intercept
    if length == beta:
        return length, 0.0
    if length == leave[leaving]:
        row = int(edge[leaving])
        # At its cap a row falls short of its margin from here on; at 0 it goes beyond.
        short[row] = d_alpha[leaving] > 0
        at.alpha[row] = caps[row] if short[row] else 0.0
        at.edge.remove(row)
    else:
        short[entering] = False
        at.edge.append(entering)
    return length, beta - length


def _direction(
    X: NDArray, signs: NDArray, edge: Integers, side: float
) -> tuple[NDArray, NDArray, float]:
    """Return how alpha on the edge, weights and intercept move as beta falls.

    Eqs. (8) to (11): the rows of the edge stay on their margins.
    """
    n_features = X.shape[1]
    ahead = np.zeros(n_features)
    ahead[-1] = side
    if len(edge) == 1:
        # The sum over alpha y pins alpha; the intercept keeps the row on its margin.
        return np.zeros(1), ahead, -side * float(X[edge[0], -1])
    signed = X[edge] * signs[edge, np.newaxis]
    system = np.zeros((len(edge) + 1, len(edge) + 1))
    system[:-1, :-1] = signed @ signed.T
    system[-1, :-1] = system[:-1, -1] = signs[edge]
    solved = np.linalg.solve(system, np.append(-side * signed[:, -1], 0.0))
    d_alpha = solved[:-1]
    if len(edge) == n_features + 1:
        return d_alpha, np.zeros(n_features), 0.0  # the rows pin w and b
    return d_alpha, d_alpha @ signed + ahead, float(solved[-1])


def _time_to_bounds(alpha: NDArray, caps: NDArray, speed: NDArray) -> NDArray:
    room = np.where(speed > 0, caps - alpha, alpha)
    speed = np.abs(speed)
    moving = speed > _STILL * max(1.0, float(speed.max()))
    return np.where(moving, room / np.where(moving, speed, 1.0), np.inf)


def _time_to_margin(
    beyond: NDArray, speed: NDArray, short: Mask, edge: Integers
) -> NDArray:
    towards = np.where(short, speed, -speed)
    distance = np.maximum(np.where(short, -beyond, beyond), 0.0)
    coming = towards > _STILL * max(1.0, float(np.abs(speed).max()))
    times = np.where(coming, distance / np.where(coming, towards, 1.0), np.inf)
    times[edge] = np.inf
    return times


def _afresh(X: NDArray, signs: NDArray, caps: NDArray, targets: NDArray) -> Standing:
    """Return the machine on all columns of X by the interior-point method."""
    solved = solve_svms(X, signs[np.newaxis], caps)
    coef, alpha = solved.coef[0], solved.dual[0] * signs
    alpha = np.where(alpha < 1e-9 * caps, 0.0, alpha)
    alpha = np.where(caps - alpha < 1e-9 * caps, caps, alpha)
    edge = np.flatnonzero((alpha > 0) & (alpha < caps))
    intercept = float(solved.intercept[0])
    if not len(edge):
        corners = signs * targets - X @ coef
        edge = np.array([np.argmin(np.abs(corners - intercept))])
        intercept = float(corners[edge[0]])
    return Standing(coef, intercept, alpha, [int(row) for row in edge])


# Where the path begins, exactly: on one feature; and what is known once its edge is.


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
    missing = signs[edge] * targets[edge] - rows @ fixed
    solved = np.linalg.solve(*edge_system(rows, missing, -dual.sum()))
    dual[edge] = solved[:-1]
    alpha = np.clip(dual * signs, 0.0, caps)
    return Standing((alpha * signs) @ X, float(solved[-1]), alpha, at.edge)
