"""Linear support vector machines by an interior-point method, many at a time.

Mehrotra's predictor and corrector on the dual: with p features an iteration costs
O(n_samples p^2), and 10 to 20 of them are enough whatever C is. The problems share the
rows; they differ in the signs (one class against the rest) and in how many of the
first columns they see (the stages of a cascade).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import linalg

from .arrays import Floats, Integers, Mask

_MAX_ITERATIONS = 100
# Share of the way to the boundary that a step may go.
_STEP = 0.995
# Relative complementarities at which the active set may be known, and the last, at
# which it is as good as known. The last digits come from solving on it.
_LOOKS = (1e-6, 1e-8, 1e-10, 1e-12)
# Starting margins are at most about this large.
_START_MARGIN = 10.0
# Systems up to this size are solved faster twice, all at once, than factorised singly.
_SMALL = 24
# Rows that add less than this to a system, whose penalty adds 1, are left out of it.
# Near the end these are all rows but those on the margin.
_SEEN = 1e-4
# Taking rows out pays below this share of them.
_MOST = 0.8
# What is first added to the diagonal, relative to it, where a factor breaks down.
_RIDGE = 1e-14
_RIDGES = 14


@dataclass(frozen=True, eq=False)
class _Problems:
    """What is to be solved; one row a problem.

    The first column of ``rows`` is 1, for the intercept, so that a problem sees the
    columns up to its own width.
    """

    rows: NDArray  # (n_samples, 1 + n_features)
    signs: NDArray  # (n_problems, n_samples)
    widths: Integers  # (n_problems,), the intercept counted

    def kept(self, problems: Mask) -> _Problems:
        widths = self.widths[problems]
        return _Problems(self.rows[:, : widths.max()], self.signs[problems], widths)

    def pulls(self, duals: NDArray) -> NDArray:
        """Return the sums of the rows, weighed by duals, 0 beyond each width."""
        sums = duals @ self.rows
        if self.widths.min() < self.rows.shape[1]:
            sums[np.arange(self.rows.shape[1]) >= self.widths[:, np.newaxis]] = 0.0
        return sums


class _Iterate(NamedTuple):
    """Where a batch of problems stands, or a step of it: one row a problem.

    The weights are a variable of their own: recomputed from the duals they would lose
    digits to cancellation where C and the features are large.
    """

    alpha: NDArray  # dual variables, strictly between 0 and caps
    room: NDArray  # caps - alpha
    surplus: NDArray  # how far margins exceed 1: the multiplier of alpha >= 0
    hinge: NDArray  # how far they fall short: the multiplier of alpha <= caps
    weights: NDArray  # (n_problems, 1 + n_features), the intercept first

    def kept(self, problems: Mask, width: int) -> _Iterate:
        left = _Iterate(*(part[problems] for part in self))
        return left._replace(weights=left.weights[:, :width])

    def moved(self, step: _Iterate, length: NDArray) -> _Iterate:
        pairs = zip(self, step, strict=True)
        return _Iterate(*(part + length * change for part, change in pairs))

    def complementarity(self) -> NDArray:
        return np.vecdot(self.alpha, self.surplus) + np.vecdot(self.room, self.hinge)


def interior_duals(
    X: Floats,
    signs: Floats,
    caps: Floats,
    widths: Integers,
    is_enough: Callable[[int, Floats], bool],
) -> None:
    """Give nearly optimal dual points of machines on the first columns of X.

    ``X`` is centred, (n_samples, n_features); problem k has the signs ``signs[k]`` and
    sees ``widths[k]`` columns. ``is_enough`` is given the number of a problem and its
    dual point, times the signs, better and better ones until it says so. After
    Mehrotra, "On the implementation of a primal-dual interior point method", 1992, with
    the low-rank step of Ferris and Munson, "Interior-point methods for massive support
    vector machines", 2002.
    """
    rows = np.column_stack([np.ones(len(X)), X])
    waiting = np.arange(len(signs))
    problems = _Problems(rows, signs, widths + 1).kept(waiting >= 0)
    looks, at = np.zeros(len(signs), dtype=int), _start(problems, caps)
    for _ in range(_MAX_ITERATIONS):
        coef = at.weights[:, 1:]
        value = 0.5 * np.vecdot(coef, coef) + at.hinge @ caps
        passed = np.searchsorted(-np.array(_LOOKS), -at.complementarity() / value)
        done = np.zeros(len(looks), dtype=bool)
        for k in np.flatnonzero(passed > looks):
            enough = is_enough(int(waiting[k]), at.alpha[k] * problems.signs[k])
            done[k] = enough or passed[k] == len(_LOOKS)
        looks = np.maximum(looks, passed)
        if done.all():
            return
        if done.any():
            waiting, looks, problems = (
                waiting[~done],
                looks[~done],
                problems.kept(~done),
            )
            at = at.kept(~done, problems.rows.shape[1])
        at = _advanced(problems, at)
    for k, dual in zip(waiting, at.alpha * problems.signs, strict=True):
        is_enough(int(k), dual)


def _start(problems: _Problems, caps: NDArray) -> _Iterate:
    """Return a dual point that keeps its constraints, of margins that are not large."""
    signs = problems.signs
    positive = (caps * (signs > 0)).sum(axis=1, keepdims=True)
    negative = caps.sum() - positive
    share = np.minimum(positive, negative) / np.where(signs > 0, positive, negative)
    alpha = 0.5 * caps * share
    weights = problems.pulls(alpha * signs)
    weights[:, 0] = 0.0
    margins = signs * (weights @ problems.rows.T)
    largest = np.abs(margins).max(axis=1, keepdims=True)
    scale = np.minimum(1.0, _START_MARGIN / np.maximum(largest, 1e-300))
    alpha, short = alpha * scale, 1.0 - margins * scale
    hinge = np.maximum(short, 0.0) + 1.0
    return _Iterate(alpha, caps - alpha, hinge - short, hinge, weights * scale)


def _advanced(problems: _Problems, at: _Iterate) -> _Iterate:
    """Return the iterate after one predictor and one corrector."""
    rows, signs = problems.rows, problems.signs
    low_rate, high_rate = at.surplus / at.alpha, at.hinge / at.room
    curvature = 1.0 / (low_rate + high_rate)
    solve = _solver(problems, curvature)
    residual = signs * (at.weights @ rows.T) - 1.0 - at.surplus + at.hinge
    drift = problems.pulls(at.alpha * signs)
    drift[:, 1:] -= at.weights[:, 1:]

    def direction(low: NDArray, high: NDArray) -> _Iterate:
        target = curvature * (low / at.alpha - high / at.room - residual)
        right = drift + problems.pulls(target * signs)
        weights = solve(right)
        alpha = target - curvature * signs * (weights @ rows.T)
        surplus = low / at.alpha - low_rate * alpha
        hinge = high / at.room + high_rate * alpha
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


def _solver(problems: _Problems, curvature: NDArray) -> Callable[[NDArray], NDArray]:
    """Return what solves ``rows' diag(curvature) rows + diag(0, 1, ..., 1)``."""
    if problems.rows.shape[1] <= _SMALL:
        return _solver_of_small(problems, curvature)
    added = curvature * np.vecdot(problems.rows, problems.rows)
    seen = added > _SEEN * np.minimum(1.0, added.max(axis=1, keepdims=True))
    # LAPACK itself: for systems of this size the checks around it take as long.
    factors = [
        _factor(problems.rows[:, :width], own, own_seen)
        for own, own_seen, width in zip(curvature, seen, problems.widths, strict=True)
    ]

    def solve(right: NDArray) -> NDArray:
        solved = np.zeros_like(right)
        for k, (factor, width) in enumerate(zip(factors, problems.widths, strict=True)):
            solved[k, :width] = linalg.lapack.dpotrs(factor, right[k, :width], lower=1)[
                0
            ]
        return solved

    return solve


def _factor(rows: NDArray, curvature: NDArray, seen: Mask) -> NDArray:
    """Return the Cholesky factor of one system, in the lower triangle."""
    kept = seen.nonzero()[0]
    if len(kept) < _MOST * len(rows):
        rows, curvature = rows[kept], curvature[kept]
    weighed = rows * np.sqrt(curvature)[:, np.newaxis]
    # A product of a table and its own transpose takes half the work.
    system = linalg.blas.dsyrk(1.0, weighed.T, lower=1)
    diagonal = np.einsum("ii->i", system)
    diagonal[1:] += 1.0
    factor, failed = linalg.lapack.dpotrf(system, lower=1, clean=0)
    ridge = _RIDGE * diagonal
    for _ in range(_RIDGES * bool(failed)):
        # By rounding: the system is positive definite.
        diagonal += ridge
        ridge *= 10.0
        factor, failed = linalg.lapack.dpotrf(system, lower=1, clean=0)
        if not failed:
            break
    return factor


def _solver_of_small(
    problems: _Problems, curvature: NDArray
) -> Callable[[NDArray], NDArray]:
    """Return the same for all problems at once; the identity beyond their widths."""
    n_columns = problems.rows.shape[1]
    weighed = problems.rows * np.sqrt(curvature)[:, :, np.newaxis]
    weighed *= (np.arange(n_columns) < problems.widths[:, np.newaxis])[:, np.newaxis]
    system = weighed.transpose(0, 2, 1) @ weighed
    diagonal = np.einsum("kii->ki", system)
    diagonal[:, 1:] += 1.0
    # Scaled to a diagonal of ones, for features of very different sizes.
    scale = 1.0 / np.sqrt(diagonal)
    system *= scale[:, :, np.newaxis] * scale[:, np.newaxis, :]
    return lambda right: (
        scale * np.linalg.solve(system, (right * scale)[:, :, np.newaxis])[:, :, 0]
    )


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
