"""Sparse columns that act as if they were scaled and centred."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from .arrays import Floats

# Share of values that are stored, from which on a dense product is quicker.
_FULL = 0.05
# Tables of more values are summed a part of their rows at a time, without a copy.
_LARGE = 4_000_000
_BLOCK = 16_384


class CentredColumns:
    """Columns less a number each, feature by feature; dense only where it is asked for.

    Products are those of the stored values, and a correction for what is subtracted
    from all others. Shapes: `scaled` (n_features, n_samples), `shift` (n_features,).
    """

    # NumPy leaves ``weights @ columns`` to us.
    __array_ufunc__ = None

    def __init__(self, scaled: sparse.csr_array, shift: Floats) -> None:
        self.scaled, self.shift = scaled, shift
        self.shape, self.dtype = scaled.shape, scaled.dtype

    @property
    def size(self) -> int:
        """How many values there would be if all were stored."""
        return int(np.prod(self.shape, dtype=np.int64))

    def __len__(self) -> int:
        return int(self.shape[0])

    def __getitem__(self, index: Any) -> NDArray:
        """Return some of the columns, dense.

        Shape: (k, n_samples), or (n_samples,) of a single one.
        """
        rows = np.arange(len(self))[index]
        dense = self.scaled[np.atleast_1d(rows)].toarray()
        dense -= self.shift[np.atleast_1d(rows), np.newaxis].astype(self.dtype)
        return dense[0] if np.ndim(rows) == 0 else dense

    def __matmul__(self, slopes: NDArray) -> NDArray:
        return self.scaled @ slopes - self.shift * slopes.sum()

    def __rmatmul__(self, weights: NDArray) -> NDArray:
        return self.scaled.T @ weights - float(weights @ self.shift)

    def take(self, index: NDArray) -> CentredColumns:
        """Return some of the columns, still sparse."""
        return CentredColumns(self.scaled[index], self.shift[index])

    @property
    def is_full(self) -> bool:
        """Whether so many values are stored that dense columns serve better."""
        return bool(self.scaled.nnz > _FULL * self.size)

    def second_moments(self, weights: NDArray) -> Floats:
        """Return the weighted sums of products of any two columns, not normalised.

        Shapes: `weights` (n_samples,) -> (n_features, n_features).
        """
        if self.is_full:
            dense = self[:]
            return (dense * weights) @ dense.T
        weighted = self.scaled * weights.astype(self.dtype, copy=False)
        sums = np.asarray(weighted.sum(axis=1), dtype=float)
        moments = (weighted @ self.scaled.T).toarray().astype(float, copy=False)
        moments -= np.outer(sums, self.shift)
        moments -= np.outer(self.shift, sums - weights.sum() * self.shift)
        return moments

    def astype(self, dtype: Any, copy: bool = False) -> CentredColumns:
        """Return the columns in another precision."""
        if np.dtype(dtype) == self.dtype:
            return self
        return CentredColumns(self.scaled.astype(dtype), self.shift)

    def variances(self, shares: NDArray) -> NDArray:
        """Return the mean square of each column, with shares of the rows.

        Shapes: `shares` (n_samples,) -> (n_features,).
        """
        squares, means = self.scaled.power(2) @ shares, self.scaled @ shares
        total = float(shares.sum())
        centred = squares - 2.0 * self.shift * means + self.shift**2 * total
        return np.maximum(centred, 0.0)  # rounding may leave less

    def absolute_means(self, shares: NDArray) -> NDArray:
        """Return the mean magnitude of each column, with shares of the rows.

        Shapes: `shares` (n_samples,) -> (n_features,).
        """
        stored, there = self.scaled.copy(), self.scaled.copy()
        shifts = np.repeat(self.shift, np.diff(self.scaled.indptr))
        stored.data = np.abs(self.scaled.data - shifts)
        there.data = np.ones_like(self.scaled.data)
        absent = np.maximum(float(shares.sum()) - there @ shares, 0.0)
        return stored @ shares + np.abs(self.shift) * absent


def chosen_columns(
    columns: NDArray | CentredColumns, index: NDArray
) -> NDArray | CentredColumns:
    """Return some of the columns, sparse if they are."""
    if isinstance(columns, CentredColumns):
        return columns.take(index)
    return columns[index]


def weighted_sum(
    columns: NDArray | CentredColumns, index: NDArray, weights: NDArray
) -> NDArray:
    """Return the sum of some of the columns, weighted.

    Shapes: `index` (k,), `weights` (k,) -> (n_samples,).
    """
    if not is_large(columns):
        return weights @ chosen_columns(columns, index)
    n_samples = columns.shape[1]
    blocks = (slice(start, start + _BLOCK) for start in range(0, n_samples, _BLOCK))
    return np.concatenate([weights @ columns[:, rows][index] for rows in blocks])


def is_large(columns: NDArray | CentredColumns) -> bool:
    """Whether there are so many values that no copy of many columns is made."""
    return isinstance(columns, np.ndarray) and columns.size > _LARGE
