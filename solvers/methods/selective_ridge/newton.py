"""The linear system of a Newton step, through whichever side is smaller.

    (K + X D X' + E) dλ + 1 db = residual,      1' dλ = imbalance

D and E are diagonal: curvature of the features, resistance of the rows. It is solved
across the rows (n_samples x n_samples) or, where there are fewer features and no K,
across the features. Both divide by what goes to zero on the way to the optimum; where
that loses the direction in rounding, the extended system keeps such rows and features.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from scipy import sparse
from scipy.linalg import LinAlgError
from scipy.linalg.lapack import dgetrf, dgetrs, dpotrf, dpotrs

from ...numerics.arrays import Floats, Mask
from .problem import across_features, across_rows

# Shares of its own diagonal added until a matrix at the edge of rounding factorises.
JITTERS = (0.0, 1e-14, 1e-12, 1e-10)
REFINEMENTS = 2


class AcrossRows:
    """The system of size n_samples."""

    def __init__(
        self, block: Any, curvature: Floats, resistance: Floats, gram: Floats | None
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

    def solve(self, residual: Floats, imbalance: float) -> tuple[Floats, float]:
        """Return the directions of the dual and of the intercept."""
        # The border eliminated: dλ = M^-1 residual - db M^-1 1, with 1'dλ given.
        plain = _solve(self._factor, residual + self._level * imbalance)
        intercept = (plain.sum() - imbalance) / self._ones.sum()
        return plain - intercept * self._ones, float(intercept)


class AcrossFeatures:
    """The system of size n_features + 1; the intercept is its last column.

    Rows on the margin have next to no resistance, and what is left of them after the
    features is all rounding: each solution is refined once.
    """

    def __init__(self, block: Any, curvature: Floats, resistance: Floats) -> None:
        self._block, self._curvature = block, curvature
        self._resistance, self._give = resistance, 1.0 / resistance
        size = len(curvature) + 1
        matrix = np.empty((size, size))
        matrix[:-1, :-1] = across_rows(block, self._give)
        matrix[-1, :-1] = matrix[:-1, -1] = self._give @ block
        # Woodbury: with dλ eliminated, D^-1 + X'E^-1 X and the border remain.
        matrix[-1, -1] = self._give.sum()
        np.einsum("ii->i", matrix)[:-1] += 1.0 / curvature
        self._factor = _factor(matrix)

    def solve(self, residual: Floats, imbalance: float) -> tuple[Floats, float]:
        dual, intercept = self._solve(residual, imbalance)
        for _ in range(REFINEMENTS):
            through = self._block @ (self._curvature * (dual @ self._block))
            # Iterative refinement: the full system's residual, solved for again.
            left = residual - through - self._resistance * dual - intercept
            more, change = self._solve(left, imbalance - float(dual.sum()))
            dual, intercept = dual + more, intercept + change
        return dual, intercept

    def _solve(self, residual: Floats, imbalance: float) -> tuple[Floats, float]:
        given = self._give * residual
        right = np.append(given @ self._block, given.sum() - imbalance)
        moves = _solve(self._factor, right)
        left = residual - self._block @ moves[:-1] - moves[-1]
        return self._give * left, float(moves[-1])


class Extended:
    """The system in the dual, the intercept and the coefficients da = D X'dλ.

    Rows of much resistance, or else features of little curvature, are eliminated: their
    pivots are large, so nothing is lost. The others stay, and LU chooses their pivots.
    On columns that are nearly the same or of very different size one fit in 27 does not
    come to the default tolerance without it (35 of 960).
    """

    def __init__(
        self, block: Any, curvature: Floats, resistance: Floats, gram: Floats | None
    ) -> None:
        block = block.toarray() if sparse.issparse(block) else block
        size = np.sqrt(np.mean(block**2, axis=0))
        level = float(np.median(resistance))
        self._n_rows = len(resistance)
        if gram is None and block.shape[1] < self._n_rows:
            self._eliminate_rows(block, curvature, resistance, resistance >= level)
        else:
            # A feature's pivot is 1 / curvature: of large curvature, it is kept.
            soft = curvature * size**2 > level
            self._eliminate_features(block, curvature, resistance, gram, soft)
        self._scale = _equilibration(self._matrix)
        scaled = self._matrix * self._scale * self._scale[:, np.newaxis]
        self._factor, self._pivots, failed = dgetrf(scaled)
        if failed:
            raise LinAlgError("The extended Newton system is singular.")

    def solve(self, residual: Floats, imbalance: float) -> tuple[Floats, float]:
        right = np.zeros(len(self._matrix))
        right[: self._n_kept] = residual[self._kept]
        given = self._give * residual[self._out]
        right[self._n_kept : -1] = -(given @ self._through)
        right[-1] = imbalance - given.sum()
        found = self._solve(right)
        for _ in range(REFINEMENTS):
            found = found + self._solve(right - self._matrix @ found)
        dual = np.empty(self._n_rows)
        dual[self._kept] = found[: self._n_kept]
        dual[self._out] = given - self._give * (
            self._through @ found[self._n_kept : -1] + found[-1]
        )
        return dual, float(found[-1])

    def _eliminate_rows(
        self, block: Floats, curvature: Floats, resistance: Floats, stiff: Mask
    ) -> None:
        self._kept, self._out = np.flatnonzero(~stiff), np.flatnonzero(stiff)
        self._through, self._give = block[stiff], 1.0 / resistance[stiff]
        matrix = self._bordered(np.diag(resistance[~stiff]), block[~stiff], curvature)
        inside = slice(self._n_kept, -1)
        matrix[inside, inside] -= across_rows(self._through, self._give)
        matrix[inside, -1] -= self._give @ self._through
        matrix[-1, inside] = matrix[inside, -1]
        matrix[-1, -1] = -self._give.sum()

    def _eliminate_features(
        self,
        block: Floats,
        curvature: Floats,
        resistance: Floats,
        gram: Floats | None,
        soft: Mask,
    ) -> None:
        self._kept, self._out = np.arange(self._n_rows), np.zeros(0, dtype=np.intp)
        self._through, self._give = np.zeros((0, int(soft.sum()))), np.zeros(0)
        rows = across_features(block[:, ~soft], curvature[~soft])
        if gram is not None:
            rows += gram
        np.einsum("ii->i", rows)[:] += resistance
        self._bordered(rows, block[:, soft], curvature[soft])

    def _bordered(self, rows: Floats, block: Floats, curvature: Floats) -> Floats:
        """Return the matrix of rows, features and the intercept, to be completed."""
        self._n_kept = n_rows = len(rows)
        size = n_rows + len(curvature) + 1
        self._matrix = matrix = np.zeros((size, size))
        matrix[:n_rows, :n_rows] = rows
        matrix[:n_rows, n_rows:-1] = block
        matrix[n_rows:-1, :n_rows] = block.T
        matrix[:n_rows, -1] = matrix[-1, :n_rows] = 1.0
        # X'dλ - D^-1 da = 0 in each feature's row: symmetric, not definite.
        np.einsum("ii->i", matrix)[n_rows:-1] = -1.0 / curvature
        return matrix

    def _solve(self, right: Floats) -> Floats:
        found = dgetrs(self._factor, self._pivots, self._scale * right)[0]
        return np.asarray(self._scale * found)


#: A factorised system that takes several right-hand sides.
NewtonSystem: TypeAlias = AcrossRows | AcrossFeatures | Extended


def _equilibration(matrix: Floats) -> Floats:
    """Return factors of the unknowns after which no row's largest entry is extreme."""
    if not np.isfinite(matrix).all():
        raise LinAlgError("The Newton system is not finite.")
    largest = np.abs(matrix).max(axis=1)
    if not largest.all():
        raise LinAlgError("The extended Newton system is singular.")
    return np.asarray(1.0 / np.sqrt(largest))


def _factor(matrix: Floats) -> Floats:
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


def _solve(factor: Floats, right: Floats) -> Floats:
    return np.asarray(dpotrs(factor, right, lower=1)[0])
