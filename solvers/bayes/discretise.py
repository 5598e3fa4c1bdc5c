"""Numbers into a few states, by cut points that are learned on training rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import DataError, shown
from ..numerics.midway import midway

__all__ = ["CutPoints", "learn_cut_points", "names_between"]

MAX_BINS = 32
# Shares of weight closer than this are the same share, summed in another order.
SHARE_TOLERANCE = 1e-9


@dataclass(frozen=True, eq=False)
class CutPoints:
    """Where the columns of a table are cut into states."""

    #: Ascending cut points of each column; a value up to the first is in state 0
    cuts: tuple[NDArray[np.float64], ...]

    @property
    def cardinalities(self) -> tuple[int, ...]:
        """Number of states of each column."""
        return tuple(len(points) + 1 for points in self.cuts)

    @property
    def states(self) -> tuple[tuple[str, ...], ...]:
        """Names of the states of each column, for people."""
        return tuple(_names(points) for points in self.cuts)

    def codes(self, X: ArrayLike) -> NDArray[np.intp]:
        """Return rows as positions of states.

        Parameters
        ----------
        X : array_like of float, shape (n_samples, n_columns)
            The rows.

        Returns
        -------
        ndarray of int, shape (n_samples, n_columns)
        """
        rows = np.asarray(X, dtype=float)
        if rows.ndim != 2 or rows.shape[1] != len(self.cuts):
            raise DataError(
                f"X has shape {rows.shape}; give one column for each of the "
                f"{len(self.cuts)} that the cut points were learned for."
            )
        if np.isnan(rows).any():
            raise DataError("X holds NaN; fill or drop such rows.")
        columns = [
            np.searchsorted(points, column, side="left")
            for points, column in zip(self.cuts, rows.T, strict=True)
        ]
        return np.column_stack(columns) if columns else np.zeros((len(rows), 0), int)


def learn_cut_points(
    X: ArrayLike, n_bins: int = 2, sample_weight: ArrayLike | None = None
) -> CutPoints:
    """Return cut points that share the weight of the rows out evenly.

    Parameters
    ----------
    X : array_like of float, shape (n_samples, n_columns)
        Training rows only.
    n_bins : int, default=2
        States of a column, from 2 to 32; fewer where values repeat.
    sample_weight : array_like of float, shape (n_samples,), optional
        Weights of the rows; a row of weight 2 counts as two rows.

    Returns
    -------
    CutPoints

    Examples
    --------
    >>> cuts = learn_cut_points([[1.0], [2.0], [3.0], [4.0]])
    >>> cuts.codes([[2.0], [2.5], [9.0]]).ravel().tolist(), cuts.states
    ([0, 0, 1], (('<= 2.5', '> 2.5'),))
    """
    rows = np.asarray(X, dtype=float)
    if rows.ndim != 2 or not len(rows) or not np.isfinite(rows).all():
        raise DataError(
            f"X has shape {rows.shape}; give rows of finite numbers, at least one."
        )
    if not isinstance(n_bins, int | np.integer) or not 2 <= n_bins <= MAX_BINS:
        raise DataError(f"n_bins is {shown(n_bins)}; it lies between 2 and {MAX_BINS}.")
    weights = (
        np.ones(len(rows))
        if sample_weight is None
        else np.asarray(sample_weight, dtype=float)
    )
    return CutPoints(tuple(_cuts(column, int(n_bins), weights) for column in rows.T))


def _cuts(
    column: NDArray[np.float64], n_bins: int, weights: NDArray[np.float64]
) -> NDArray[np.float64]:
    values, place = np.unique(column[weights > 0], return_inverse=True)
    reached = np.cumsum(np.bincount(place, weights[weights > 0]))
    shares = np.arange(1, n_bins) / n_bins * reached[-1]
    # Weighted quantiles: the first value by which a share of the weight is reached.
    last = np.searchsorted(reached, shares * (1 - SHARE_TOLERANCE), side="left")
    last = np.unique(last[last < len(values) - 1])
    # Halfway to the next value, so that rounding cannot move a row across.
    return np.asarray(midway(values[last], values[last + 1], inclusive=False))


def _names(points: Sequence[float] | NDArray[np.float64]) -> tuple[str, ...]:
    if not len(points):
        return ("any",)
    for digits in range(3, 18):
        rounded = [f"{point:.{digits}g}" for point in points]
        if len(set(rounded)) == len(rounded):
            break
    return names_between(rounded)


def names_between(points: Sequence[str]) -> tuple[str, ...]:
    """Return the names of the states below, between and above points."""
    middle = [f"{a} to {b}" for a, b in pairwise(points)]
    return (f"<= {points[0]}", *middle, f"> {points[-1]}")
