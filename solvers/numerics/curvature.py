"""Second derivatives of the logistic loss, kept for as long as they serve.

A Hessian costs as much as dozens of gradients. Along a path the curvatures of the rows
hardly change, so a Hessian that was computed nearby steers Newton's method as well; the
gradient is always exact.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import DTypeLike, NDArray

from .arrays import Floats, Integers
from .logistic import CentredColumns, LabelledColumns

# Up to here all features are worth one matrix, which then serves every support.
_WHOLE = 200
_KEPT = 8
# How many rows tell whether the curvature has moved.
_PROFILE_ROWS = 1000
# Up to so many values a copy in single precision is kept: it steers as well.
_COPIED = 4_000_000
# Share of the curvature that moves in the last steps of an exact fit of a larger table.
_HARDLY = 0.01
# Rows that are weighed at a time.
_BLOCK = 4096


@dataclass(frozen=True, eq=False)
class _Anchor:
    index: Integers
    total: float
    profile: Floats
    matrix: Floats


class HessianCache:
    """Hessians of a loss with respect to weights and intercept.

    `exact`: whether to compute every Hessian in double precision, and anew unless a
    large table's has hardly moved: for fits without a penalty, where classes that can
    be separated leave nothing that would make up for the difference.
    """

    def __init__(self, loss: LabelledColumns, *, exact: bool = False) -> None:
        self._loss = loss
        self.exact = exact
        self._anchors: list[_Anchor] = []
        self.n_computed = 0

    def copy(self) -> HessianCache:
        """Return a cache that begins with the same Hessians and goes its own way."""
        other = HessianCache(self._loss, exact=self.exact)
        other._anchors = list(self._anchors)
        return other

    def near(self, index: Integers, curvatures: NDArray, max_drift: float) -> Floats:
        """Return a Hessian from near the current point.

        Shapes: `index` (k,), `curvatures` (n_samples,) -> (k + 1, k + 1).
        `max_drift`: share of the curvature that may have changed since it was computed.
        """
        if self.exact and self._loss.columns.size <= _COPIED:
            return hessian(self._loss.columns, curvatures, index, dtype=float)
        if self.exact:
            max_drift = min(max_drift, _HARDLY)
        profile, total = self._profile(curvatures)
        serving = [anchor for anchor in self._anchors if self._covers(anchor, index)]
        if serving and max_drift > 0:
            profiles = np.stack([anchor.profile for anchor in serving])
            # Growth that all rows share is made up for by a factor.
            drifts = np.abs(profiles - profile).sum(axis=1)
            nearest = int(np.argmin(drifts))
            if drifts[nearest] <= max_drift:
                anchor = serving[nearest]
                return _part(anchor, index) * (total / anchor.total)
        return _part(self._compute(index, curvatures), index)

    def _profile(self, curvatures: NDArray) -> tuple[Floats, float]:
        """Return how the curvature is spread over the rows, and its total."""
        thinned = curvatures[:: max(1, len(curvatures) // _PROFILE_ROWS)]
        tiny = np.finfo(float).tiny
        spread = thinned / max(float(thinned.sum()), tiny)
        return spread, max(float(curvatures.sum()), tiny)

    def _covers(self, anchor: _Anchor, wanted: Integers) -> bool:
        known = anchor.index
        if len(known) == self._loss.n_features:
            return True
        if len(known) < len(wanted):
            return False
        places = np.minimum(np.searchsorted(known, wanted), max(len(known) - 1, 0))
        return not len(wanted) or bool(np.array_equal(known[places], wanted))

    def _compute(self, index: Integers, curvatures: NDArray) -> _Anchor:
        if self._loss.n_features <= _WHOLE and not self.exact:
            index = np.arange(self._loss.n_features)
        profile, total = self._profile(curvatures)
        anchor = _Anchor(index, total, profile, self._hessian(index, curvatures))
        self._anchors = [anchor, *self._anchors[: _KEPT - 1]]
        self.n_computed += 1
        return anchor

    def _hessian(self, index: Integers, curvatures: NDArray) -> Floats:
        if self.exact:
            return hessian(self._loss.columns, curvatures, index, dtype=float)
        if self._loss.columns.size <= _COPIED:
            return hessian(self._loss.single_columns, curvatures, index)
        is_sparse = isinstance(self._loss.columns, CentredColumns)
        dtype = None if is_sparse else np.float32
        return hessian(self._loss.columns, curvatures, index, dtype=dtype)


class HessianProducts:
    """The Hessian of weights and intercept as an operator, of sparse columns.

    A product takes as long as a gradient, and memory does not grow with the square of
    the features.
    """

    def __init__(self, columns: CentredColumns, curvatures: NDArray) -> None:
        self._columns = columns
        self._curvatures = curvatures.astype(columns.dtype, copy=False)
        own = columns.variances(self._curvatures).astype(float)
        diagonal = np.append(own, curvatures.sum(dtype=float))
        # A breath of ridge for columns that repeat each other; gradients stay exact.
        self._ridge = 1e-10 * diagonal.mean() + 1e-300
        self._diagonal = np.maximum(diagonal + self._ridge, 1e-12 * diagonal.max())

    def __matmul__(self, x: NDArray) -> Floats:
        weights = x[:-1].astype(self._columns.dtype, copy=False)
        bent = self._curvatures * (weights @ self._columns + x[-1])
        product = np.append(self._columns @ bent, bent.sum()).astype(float, copy=False)
        return product + self._ridge * x

    def diagonal(self) -> Floats:
        """Return its diagonal."""
        return self._diagonal


def hessian(
    columns: NDArray | CentredColumns,
    curvatures: NDArray,
    index: Integers | None = None,
    *,
    dtype: DTypeLike | None = None,
) -> Floats:
    """Return the Hessian of some weights and the intercept, which comes last.

    Shapes: `columns` (n_features, n_samples), `curvatures` (n_samples,), `index` (k,)
    -> (k + 1, k + 1).
    `columns`: scaled columns of the features; single precision is twice as quick.
    `index`: of which features; of all by default.
    `dtype`: the precision of products; that of the columns by default.
    """
    index = np.arange(len(columns)) if index is None else index
    dtype, k = dtype or columns.dtype, len(index)
    matrix = np.zeros((k + 1, k + 1))
    matrix[k, k] = curvatures.sum()
    if isinstance(columns, CentredColumns):
        part = columns.take(index).astype(dtype)
        matrix[:k, :k] = part.second_moments(curvatures)
        matrix[k, :k] = matrix[:k, k] = part @ curvatures
        return matrix
    # X' diag(c) X = (sqrt(c) X)'(sqrt(c) X): a product of a matrix with itself.
    roots = np.sqrt(curvatures).astype(dtype, copy=False)
    chosen = slice(None) if k == len(columns) else index
    # A block stays in the processor's cache from its weighing to its product.
    for start in range(0, len(curvatures), _BLOCK):
        rows = slice(start, start + _BLOCK)
        block = columns[:, rows][chosen].astype(roots.dtype, copy=False)
        weighted = block * roots[rows]
        matrix[:k, :k] += weighted @ weighted.T
        matrix[k, :k] += weighted @ roots[rows]
    matrix[:k, k] = matrix[k, :k]
    return matrix


def _part(anchor: _Anchor, index: Integers) -> Floats:
    if len(index) == len(anchor.index):
        return anchor.matrix
    places = np.append(np.searchsorted(anchor.index, index), len(anchor.index))
    return anchor.matrix[np.ix_(places, places)]
