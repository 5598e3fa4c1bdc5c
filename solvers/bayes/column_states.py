"""Columns of any kind as states: numbers between cut points, words as they are."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from .discretise import learn_cut_points, names_between

if TYPE_CHECKING:
    from ..datasets.columns.schema import Column, TableSchema

__all__ = ["column_states"]

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
