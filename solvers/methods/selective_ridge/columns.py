"""The table by columns: read in place, dense or sparse, and never copied whole.

Duals sum to zero and every model has an intercept, so a column may be moved by any
constant: dense ones are taken about their mean, which keeps digits where that is large.
Columns may be measured in units of their own spread: coefficients are then in its
reciprocal, and ``raw`` brings them back.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ...numerics.arrays import Floats

__all__ = ["ScaledColumns", "Table", "across_features", "across_rows"]

Table: TypeAlias = "NDArray[np.floating] | sparse.csc_array"

# Columns that are gathered at once: the memory taken beside the table.
CHUNK = 4096
# A column whose spread is below this share of its mean is constant but for rounding.
CONSTANT = 1e-12
# A gathered sparse block this full, or this small, is worked on as a dense one.
DENSE_SHARE = 0.1
DENSE_SIZE = 1_000_000


class ScaledColumns:
    """Columns of a table of shape (n_samples, n_features), in units of their own."""

    def __init__(self, X: Any, units: Floats | None = None) -> None:
        self._is_sparse = sparse.issparse(X)
        self._X: Any = sparse.csc_array(X) if self._is_sparse else X
        self._units = units
        self.n_samples, self.n_features = self._X.shape

    @classmethod
    def standardised(cls, X: Any, weights: Floats) -> ScaledColumns:
        """Return columns in units of their standard deviation over weighted rows."""
        plain = cls(X)
        share = weights / weights.sum()
        means, squares = plain._products(share), np.zeros(plain.n_features)
        for chosen in _chunks(np.arange(plain.n_features)):
            block = plain._X[:, chosen].astype(np.float64)
            if plain._is_sparse:
                # Sparse columns stay uncentred; `level` guards the cancellation.
                squares[chosen] = share @ block.power(2) - means[chosen] ** 2
            else:
                squares[chosen] = share @ (block - means[chosen]) ** 2
        spread = np.sqrt(np.maximum(squares, 0.0))
        level = CONSTANT * np.abs(means)
        return cls(X, np.where(spread > level, spread, 1.0))

    def raw(self, coef: Floats) -> Floats:
        """Return coefficients, or bounds on them, for the table as it is."""
        return coef if self._units is None else coef / self._units

    def scores(self, dual: Floats) -> Floats:
        """Return X'λ, one number for each column."""
        scores = self._products(dual)
        # The sum of a dual is zero but for rounding.
        return scores if self._is_sparse else scores - dual.sum() * self._means

    def _products(self, dual: Floats) -> Floats:
        return self.raw(self._raw_products(dual))

    def _raw_products(self, dual: Floats) -> Floats:
        if self._is_sparse or self._X.dtype == np.float64:
            return np.asarray(dual @ self._X)
        # float32 is widened by chunks: a certificate needs all its digits.
        blocks = range(0, self.n_features, CHUNK)
        return np.concatenate(
            [dual @ self._X[:, at : at + CHUNK].astype(np.float64) for at in blocks]
        )

    def decisions(self, coef: Floats) -> Floats:
        """Return Xa, read from the columns whose coefficient is not zero alone."""
        total = np.full(self.n_samples, self.offset(coef))
        for chosen in _chunks(np.flatnonzero(coef)):
            total += self.take(chosen) @ coef[chosen]
        return total

    def offset(self, coef: Floats) -> float:
        """Return what decisions from the columns taken lack of the table's own."""
        return float(self._means @ coef)

    @cached_property
    def _means(self) -> Floats:
        if self._is_sparse:
            return np.zeros(self.n_features)
        return self._products(np.full(self.n_samples, 1.0 / self.n_samples))

    def take(self, chosen: NDArray[np.intp]) -> Any:
        """Return some columns as float64: about their mean where they are dense.

        Sparse ones are as they are, and stay sparse where that is leaner.
        """
        if not self._is_sparse:
            block = self._X[:, chosen].astype(np.float64, copy=False)
            if self._units is not None:
                block /= self._units[chosen]
            block -= self._means[chosen]
            return block
        block = self._X[:, chosen].astype(np.float64)
        if self._units is not None:
            block = sparse.csc_array(block / self._units[chosen])
        size = self.n_samples * len(chosen)
        if size <= DENSE_SIZE or block.nnz > DENSE_SHARE * size:
            return block.toarray()
        return block

    def gram(self, chosen: NDArray[np.intp]) -> Floats:
        """Return the sum of x_i x_i' over some columns, (n_samples, n_samples)."""
        total = np.zeros((self.n_samples, self.n_samples))
        for part in _chunks(chosen):
            block = self.take(part)
            total += across_features(block, np.ones(len(part)))
        return total


def across_features(block: Any, weights: Floats) -> Floats:
    """Return X diag(weights) X', dense, for weights above zero."""
    if sparse.issparse(block):
        return np.asarray((block.multiply(weights) @ block.T).toarray())
    scaled = block * np.sqrt(weights)
    # NumPy sees a matrix times its own transpose, and does half of the work.
    return np.asarray(scaled @ scaled.T)


def across_rows(block: Any, weights: Floats) -> Floats:
    """Return X' diag(weights) X, dense, for weights above zero."""
    return across_features(block.T, weights)


def _chunks(chosen: NDArray[np.intp]) -> list[NDArray[np.intp]]:
    return [chosen[at : at + CHUNK] for at in range(0, len(chosen), CHUNK)]
