"""A column of a person's table, read once: what it is, or why it is left out.

Previews, plans, data sets and their notes say of a column what its reading says.
"""

from __future__ import annotations

import dataclasses
import math
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ...errors import DataError, counted, listed, shown
from ...numerics.arrays import Floats, Mask
from ...values import (
    ALONE,
    Beside,
    ColumnGuess,
    NumberForm,
    form_notes,
    guessed_form,
    number_form,
)
from ..columns.arrow import (
    as_floats,
    holds_durations,
    kind_of,
    missing_mask,
    unpacked,
    value_type,
    word_of,
    words_of,
)
from ..columns.coding import coded_column, far_days
from ..columns.detection import described, detected
from ..columns.schema import WRITTEN, Column, Gaps

if TYPE_CHECKING:
    import pyarrow as pa

#: Why a column is left out, as said of one and of several, and what may be done.
REASONS: Mapping[str, tuple[str, str, str]] = {
    "text": (
        "holds text of many values",
        "hold text of many values",
        '; the kind "hashed" keeps such a column',
    ),
    "identifier": ("only names the rows", "only name the rows", ""),
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
    "time": ("what is no time of day", "; write times as 13:45"),
}


@dataclass(frozen=True, eq=False)
class ColumnReading:
    """What a column is and its codes, or why no method can learn from it."""

    column: Column
    cells: pa.ChunkedArray
    codes: Floats  # (n_rows,) without any where it is left out
    left_out: str = ""  # One of REASONS
    example: str = ""  # A cell that shows why, as a message has it
    notes: tuple[str, ...] = ()  # How its words were read
    offered: str = ""  # Another kind that a person may mean

    @property
    def name(self) -> str:
        """Name of the column."""
        return self.column.name

    @property
    def n_missing(self) -> int:
        """In how many rows it holds nothing, or nothing of its kind."""
        gaps = missing_mask(self.cells) if self.left_out else np.isnan(self.codes)
        return int(gaps.sum())

    def odd_cells(self, rows: Mask) -> Iterator[str]:
        """Yield in which of some rows it holds what is none of its values.

        Shape: `rows` (n_rows,).
        """
        column, cells, codes = self.column, self.cells, self.codes
        called = f"Column {shown(column.name)} holds"
        if column.is_listed:
            odd = rows & (codes >= len(column.values))
            if odd.any():
                n_odd = counted(int(odd.sum()), "row")
                yield (
                    f"{called} values in {n_odd} that have no column of their own: "
                    "they share one."
                )
        elif column.kind in _ODD:
            odd = rows & np.isnan(codes) & _hold_something(cells)
            if odd.any():
                what, remedy = _ODD[column.kind]
                yield (
                    f"{called} {what} in {_places(cells, odd)}: taken as missing "
                    f"there{remedy}."
                )
        if column.kind == "date":
            yield from far_dates(column.name, cells, codes, rows)

    def counted_in(self) -> Iterator[str]:
        """Yield in which unit it counts, where its cells are typed otherwise."""
        called = f"Column {shown(self.name)} holds"
        if self.column.kind == "number" and holds_durations(self.cells):
            yield f"{called} durations: they count in days."
        if self.column.kind == "date" and _are_finer(self.cells):
            yield (
                f"{called} nanoseconds: what is finer than a microsecond is cut off."
            )


def left_out_notes(readings: Iterable[ColumnReading]) -> Iterator[str]:
    """Yield which columns are left out, a sentence for each reason."""
    found: dict[str, list[ColumnReading]] = {}
    for reading in readings:
        found.setdefault(reading.left_out, []).append(reading)
    for reason, (of_one, of_several, remedy) in REASONS.items():
        columns = found.get(reason, [])
        if columns:
            words = f"it {of_one}" if len(columns) == 1 else f"they {of_several}"
            example = columns[0].example
            such = f" (for instance {example})" if example else ""
            names = listed([reading.name for reading in columns])
            yield f"Left out as {words}{such}: {names}{remedy}."


def read_column(
    name: str,
    cells: pa.ChunkedArray,
    told: Any,
    gaps: Gaps,
    beside: Beside = ALONE,
) -> ColumnReading:
    """Return a column as it is meant.

    `told`: a kind, or fields of ``Column``; None of what is to be detected. `beside`:
    what the other columns of the file tell of its marks.
    """
    fields = {"gaps": gaps, **({"kind": told} if isinstance(told, str) else told or {})}
    kind, says = fields.pop("kind", None), [key for key in WRITTEN if key in fields]
    if kind is None and says:
        kind = "date" if "order" in says else "number"
    if kind is not None:
        column = described(name, kind, cells, fields, beside)
        notes = _notes_of(column, cells)
        is_text = kind_of(cells) == "text"
        if is_text and not (notes or says or "form" in fields):
            column = dataclasses.replace(column, form=None)
        return _settled(column, cells, fields, notes)
    unusable, what = Column(name, "unusable"), kind_of(cells)
    if what in ("empty", "other"):
        return _left_out(unusable, cells, fields, what, _first_value(cells))
    if what in ("number", "boolean"):
        numbers = _finite_numbers(name, cells)
        if np.isnan(numbers).all():
            return _left_out(unusable, cells, fields, "empty")
        if is_flat(numbers):
            return _left_out(unusable, cells, fields, "constant", f"{numbers[0]:g}")
    return _guessed(name, cells, fields, beside)


def _guessed(
    name: str, cells: pa.ChunkedArray, fields: Mapping[str, Any], beside: Beside
) -> ColumnReading:
    """Return a column as what it most likely is; `fields`: what a person says of it."""
    guess, what = ColumnGuess(None), kind_of(cells)
    if what == "text":
        words, counts = words_of(cells).counted()
        _refuse_infinite(name, cells)
        guess = guessed_form(words, counts, name=name, beside=beside)
    elif what == "number":
        guess = _days_in_numbers(name, cells)
    column, offered = detected(name, cells, guess), "date" if guess.offered else ""
    if column.is_left_out:
        out = _left_out(column, cells, fields, *_reason(column, cells))
        if not offered:
            return out
        return dataclasses.replace(out, notes=guess.notes, offered=offered)
    if what == "number" or not guess.notes:  # as files write it, which needs no form
        column = dataclasses.replace(column, form=None)
    if fields.keys() - {"gaps"}:
        given = {"form": column.form, **fields}
        column = described(name, column.kind, cells, given, beside)
    return _settled(column, cells, fields, guess.notes, offered)


def _days_in_numbers(name: str, cells: pa.ChunkedArray) -> ColumnGuess:
    """Return whether whole numbers may be days, as 20241231 is one."""
    from pyarrow import types

    numbers = as_floats(cells)
    numbers = numbers[~np.isnan(numbers)]
    is_near = types.is_integer(value_type(cells)) and len(numbers) > 0
    if not is_near or numbers.min() < 19_000_101 or numbers.max() > 21_001_231:
        return ColumnGuess(None)  # mostly, and in less time than looking at words
    words, counts = words_of(cells).counted()
    guess = guessed_form(words, counts, name=name)
    return guess if guess.offered else ColumnGuess(None)


def _notes_of(column: Column, cells: pa.ChunkedArray) -> tuple[str, ...]:
    """Return how the words of a column are read that are not as files write them."""
    if column.form is None or kind_of(cells) != "text":
        return ()
    return form_notes(column.form, words_of(cells).counted()[0], column.name)


def _settled(
    column: Column,
    cells: pa.ChunkedArray,
    fields: Mapping[str, Any],
    notes: tuple[str, ...],
    offered: str = "",
) -> ColumnReading:
    """Return a column of a known kind with its codes, or why it has none."""
    if column.is_left_out:
        reason = "other" if column.kind == "unusable" else column.kind
        return _left_out(column, cells, fields, reason)
    codes = coded_column(column, cells)
    if is_flat(codes):
        flat = "constant"
        if np.isnan(codes).all():
            flat = "empty" if missing_mask(cells).all() else "mistaken"
        return _left_out(column, cells, fields, flat, _first_value(cells))
    has_gaps = fields.get("has_gaps", bool(np.isnan(codes).any()))
    settled = dataclasses.replace(column, gaps=fields["gaps"], has_gaps=has_gaps)
    return ColumnReading(settled, cells, codes, notes=notes, offered=offered)


def _left_out(
    column: Column,
    cells: pa.ChunkedArray,
    fields: Mapping[str, Any],
    reason: str,
    example: str = "",
) -> ColumnReading:
    """Return a column that is left out: of what it is, its kind alone is of use."""
    bare = Column(column.name, column.kind, gaps=fields["gaps"])
    return ColumnReading(bare, cells, np.empty(0), reason, example)


def _reason(column: Column, cells: pa.ChunkedArray) -> tuple[str, str]:
    """Return why a column whose kind was detected tells nothing, and an example."""
    if kind_of(cells) != "text":
        return column.kind, ""
    words, forms = words_of(cells), (NumberForm(".", ","), NumberForm(",", "."))
    texts = np.flatnonzero(
        words.where(lambda word: all(form.read(word) is None for form in forms))
    )
    example = shown(words.at(texts[0])) if len(texts) else ""
    if 0 < len(texts) < np.count_nonzero(words.places >= 0) / 2:
        return "mixed", f"{example} in row {texts[0] + 1}"
    return column.kind, example


def _finite_numbers(name: str, values: pa.ChunkedArray) -> Floats:
    numbers = as_floats(values)
    (infinite,) = np.nonzero(np.isinf(numbers))
    if infinite.size:
        row = int(infinite[0])
        raise _infinite(name, f"{numbers[row]:g}", row)
    return numbers


# Of these a file of numbers may hold some; 1e999 is larger than all that are finite.
_INFINITE = re.compile(r"[+-]?(inf|infinity|[0-9.]+e[0-9]{3,})", re.IGNORECASE)


def _refuse_infinite(name: str, values: pa.ChunkedArray) -> None:
    """Refuse a column of numbers in words, of which one is infinite."""
    words = words_of(values)
    is_infinite = words.where(lambda word: bool(_INFINITE.fullmatch(word)))
    if not is_infinite.any():
        return
    row = int(is_infinite.argmax())
    number = float(str(words.at(row)))
    finite = [w for w in words.words if w is not None and not _INFINITE.fullmatch(w)]
    if math.isinf(number) and finite and number_form(finite, name=name) is not None:
        raise _infinite(name, f"{number:g}", row)


def _infinite(name: str, number: str, row: int) -> DataError:
    return DataError(
        f"Column {shown(name)} holds {number} in row {row + 1}; write a finite number "
        "there, write nothing, or leave the column out."
    )


def is_flat(codes: Floats) -> bool:
    """Return whether all are equal; a gap differs from a value."""
    gaps = np.isnan(codes)
    return bool(gaps.all() or (not gaps.any() and codes.min() == codes.max()))


def _are_finer(values: pa.ChunkedArray) -> bool:
    """Return whether some moments are told to less than a microsecond."""
    from pyarrow import compute, types

    kind = value_type(values)
    if not (types.is_timestamp(kind) and kind.unit == "ns"):
        return False
    moments = unpacked(values)
    floored = compute.floor_temporal(moments, unit="microsecond")
    return bool(compute.any(compute.not_equal(moments, floored)).as_py())


def far_dates(
    name: str, values: pa.ChunkedArray, days: Floats, rows: Mask
) -> Iterator[str]:
    """Yield in which of some rows a column holds dates that are hardly meant.

    Shapes: `days` and `rows` (n_rows,).
    """
    far = rows & far_days(np.where(rows, days, np.nan))
    if far.any():
        yield (
            f"Column {shown(name)} holds dates centuries away from the others, or "
            f"outside of 1600 to 2200, in {_places(values, far)}: kept as they are; "
            "write nothing where no date is known."
        )


def _places(values: pa.ChunkedArray, odd: Mask) -> str:
    """Return how many rows are odd, the first of them and what it holds."""
    found = np.flatnonzero(odd)
    rows = "rows" if len(found) > 1 else "row"
    where = ", ".join(str(row + 1) for row in found[:5])
    example = shown(_text_of(values[int(found[0])]))
    return f"{len(found)} {rows} (such as {example}; {rows} {where})"


def _hold_something(values: pa.ChunkedArray) -> Mask:
    is_text = kind_of(values) == "text"
    return words_of(values).where(bool) if is_text else ~missing_mask(values)


def _text_of(cell: pa.Scalar) -> str:
    import pyarrow as pa

    return str(cell.cast(pa.string()).as_py()).strip()


def _first_value(values: pa.ChunkedArray) -> str:
    from pyarrow import types

    there = values.drop_null()
    if types.is_nested(values.type) or not len(there):
        return ""
    word = word_of(there[0])
    return shown(word) if word else ""
