"""Columns that tell the label by themselves."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...errors import shown
from ...scores import area_in_order
from .schema import Column, TableSchema

__all__ = ["leak_notes", "looked_at"]

LOOKED_AT = 20_000  # rows of all classes: enough to see a leak
SUSPECT = 0.999  # area under the curve of a column alone


def leak_notes(
    schema: TableSchema, codes: NDArray[np.float64], y: NDArray, positive: object
) -> tuple[str, ...]:
    """Return a warning for each column that alone tells the label of nearly every row.

    Numbers and dates tell it by their order, and all values by the share of positive
    rows among the rows that hold them. Of three classes and more each has to be told.
    Of a large table some rows are looked at, as many of each class: an area under the
    curve is of each class by itself.
    """
    rows = looked_at(y)
    codes, y = codes[rows], y[rows]
    classes = np.unique(y)
    told = classes.tolist() if positive is None else [positive]
    # The second of two is told where the first is.
    sides = [y == label for label in (told if len(classes) > 2 else told[-1:])]
    if any(wanted.all() or not wanted.any() for wanted in sides):
        return ()
    notes = []
    for j, column in enumerate(schema):
        auc = min(_told(codes[:, j], wanted, column) for wanted in sides)
        if auc > SUSPECT:
            notes.append(
                f"Column {shown(column.name)} alone tells the label of nearly every "
                f"row (area under the curve {auc:.4f}): if it is only known afterwards "
                "it is a leak; leave it out then."
            )
    return tuple(notes)


def looked_at(y: NDArray) -> NDArray[np.int_]:
    """Return rows in which a leak shows, spread evenly over each class.

    Shapes: `y` (n_rows,) -> (n_chosen,).
    """
    if len(y) <= LOOKED_AT:
        return np.arange(len(y))
    classes, places = np.unique(y, return_inverse=True)
    chosen = []
    for k in range(len(classes)):
        rows = np.flatnonzero(places == k)
        n = min(len(rows), max(1, LOOKED_AT // len(classes)))
        chosen.append(rows[np.linspace(0, len(rows) - 1, n).astype(int)])
    return np.sort(np.concatenate(chosen))


def _told(
    codes: NDArray[np.float64], wanted: NDArray[np.bool_], column: Column
) -> float:
    """Return the area of a column's values, and of its order where it has one."""
    counts, told = _counted(codes, wanted)
    by_value = _area_by_value(counts, told)
    return by_value if column.is_listed else max(by_value, _area(counts, told))


def _counted(
    codes: NDArray[np.float64], wanted: NDArray[np.bool_]
) -> tuple[NDArray[np.int_], NDArray[np.int_]]:
    """Return how many rows hold each value, and how many of these are wanted.

    In the order of the values; a gap comes before all. Shapes: (n_values,) each.
    """
    values, places, counts = np.unique(codes, return_inverse=True, return_counts=True)
    told = np.bincount(places[wanted], minlength=len(values))
    if np.isnan(values[-1]):  # NumPy has gaps at the end
        return np.roll(counts, 1), np.roll(told, 1)
    return counts, told


def _area_by_value(counts: NDArray[np.int_], told: NDArray[np.int_]) -> float:
    """Return the area of the share of wanted rows among those of a value."""
    if len(counts) > counts.sum() / 4:  # values of few rows tell by accident
        return 0.5
    _, places = np.unique(told / counts, return_inverse=True)
    return _area(np.bincount(places, counts), np.bincount(places, told))


def _area(counts: NDArray, told: NDArray) -> float:
    """Return the area under the curve of scores that come in this order, either way.

    `counts`: rows of each score; `told`: those of them that are wanted.
    """
    area = area_in_order(told, counts - told)
    return max(area, 1.0 - area)
