"""The most of a matrix that stands on its diagonal: the rest stays semidefinite."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.linalg.lapack import dposv, dpotrf, dpotri

__all__ = ["dividing_diagonal"]

_STEPS = 6
_FALL = 0.4  # of the weight of the barrier from step to step
_SHRUNK = 0.1  # how much of an entry a step leaves at least: they stay above 0
_KEPT = 1.0 - 1e-6
_LEAST = 1e-11  # of the mean diagonal: makes a singular matrix regular
# Less than this share of the largest entry is none: that column depends on others.
_DEPENDENT = 1e-3


def dividing_diagonal(matrix: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return d >= 0 of nearly the largest sum with matrix - diag(d) semidefinite.

    Rounding may leave eigenvalues below 0, by about 1e-11 of the mean diagonal.
    """
    whole = matrix.copy()
    whole[np.diag_indices_from(whole)] += _LEAST * float(np.trace(matrix) / len(matrix))
    inverse, found = _inverse(whole), np.zeros(len(matrix))
    if inverse is None:
        return found
    even = 1.0 / np.diag(inverse)
    # 1 / (A^-1)_jj is what is left of column j given all others.
    free = even > _DEPENDENT * even.max()
    core = whole[np.ix_(free, free)]
    if not free.all():
        tied = whole[np.ix_(~free, free)]
        core = core - tied.T @ np.linalg.solve(whole[np.ix_(~free, ~free)], tied)
    found[free] = _KEPT * _largest(core)
    return found


def _largest(core: NDArray[np.float64]) -> NDArray[np.float64]:
    """Take Newton's steps on sum(d) + mu log det(core - diag(d)), all inside."""
    inverse = _inverse(core)
    if inverse is None:
        return np.zeros(len(core))
    # diag(d) <= A where d^1/2 A^-1 d^1/2 <= 1: scaled so that its diagonal is even.
    even = 1.0 / np.diag(inverse)
    root = np.sqrt(even)
    most = float(np.linalg.eigvalsh(inverse * root * root[:, None])[-1])
    d, mu = 0.5 * even / most, 0.0
    for _ in range(_STEPS):
        inverse = _inverse(_less(core, d))
        if inverse is None:
            break
        mu = _FALL * mu if mu else 1.0 / float(np.diag(inverse).mean())
        d = _stepped(core, d, inverse, mu)
    return d


def _stepped(
    core: NDArray, d: NDArray, inverse: NDArray, mu: float
) -> NDArray[np.float64]:
    """Return d after a step that stays inside."""
    right = 1.0 / mu - np.diag(inverse)
    # Newton on sum(d) / mu + log det(A - diag(d)): its Hessian is -(inverse squared, by
    # entries).
    step = dposv(inverse**2, right, lower=1)[1]
    far = 1.0
    while far > 1e-6:
        tried = np.maximum(d + far * step, _SHRUNK * d)
        if not dpotrf(_less(core, tried), lower=1)[1]:
            return tried
        far *= 0.6
    return d


def _less(matrix: NDArray, d: NDArray) -> NDArray[np.float64]:
    less = matrix.copy()
    less[np.diag_indices_from(less)] -= d
    return less


def _inverse(matrix: NDArray) -> NDArray[np.float64] | None:
    """Return the inverse, or None of what is not positive definite."""
    factor, failed = dpotrf(matrix, lower=1)
    if failed:
        return None
    lower = np.tril(dpotri(factor, lower=1)[0])
    return np.asarray(lower + np.tril(lower, -1).T)
