"""Columns that tell the label by themselves."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata

from ...errors import shown
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
    by_value = _area(codes, wanted, by_value=True)
    if column.is_listed:
        return by_value
    return max(by_value, _area(codes, wanted, by_value=False))


def _area(
    codes: NDArray[np.float64], wanted: NDArray[np.bool_], *, by_value: bool
) -> float:
    gaps = np.isnan(codes)
    scores = np.where(gaps, -1.0 if by_value else np.nanmin(codes) - 1.0, codes)
    if by_value:
        _, places = np.unique(scores, return_inverse=True)
        counts = np.bincount(places)
        if len(counts) > len(codes) / 4:  # values of few rows tell by accident
            return 0.5
        scores = (np.bincount(places, weights=wanted) / counts)[places]
    # Mann and Whitney's count of pairs in order: ten times as quick as a curve.
    n, n_wanted = len(wanted), int(wanted.sum())
    above = float(rankdata(scores)[wanted].sum()) - n_wanted * (n_wanted + 1) / 2
    area = above / (n_wanted * (n - n_wanted))
    return max(area, 1.0 - area)
