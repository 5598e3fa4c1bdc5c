"""Columns of any kind as states: numbers by learned cut points, words as they are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import DataError, shown
from ..numerics.cuts import midway

if TYPE_CHECKING:
    from ..datasets.columns.schema import Column, TableSchema

# Numbers into a few states, by cut points that are learned on training rows.


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


# Columns of any kind as states: numbers between cut points, words as they are.


# Of a category: its most frequent values; all others are one state.
MOST_VALUES = 5
OTHER, MISSING = "other", "missing"


def column_states(
    codes: NDArray[np.float64],
    train: NDArray[np.intp],
    n_bins: int,
    schema: TableSchema | None,
    weights: NDArray[np.float64],
) -> tuple[NDArray[np.intp], list[tuple[str, ...]]]:
    """Return rows as positions of states, and the names of each column's states.

    Shapes: `codes` (n_rows, n_columns), `train` (n_train,), `weights` (n_rows,) ->
    (n_rows, n_columns).
    `codes`: as a ``Dataset`` holds them; without a schema finite numbers.
    """
    if schema is None:
        cuts = learn_cut_points(codes[train], n_bins, weights[train])
        return cuts.codes(codes), list(cuts.states)
    found = [
        _listed(column, codes[:, j], train, weights)
        if column.is_listed
        else _cut(column, codes[:, j], train, weights, n_bins)
        for j, column in enumerate(schema)
    ]
    return np.column_stack([places for places, _ in found]), [of for _, of in found]


def _listed(
    column: Column,
    codes: NDArray[np.float64],
    train: NDArray[np.intp],
    weights: NDArray[np.float64],
) -> tuple[NDArray[np.intp], tuple[str, ...]]:
    """Return the frequent values of a column as states, then another, then a gap."""
    gaps = np.isnan(codes)
    there = train[~gaps[train]]
    # One place more: values that the column does not list share the last code.
    counts = np.bincount(
        codes[there].astype(int), weights[there], len(column.values) + 1
    )
    frequent = np.argsort(-counts[:-1], kind="stable")[:MOST_VALUES]
    kept = np.sort(frequent[counts[frequent] > 0])
    moved = np.full(len(counts), len(kept))
    moved[kept] = np.arange(len(kept))
    states = [column.values[k] for k in kept]
    if counts.sum() > counts[kept].sum():
        states.append(_free(OTHER, states))
    else:  # unseen in training: as good as the most frequent value
        moved[moved == len(kept)] = moved[np.argmax(counts)]
    places = moved[np.where(gaps, 0, codes).astype(int)]
    return _with_gaps(places, states, gaps, train, weights)


def _cut(
    column: Column,
    codes: NDArray[np.float64],
    train: NDArray[np.intp],
    weights: NDArray[np.float64],
    n_bins: int,
) -> tuple[NDArray[np.intp], tuple[str, ...]]:
    """Return a column of numbers or days between cut points, then a gap."""
    gaps = np.isnan(codes)
    there = train[~gaps[train]]
    known = codes[there] if len(there) else np.zeros(1)
    counts = weights[there] if len(there) else None
    filled = np.where(gaps, known.max(), codes)[:, np.newaxis]
    cuts = learn_cut_points(known[:, np.newaxis], n_bins, counts)
    (states,) = cuts.states
    if "month" in column.parts and len(cuts.cuts[0]):
        states = _of_days(cuts.cuts[0])
    return _with_gaps(cuts.codes(filled)[:, 0], list(states), gaps, train, weights)


def _of_days(cuts: NDArray[np.float64]) -> tuple[str, ...]:
    """Return the names of states between days, with their times where days repeat."""
    moments = np.round(cuts * 86_400).astype("datetime64[s]")
    days = moments.astype("datetime64[D]")
    is_told = len(np.unique(days)) == len(days)
    return names_between((days if is_told else moments).astype(str).tolist())


def _with_gaps(
    places: NDArray[np.intp],
    states: list[str],
    gaps: NDArray[np.bool_],
    train: NDArray[np.intp],
    weights: NDArray[np.float64],
) -> tuple[NDArray[np.intp], tuple[str, ...]]:
    """Return gaps as a state of their own; the commonest where training knows none."""
    if gaps[train].any():
        stands_in, states = len(states), [*states, _free(MISSING, states)]
    else:
        stands_in = int(np.argmax(np.bincount(places[train], weights[train])))
    return np.where(gaps, stands_in, places), tuple(states)


def _free(word: str, states: list[str]) -> str:
    return word if word not in states else f"({word})"
