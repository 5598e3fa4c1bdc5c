"""Mean logistic loss of a linear decision over scaled columns.

Columns are centred and divided by half their range, so that neither unit nor zero of a
column counts. Centring changes nothing but the intercept, which is never penalised, and
makes Newton's systems well conditioned. They are stored feature by feature, so that a
selection is a few rows; sparse ones stay sparse, and only act as if they were centred.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from .arrays import Floats, Mask

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
        if slopes.ndim == 2:
            return self.scaled @ slopes - np.outer(self.shift, slopes.sum(axis=0))
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


# Ranges below it would overflow when weights are scaled back.
_TINY = 1e-150
# Tables of more values are not copied for a product with this share of their columns.
_COPIED = 4_000_000
_MANY = 0.2
# Values that are looked at together: what is made of them is in double precision.
_AT_ONCE = 2**21


def log_losses(margins: NDArray) -> NDArray:
    """Return log(1 + e^-m) of margins, of any shape; no exponent is positive."""
    return np.log1p(np.exp(-np.abs(margins))) - np.minimum(margins, 0.0)


@dataclass(frozen=True, eq=False)
class LossPoint:
    """The loss and its derivatives with respect to the odds of each row."""

    value: float  # Mean logistic loss
    slopes: NDArray  # (n_samples,) First derivatives
    curvatures: NDArray  # (n_samples,) Second derivatives, 0 or more


@dataclass(frozen=True, eq=False)
class LabelledColumns:
    """Scaled, centred columns of labelled rows: what losses of a linear decision share.

    What each is of one number a row, it is of several.
    """

    # (n_features, n_samples) Scaled and centred; rows of zeros where a feature is
    # constant. Of sparse rows centred as they are used.
    columns: NDArray | CentredColumns
    signs: NDArray  # (n_samples,) +1 and -1; (n_samples, n_outputs) of many classes
    shares: NDArray  # (n_samples,) Weights that sum to one
    # (n_features,) Half the range of each column, 1 where a feature is constant
    scale: NDArray
    centre: NDArray  # (n_features,) Mean of each scaled column
    selectable: Mask  # (n_features,) False where a feature is constant

    @classmethod
    def from_rows(cls, X: NDArray, signs: NDArray, weights: NDArray) -> Self:
        """Scale and centre the columns of a table.

        Shapes: `X` (n_samples, n_features), `signs` (n_samples,), `weights`
        (n_samples,).
        """
        if sparse.issparse(X):
            return cls._from_sparse_rows(X, signs, weights)
        columns = np.array(X.T, order="C", dtype=_floating(X.dtype))
        # Halves first: the difference of two huge values overflows.
        low, high = columns.min(axis=1) / 2, columns.max(axis=1) / 2
        scale, middle = high - low, high + low
        selectable = _spread(scale, low, high, columns.dtype)
        scale = np.where(selectable, scale, 1.0).astype(columns.dtype)
        columns -= middle[:, np.newaxis]
        columns /= scale[:, np.newaxis]
        shares = weights / weights.sum()
        # In the columns' own precision: a mixed product would copy them all.
        centre = columns @ shares.astype(columns.dtype)
        columns -= centre[:, np.newaxis]
        columns[~selectable] = 0.0
        centre = np.where(selectable, middle / scale + centre, 0.0)
        return cls(
            columns,
            signs,
            shares,
            scale.astype(float),
            centre.astype(float),
            selectable,
        )

    @classmethod
    def _from_sparse_rows(
        cls, X: sparse.csr_array, signs: NDArray, weights: NDArray
    ) -> Self:
        columns = sparse.csr_array(X.T, dtype=_floating(X.dtype))
        low = columns.min(axis=1).toarray().ravel() / 2
        high = columns.max(axis=1).toarray().ravel() / 2
        scale = high - low
        selectable = _spread(scale, low, high, columns.dtype)
        scale = np.where(selectable, scale, 1.0)
        columns = sparse.csr_array(sparse.diags_array(selectable / scale) @ columns)
        shares = weights / weights.sum()
        centre = np.asarray(columns @ shares, dtype=float)
        lazily = CentredColumns(columns, centre)
        return cls(lazily, signs, shares, scale.astype(float), centre, selectable)

    @property
    def n_features(self) -> int:
        """Number of columns."""
        return int(self.columns.shape[0])

    @property
    def n_samples(self) -> int:
        """Number of rows."""
        return int(self.columns.shape[1])

    @cached_property
    def gradient_bounds(self) -> Floats:
        """Largest absolute gradient that each feature can ever have."""
        if isinstance(self.columns, CentredColumns):
            return self.columns.absolute_means(self.shares)
        return np.concatenate(
            [np.abs(part) @ self.shares for part in self._parts_of_columns()]
        )

    @cached_property
    def variances(self) -> NDArray:
        """Mean square of each centred column."""
        if isinstance(self.columns, CentredColumns):
            return self.columns.variances(self.shares)
        return np.concatenate(
            [(part**2) @ self.shares for part in self._parts_of_columns()]
        )

    def _parts_of_columns(self) -> Iterator[NDArray]:
        """Yield some of the columns at a time: no copy of all is made."""
        at_once = max(1, _AT_ONCE // self.n_samples)
        for start in range(0, self.n_features, at_once):
            yield self.columns[start : start + at_once]

    @cached_property
    def single_columns(self) -> NDArray[np.float32] | CentredColumns:
        """The columns in single precision: they steer as well, at twice the speed."""
        return self.columns.astype(np.float32, copy=False)

    def gradient(self, slopes: NDArray, chosen: NDArray | None = None) -> NDArray:
        """Return the derivative with respect to the weights.

        Shapes: `slopes` (n_samples,) -> (k,), or (n_samples, n_outputs) -> (k,
        n_outputs).
        """
        slopes = slopes.astype(self.columns.dtype, copy=False)
        if chosen is None:
            return self.columns @ slopes
        if self.columns.size > _COPIED and len(chosen) > _MANY * self.n_features:
            return (self.columns @ slopes)[chosen]
        return chosen_columns(self.columns, chosen) @ slopes


@dataclass(frozen=True, eq=False)
class LogisticLoss(LabelledColumns):
    """Mean logistic loss, ``sum_i share_i log(1 + exp(-sign_i odds_i))``."""

    @cached_property
    def base_intercept(self) -> float:
        """Intercept of the model without features."""
        positive = float(self.shares[self.signs > 0].sum())
        # Where the loss's slope by the intercept is 0.
        return float(np.log(positive / (1.0 - positive)))

    def odds(self, chosen: NDArray, weights: NDArray, intercept: float) -> NDArray:
        """Return the decision of each row.

        Shapes: `chosen` (k,), `weights` (k,) -> (n_samples,).
        """
        if not len(chosen):
            return np.full(self.n_samples, intercept)
        return weighted_sum(self.columns, chosen, weights) + intercept

    def odds_of_each(self, chosen: NDArray, models: NDArray) -> Iterator[NDArray]:
        """Yield the decisions of models of the same features; intercepts come last.

        Shapes: `chosen` (k,), `models` (n_models, k + 1) -> (n_samples,) each.
        """
        if not is_large(self.columns):
            columns = chosen_columns(self.columns, chosen)
            yield from (model[:-1] @ columns + model[-1] for model in models)
            return
        for model in models:
            used = np.flatnonzero(model[:-1])
            yield self.odds(chosen[used], model[used], model[-1])

    def value(self, odds: NDArray) -> float:
        """Return the mean loss at given odds.

        Shapes: `odds` (n_samples,).
        """
        return float(self.shares @ log_losses(self.signs * odds))

    def at(self, odds: NDArray) -> LossPoint:
        """Return loss, slopes and curvatures at given odds.

        Shapes: `odds` (n_samples,).
        """
        agreement = self.signs * odds
        small = np.abs(agreement)
        np.exp(np.negative(small, out=small), out=small)
        value = self.shares @ (np.log1p(small) - np.minimum(agreement, 0.0))
        likely = 1.0 / (1.0 + small)
        unlikely = small * likely
        # sigmoid(-agreement), without overflow on either side
        slopes = np.where(agreement > 0, unlikely, likely)
        slopes *= self._pushes
        unlikely *= likely
        unlikely *= self.shares
        return LossPoint(float(value), slopes, unlikely)

    @cached_property
    def _pushes(self) -> NDArray:
        return -self.shares * self.signs

    def to_raw(self, weights: NDArray, intercept: float) -> tuple[NDArray, float]:
        """Return weights and intercept for columns as they come.

        Shapes: `weights` (n_features,) -> `weights` (n_features,).
        """
        return weights / self.scale, float(intercept - weights @ self.centre)


def _spread(scale: NDArray, low: NDArray, high: NDArray, dtype: np.dtype) -> Mask:
    """Return which columns hold more than one value, by halves of their ends."""
    # Rounding leaves a constant column a few units in the last place wide.
    rounding = 64 * np.finfo(dtype).eps * np.maximum(high, -low)
    tiny = _TINY if dtype == np.float64 else 1e-30
    return scale > np.maximum(tiny, rounding)


def _floating(dtype: np.dtype) -> type[np.floating]:
    return np.float32 if dtype == np.float32 else np.float64
