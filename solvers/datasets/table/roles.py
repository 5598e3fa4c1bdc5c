"""Columns that say something of the rows: groups, times, parts, weights."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ...errors import DataError, counted, shown
from ...values import Beside, guessed_form
from ..columns.arrow import kind_of, missing_mask, value_of, words_of
from ..columns.coding import coded_column, no_dates
from ..columns.detection import described
from ..columns.schema import Kind
from ..rows import PARTS, RowRoles
from .column_reading import far_dates
from .files import TableFile

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["role_notes", "roles_of", "time_notes"]


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
                f"{gaps[0] + 1}; fill it, or name another column."
            )
        found[role] = _READERS[role](name, values, file.beside)[rows]
    return RowRoles(**found)


def role_notes(uses: Mapping[str, str], roles: RowRoles | None) -> Iterator[str]:
    """Yield what the columns that were named do to the rows, one sentence each."""
    names = {role: shown(name) for role, name in uses.items()}
    if roles is None:
        return
    if roles.group is not None:
        # Where parts are given, they alone say on which side a row is.
        do = "stay on one side of a split" if roles.part is None else "belong together"
        groups = counted(len(np.unique(roles.group)), "group")
        yield f"Rows that agree in {names['group']} {do}: {groups}."
    if roles.time is not None:
        yield f"Rows are split by {names['time']}: earlier ones train, later ones test."
    if roles.part is not None:
        given = [part for part in PARTS if part in roles.part]
        counts = [f"{(roles.part == part).sum()} {part}" for part in given]
        drawn = (
            "; validation rows are drawn from those that train"
            if "validation" not in given
            else ""
        )
        yield f"Rows are split as {names['part']} says: {', '.join(counts)}{drawn}."
    if roles.weight is not None:
        yield (
            f"Rows count as {names['weight']} says: from {roles.weight.min():g} to "
            f"{roles.weight.max():g}."
        )


def time_notes(
    uses: Mapping[str, str], file: TableFile, rows: NDArray[np.bool_]
) -> Iterator[str]:
    """Yield in which of some rows the column of times holds dates hardly meant."""
    name = uses.get("time")
    if name is not None and kind_of(file.columns[name]) != "number":
        values = file.columns[name]
        yield from far_dates(name, values, _time(name, values, file.beside), rows)


def _group(name: str, values: pa.ChunkedArray, beside: Beside) -> NDArray[np.int_]:
    return words_of(values)[1]


def _part(name: str, values: pa.ChunkedArray, beside: Beside) -> NDArray[np.str_]:
    words, places = words_of(values)
    return np.array([str(word).lower() for word in words])[places]


# By how its words are read; what is none of these is refused as no date.
_KIND_OF_TIMES: Mapping[str, Kind] = {
    "number": "number",
    "duration": "number",
    "time": "time",
}


def _time(name: str, values: pa.ChunkedArray, beside: Beside) -> NDArray[np.float64]:
    kind: Kind = "number" if kind_of(values) == "number" else "date"
    if kind_of(values) == "text":
        words, counts = words_of(values).counted()
        form = guessed_form(words, counts, name=name, beside=beside).form
        kind = _KIND_OF_TIMES.get(form.kind if form else "", "date")
    times = coded_column(described(name, kind, values, beside=beside), values)
    if kind == "date" and np.isnan(times[~missing_mask(values)]).any():
        raise no_dates(name, values)
    return times


def _weight(name: str, values: pa.ChunkedArray, beside: Beside) -> NDArray[np.float64]:
    weights = np.full(len(values), np.nan)
    if kind_of(values) in ("number", "boolean", "text"):
        column = described(name, "number", values, beside=beside)
        weights = coded_column(column, values)
    odd = np.flatnonzero(np.isnan(weights) & ~missing_mask(values))
    if odd.size:
        cell = shown(str(value_of(values[int(odd[0])])))
        raise DataError(
            f"Column {shown(name)} (the weight) holds {cell} in row {odd[0] + 1}; give "
            "positive numbers."
        )
    return weights


_READERS: Mapping[str, Callable[[str, pa.ChunkedArray, Beside], NDArray]] = {
    "group": _group,
    "time": _time,
    "part": _part,
    "weight": _weight,
}
