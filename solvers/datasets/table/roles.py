"""Columns that say something of the rows: groups, times, parts, weights."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ...errors import DataError, shown
from ..columns.coding import coded_column, no_dates, words_of
from ..columns.schema import Column, Kind
from ..rows import RowRoles
from .columns import kind_of, missing_mask
from .files import TableFile

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["roles_of"]


def roles_of(
    uses: Mapping[str, str], file: TableFile, rows: NDArray[np.bool_]
) -> RowRoles | None:
    """Return the roles of some rows, from the columns that were named; None of none."""
    if not uses:
        return None
    found = {}
    for role, name in uses.items():
        values = file.columns[name]
        gaps = np.flatnonzero(missing_mask(values) & rows)
        if gaps.size:
            raise DataError(
                f"Column {shown(name)} (the {role}) holds nothing in row "
                f"{gaps[0] + 1}; fill it, or split by another column."
            )
        found[role] = _READERS[role](name, values)[rows]
    return RowRoles(**found)


def _group(name: str, values: pa.ChunkedArray) -> NDArray[np.int_]:
    return words_of(values)[1]


def _part(name: str, values: pa.ChunkedArray) -> NDArray[np.str_]:
    words, places = words_of(values)
    return np.array([str(word).lower() for word in words])[places]


def _time(name: str, values: pa.ChunkedArray) -> NDArray[np.float64]:
    kind: Kind = "number" if kind_of(values) == "number" else "date"
    times = coded_column(Column(name, kind), values)
    if kind == "date" and np.isnan(times[~missing_mask(values)]).any():
        raise no_dates(name, values)
    return times


def _weight(name: str, values: pa.ChunkedArray) -> NDArray[np.float64]:
    return coded_column(Column(name), values)


_READERS: Mapping[str, Callable[[str, pa.ChunkedArray], NDArray]] = {
    "group": _group,
    "time": _time,
    "part": _part,
    "weight": _weight,
}
