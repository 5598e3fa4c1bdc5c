"""The linear system of a Newton step, through whichever side is smaller.

    (K + X D X' + E) dλ + 1 db = residual,      1' dλ = imbalance

D and E are diagonal: curvature of the features, resistance of the rows. It is solved
across the rows (n_samples x n_samples) or, where there are fewer features and no K,
across the features.
"""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import LinAlgError
from scipy.linalg.lapack import dpotrf, dpotrs

from .columns import across_features, across_rows

__all__ = ["AcrossFeatures", "AcrossRows", "NewtonSystem"]

Array = NDArray[np.float64]

# Shares of its own diagonal added until a matrix at the edge of rounding factorises.
JITTERS = (0.0, 1e-14, 1e-12, 1e-10)
REFINEMENTS = 2


class NewtonSystem(Protocol):
    """A factorised system that takes several right-hand sides."""

    def solve(self, residual: Array, imbalance: float) -> tuple[Array, float]:
        """Return the directions of the dual and of the intercept."""


class AcrossRows:
    """The system of size n_samples."""

    def __init__(
        self, block: Any, curvature: Array, resistance: Array, gram: Array | None
    ) -> None:
        matrix = across_features(block, curvature)
        if gram is not None:
            matrix += gram
        diagonal = np.einsum("ii->i", matrix)
        diagonal += resistance
        # The sum of dλ is known, so a multiple of 11' changes nothing but the rank.
        self._level = float(np.median(diagonal)) / len(diagonal)
        matrix += self._level
        self._factor = _factor(matrix)
        self._ones = _solve(self._factor, np.ones(len(diagonal)))

    def solve(self, residual: Array, imbalance: float) -> tuple[Array, float]:
        plain = _solve(self._factor, residual + self._level * imbalance)
        intercept = (plain.sum() - imbalance) / self._ones.sum()
        return plain - intercept * self._ones, float(intercept)


class AcrossFeatures:
    """The system of size n_features + 1; the intercept is its last column.

    Rows on the margin have next to no resistance, and what is left of them after the
    features is all rounding: each solution is refined once.
    """

    def __init__(self, block: Any, curvature: Array, resistance: Array) -> None:
        self._block, self._curvature = block, curvature
        self._resistance, self._give = resistance, 1.0 / resistance
        size = len(curvature) + 1
        matrix = np.empty((size, size))
        matrix[:-1, :-1] = across_rows(block, self._give)
        matrix[-1, :-1] = matrix[:-1, -1] = self._give @ block
        matrix[-1, -1] = self._give.sum()
        np.einsum("ii->i", matrix)[:-1] += 1.0 / curvature
        self._factor = _factor(matrix)

    def solve(self, residual: Array, imbalance: float) -> tuple[Array, float]:
        dual, intercept = self._solve(residual, imbalance)
        for _ in range(REFINEMENTS):
            through = self._block @ (self._curvature * (dual @ self._block))
            left = residual - through - self._resistance * dual - intercept
            more, change = self._solve(left, imbalance - float(dual.sum()))
            dual, intercept = dual + more, intercept + change
        return dual, intercept

    def _solve(self, residual: Array, imbalance: float) -> tuple[Array, float]:
        given = self._give * residual
        right = np.append(given @ self._block, given.sum() - imbalance)
        moves = _solve(self._factor, right)
        left = residual - self._block @ moves[:-1] - moves[-1]
        return self._give * left, float(moves[-1])


def _factor(matrix: Array) -> Array:
    """Return the Cholesky factor of a matrix, lifted where rounding demands it."""
    if not np.isfinite(matrix).all():
        raise LinAlgError("The Newton system is not finite.")
    diagonal = np.diag(matrix).copy()
    for jitter in JITTERS:
        np.einsum("ii->i", matrix)[:] = diagonal * (1.0 + jitter)
        # LAPACK itself: what checks around it costs as much as a small system.
        factor, failed = dpotrf(matrix, lower=1, clean=0)
        if not failed:
            return np.asarray(factor)
    raise LinAlgError("The Newton system is not positive definite.")


def _solve(factor: Array, right: Array) -> Array:
    return np.asarray(dpotrs(factor, right, lower=1)[0])
