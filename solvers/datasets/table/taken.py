"""A column as it is taken from a table: its kind and codes, or why it is left out."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ...interchange import shown
from ..columns.coding import coded_column, number_of, words_of
from ..columns.dates import far_days
from ..columns.detection import described, detected
from ..columns.forms import foreign_form
from ..columns.schema import Column, Gaps, Kind
from .columns import Numbers, missing_mask, numbers_of

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = [
    "REASONS",
    "Reason",
    "TakenColumn",
    "far_dates",
    "is_flat",
    "odd_cells",
    "taken",
]

#: Why a column is left out, as said of one and of several, and what may be done.
REASONS: Mapping[str, tuple[str, str, str]] = {
    "text": (
        "holds text of many values",
        "hold text of many values",
        '; the kind "hashed" keeps such a column',
    ),
    "identifier": ("only names the rows", "only name the rows", ""),
    "figures": (
        "holds numbers beside signs or separators",
        "hold numbers beside signs or separators",
        "; write them as 1234.5",
    ),
    "days": (
        "holds dates of another form",
        "hold dates of another form",
        "; write them as 2024-12-31",
    ),
    "empty": ("holds no value", "hold no value", ""),
    "mixed": (
        "holds text among its numbers",
        "hold text among their numbers",
        "; write nothing in such cells, or choose a kind",
    ),
    "other": (
        "holds neither numbers nor text",
        "hold neither numbers nor text",
        "; give what is in such cells as columns of their own",
    ),
    "constant": (
        "holds the same value in every row",
        "hold the same value in every row",
        "",
    ),
    "mistaken": (
        "holds nothing of this kind",
        "hold nothing of the kind that was chosen",
        "; choose another kind",
    ),
}

# What cells hold that are missing for a number and for a date, and what to do.
_ODD: Mapping[str, tuple[str, str]] = {
    "number": ("text among numbers", ""),
    "date": ("what is no date", "; write dates as 2024-12-31"),
}


@dataclass(frozen=True, eq=False)
class TakenColumn:
    """A column that methods may learn from."""

    column: Column
    codes: NDArray[np.float64]  # (n_rows,)
    had_commas: bool = False  # Whether decimal commas were read as points


@dataclass(frozen=True)
class Reason:
    """Why no method can learn from a column."""

    reason: str  # One of REASONS
    example: str = ""  # A value, as a message shows it
    kind: Kind = "unusable"  # What the column is then


def taken(
    name: str, values: pa.ChunkedArray, told: Any, gaps: Gaps
) -> TakenColumn | Reason:
    """Return a column and its codes, or why a method cannot learn from it.

    `told`: a kind, or fields of ``Column``; None of what is to be detected.
    """
    fields = {"gaps": gaps, **({"kind": told} if isinstance(told, str) else told or {})}
    kind = fields.pop("kind", None)
    numbers = Numbers(np.zeros(0), "") if kind else numbers_of(name, values)
    if kind is None and numbers.reason not in ("", "text", "date"):
        return Reason(numbers.reason, numbers.example)
    column = described(name, kind, values, fields) if kind else detected(name, values)
    if kind is None and fields.keys() - {"gaps"} and not column.is_left_out:
        column = described(name, column.kind, values, fields)
    if numbers.had_commas and not column.is_left_out:
        column = Column(name, "number")
    if kind is None and column.kind == "number" and not numbers.reason:
        codes = numbers.values
    elif column.is_left_out:
        reason: str = "other" if column.kind == "unusable" else column.kind
        if kind is None and column.kind in ("text", "identifier"):
            slip = _text_among_numbers(values)
            if slip:
                return Reason("mixed", slip, column.kind)
            reason = foreign_form(values) or reason
        return Reason(reason, numbers.example, column.kind)
    else:
        codes = coded_column(column, values)
    if is_flat(codes):
        flat = "constant"
        if np.isnan(codes).all():
            flat = "empty" if missing_mask(values).all() else "mistaken"
        return Reason(flat, _first_value(values), column.kind)
    has_gaps = fields.get("has_gaps", bool(np.isnan(codes).any()))
    settled = dataclasses.replace(column, gaps=fields["gaps"], has_gaps=has_gaps)
    return TakenColumn(settled, codes, numbers.had_commas)


def is_flat(codes: NDArray[np.float64]) -> bool:
    """Return whether all are equal; a gap differs from a value."""
    gaps = np.isnan(codes)
    return bool(gaps.all() or (not gaps.any() and codes.min() == codes.max()))


def odd_cells(
    column: Column,
    values: pa.ChunkedArray,
    codes: NDArray[np.float64],
    rows: NDArray[np.bool_],
) -> Iterator[str]:
    """Yield in which of some rows a column holds what is none of its values.

    Shapes: `codes` and `rows` (n_rows,).
    """
    if column.is_listed:
        odd = rows & (codes >= len(column.values))
        if odd.any():
            yield (
                f"{int(odd.sum())} rows hold values of {shown(column.name)} that "
                "have no column of their own: they share one."
            )
    elif column.kind in ("number", "date"):
        odd = rows & np.isnan(codes) & _hold_something(values)
        if odd.any():
            what, remedy = _ODD[column.kind]
            yield (
                f"Column {shown(column.name)} holds {what} in {_places(values, odd)}: "
                f"taken as missing there{remedy}."
            )
    if column.kind == "date":
        yield from far_dates(column.name, values, codes, rows)


def far_dates(
    name: str,
    values: pa.ChunkedArray,
    days: NDArray[np.float64],
    rows: NDArray[np.bool_],
) -> Iterator[str]:
    """Yield in which of some rows a column holds dates that are hardly meant.

    Shapes: `days` and `rows` (n_rows,).
    """
    from pyarrow import types

    far = rows & far_days(np.where(rows, days, np.nan))
    # What is no point in time lies nowhere.
    if far.any() and not types.is_duration(values.type):
        yield (
            f"Column {shown(name)} holds dates centuries away from the others, or "
            f"outside of 1600 to 2200, in {_places(values, far)}: kept as they are; "
            "write nothing where no date is known."
        )


def _places(values: pa.ChunkedArray, odd: NDArray[np.bool_]) -> str:
    """Return how many rows are odd, the first of them and what it holds."""
    found = np.flatnonzero(odd)
    rows = "rows" if len(found) > 1 else "row"
    where = ", ".join(str(row + 1) for row in found[:5])
    example = shown(_text_of(values[int(found[0])]))
    return f"{len(found)} {rows} (such as {example}; {rows} {where})"


def _text_among_numbers(values: pa.ChunkedArray) -> str:
    """Return the first text of a column that mostly holds numbers, and its row."""
    words, places = words_of(values)
    is_text = [w is not None and np.isnan(number_of(w)) for w in words]
    odd = np.flatnonzero(np.array([*is_text, False])[places])
    if not 0 < len(odd) < np.count_nonzero(places >= 0) / 2:
        return ""
    return f"{shown(words[places[odd[0]]])} in row {odd[0] + 1}"


def _hold_something(values: pa.ChunkedArray) -> NDArray[np.bool_]:
    if not _is_text(values):
        return ~missing_mask(values)
    words, places = words_of(values)
    return np.array([word is not None for word in words] + [False])[places]


def _text_of(cell: pa.Scalar) -> str:
    import pyarrow as pa

    return str(cell.cast(pa.string()).as_py()).strip()


def _is_text(values: pa.ChunkedArray) -> bool:
    from pyarrow import types

    return bool(types.is_string(values.type) or types.is_large_string(values.type))


def _first_value(values: pa.ChunkedArray) -> str:
    words = [word for word in words_of(values)[0] if word is not None]
    return shown(words[0]) if words else ""
