"""What training rows tell of one column, each row counted by its weight."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import DataError
from ...numerics.quantile_bins import weighted_median
from .schema import Column

__all__ = [
    "counted_rows",
    "filling",
    "keeps_in_single",
    "number_beneath",
    "there_and_times",
    "value_counts",
]

# Single precision holds numbers whose distance from zero is no more than so many times
# what they span.
_RESOLVED = 1e4
_MOST_SINGLE = 1e30


def counted_rows(sample_weight: Any, n_rows: int) -> NDArray[np.float64]:
    """Return how many rows each row counts, shape (n_rows,)."""
    if sample_weight is None:
        return np.ones(n_rows)
    weights = np.asarray(sample_weight, dtype=float)
    is_fit = weights.shape == (n_rows,) and np.isfinite(weights).all()
    if not is_fit or (weights < 0).any() or not weights.any():
        least = f" from {weights.min():g}" if weights.size else ""
        raise DataError(
            f"There are {n_rows} rows, and weights of shape {weights.shape}{least}; "
            "give each a finite weight of 0 or more, one of them above 0."
        )
    # Of shares of the whole every value would be rare.
    return weights * max(1.0, 1.0 / weights[weights > 0].mean())


def there_and_times(
    codes: NDArray[np.float64], row_counts: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the codes of a column without its gaps, and how many rows each counts."""
    is_there = ~np.isnan(codes) & (row_counts > 0)
    return codes[is_there], row_counts[is_there]


def value_counts(
    column: Column, there: NDArray[np.float64], times: NDArray[np.float64] | None = None
) -> NDArray[np.float64]:
    """Return in how many rows each listed value stands; last, one that is not listed.

    Shapes: `there`, codes without gaps, and `times`, how many rows each counts,
    (n_there,) -> (n_values + 1,).
    """
    if not column.is_listed:
        return np.zeros(len(column.values) + 1)
    counts = np.bincount(there.astype(int), times, len(column.values) + 1)
    return np.asarray(counts, dtype=float)


def filling(
    column: Column,
    there: NDArray[np.float64],
    times: NDArray[np.float64],
    counts: NDArray[np.float64],
) -> float:
    """Return what stands for a gap: the median, or the most frequent value."""
    if column.is_listed:
        return float(counts[:-1].argmax()) if counts[:-1].any() else 0.0
    return weighted_median(there, times)


def number_beneath(there: NDArray[np.float64]) -> float:
    """Return a number beneath all others, by a tenth of what they span."""
    return float(there.min() - 0.1 * (there.max() - there.min() or 1.0))


def keeps_in_single(there: NDArray[np.float64]) -> bool:
    """Whether single precision resolves what a column's values differ by."""
    if not len(there):
        return True
    low, high = there.min() / 2, there.max() / 2  # halves: differences overflow
    return bool(max(-low, high) <= min(_RESOLVED * (high - low), _MOST_SINGLE))
