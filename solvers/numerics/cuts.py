"""Where columns are cut: between two numbers, and at their weighted quantiles."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from .arrays import Floats, Integers


def midway(low: Any, high: Any, *, inclusive: bool) -> Any:
    """Return numbers that part lower ones from higher ones, halfway if that is between.

    Between neighbours there is nothing, and halfway is rounded to either: then it is
    the one that parts them.

    Shapes: `low` and `high` alike, `low` < `high`.
    `inclusive`: whether the number itself is held to be high; "x >= it", not "x > it".
    """
    with np.errstate(invalid="ignore"):  # of two infinities: nothing is between
        middle = np.divide(low, 2) + np.divide(high, 2)  # a sum may overflow
    is_between = (low < middle) & (middle < high)
    return np.where(is_between, middle, high if inclusive else low)


def columns_of(X: NDArray) -> Callable[[int], NDArray]:
    """Return what gives each column of a table, shape (n_samples,)."""
    if not sparse.issparse(X):
        return np.asarray(X).T.__getitem__
    by_column = sparse.csc_array(X)
    return lambda j: by_column[:, [j]].toarray().ravel()


def row_blocks(X: NDArray, size: int) -> Iterator[NDArray]:
    """Yield so many rows of a table at a time."""
    is_sparse = sparse.issparse(X)
    rows: Any = sparse.csr_array(X) if is_sparse else X
    for start in range(0, X.shape[0], size):
        block = rows[start : start + size]
        yield block.toarray() if is_sparse else block


@dataclass(frozen=True, eq=False)
class QuantileBins:
    """Cuts of every column at its weighted quantiles."""

    # For each column the sorted values above which a new bin begins
    edges: tuple[Floats, ...]

    @classmethod
    def fit(cls, X: Floats, weights: Floats, n_bins: int) -> QuantileBins:
        """Return cuts at values that occur, none between equal values.

        Shapes: `X` (n_samples, n_features), `weights` (n_samples,).
        `weights`: weights of the rows, above 0; a row of weight 2 counts like two rows.
        """
        shares = np.arange(1, n_bins) / n_bins
        columns = map(columns_of(X), range(X.shape[1]))
        return cls(tuple(_cuts(column, weights, shares) for column in columns))

    @property
    def n_bins(self) -> int:
        """The largest number of bins of a column."""
        return 1 + max((len(edges) for edges in self.edges), default=0)

    def transform(self, X: Floats) -> Integers:
        """Return the bin of each value.

        Shapes: `X` (n_samples, n_features) -> (n_samples, n_features).
        """
        binned = np.empty(X.shape, dtype=np.int64)
        for j, edges in enumerate(self.edges):
            binned[:, j] = np.searchsorted(edges, X[:, j], side="left")
        return binned


def weighted_quantiles(column: NDArray, weights: NDArray, shares: ArrayLike) -> NDArray:
    """Return the values up to which lie shares of the weight, values that occur.

    Shapes: `column` (n_samples,), `weights` (n_samples,), `shares` (k,) -> (k,).
    """
    order = np.argsort(column, kind="stable")
    risen = np.cumsum(weights[order])
    # A hair less, so that rounding of the sums does not decide.
    wanted = np.asarray(shares) * risen[-1] * (1.0 - 1e-12)
    return column[order][np.searchsorted(risen, wanted)]


def weighted_median(column: NDArray, weights: NDArray) -> float:
    """Return the median of values that are each written as often as its weight says.

    Shapes: `column` and `weights`, above 0, (n_samples,).
    """
    order = np.argsort(column, kind="stable")
    risen = np.cumsum(weights[order])
    half = risen[-1] / 2
    # Between two values where one half ends at the first, whatever rounding says.
    ends = np.searchsorted(risen, [half * (1 - 1e-12), half * (1 + 1e-12)])
    low, high = column[order][ends]
    return float((low + high) / 2)


def _cuts(column: NDArray, weights: NDArray, shares: NDArray) -> Floats:
    cuts = np.unique(weighted_quantiles(column, weights, shares))
    return cuts[cuts < column.max()]
