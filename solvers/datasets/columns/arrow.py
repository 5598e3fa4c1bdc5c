"""Columns of Arrow: what they hold, their words; text and mixed cells as such."""

from __future__ import annotations

import datetime
import io
from collections.abc import Callable, Collection, Sequence
from decimal import Decimal
from numbers import Real
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

import numpy as np

from ...errors import DataError, shown
from ...numerics.arrays import Floats, Integers, Mask
from ...values import GAP_MARKS

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa
    from pyarrow import csv

_A_SECOND = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}

ColumnKind: TypeAlias = Literal["number", "boolean", "text", "date", "empty", "other"]


class Words(NamedTuple):
    """The distinct values of a column as text, and which one each row holds."""

    words: list[str | None]  # None for a gap
    places: Integers  # (n_rows,) -1 for a gap, too

    def counted(self) -> tuple[list[str], Integers]:
        """Return the words that are there, and in how many rows each stands."""
        counts = np.bincount(self.places[self.places >= 0], minlength=len(self.words))
        there = [k for k, word in enumerate(self.words) if word is not None]
        return [str(self.words[k]) for k in there], counts[there]

    def at(self, row: int) -> str | None:
        """Return the word of a row."""
        place = int(self.places[row])
        return None if place < 0 else self.words[place]

    def where(self, holds: Callable[[str], bool]) -> Mask:
        """Return in which rows stands a word that passes a test, shape (n_rows,)."""
        passes = [word is not None and holds(word) for word in self.words]
        return np.array([*passes, False], dtype=bool)[self.places]


def value_type(values: pa.ChunkedArray) -> pa.DataType:
    """Return the type of the values, which may be packed as a dictionary."""
    from pyarrow import types

    kind = values.type
    return kind.value_type if types.is_dictionary(kind) else kind


def holds_durations(values: pa.ChunkedArray) -> bool:
    """Return whether a column holds durations, which count in days."""
    from pyarrow import types

    return bool(types.is_duration(value_type(values)))


def unpacked(values: pa.ChunkedArray) -> pa.ChunkedArray:
    """Return the values themselves where they are packed as a dictionary."""
    return values.cast(value_type(values))


def kind_of(values: pa.ChunkedArray) -> ColumnKind:
    """Return what a column holds; a duration is a number, of days."""
    from pyarrow import types

    if types.is_nested(values.type):
        return "other"
    if types.is_null(values.type) or values.null_count == len(values):
        return "empty"
    kind = value_type(values)
    tests: list[tuple[ColumnKind, tuple[Any, ...]]] = [
        ("boolean", (types.is_boolean,)),
        (
            "number",
            (types.is_integer, types.is_floating, types.is_decimal, types.is_duration),
        ),
        ("text", (types.is_string, types.is_large_string)),
        ("date", (types.is_temporal,)),
    ]
    for name, checks in tests:
        if any(check(kind) for check in checks):
            return name
    return "other"


def missing_mask(values: pa.ChunkedArray) -> Mask:
    """Return where a column has no value; NaN is none.

    Shape: (n_rows,).
    """
    from pyarrow import types

    if types.is_nested(values.type):
        return np.ones(len(values), dtype=bool)
    nulls = values.is_null(nan_is_null=types.is_floating(values.type))
    return np.asarray(nulls.to_numpy(), dtype=bool)


def as_floats(values: pa.ChunkedArray) -> Floats:
    """Return numbers, booleans as 0 and 1, durations in days; NaN for a gap."""
    import pyarrow as pa

    values = unpacked(values)
    if pa.types.is_duration(values.type):
        return in_days(values)
    if pa.types.is_boolean(values.type):
        values = values.cast(pa.uint8())
    return np.asarray(values.cast(pa.float64(), safe=False).to_numpy(), dtype=float)


def in_days(values: pa.Array | pa.ChunkedArray) -> Floats:
    """Return durations, times or moments (since 1970) as days; NaN for a gap."""
    import pyarrow as pa

    counts = values.cast(pa.int64()).cast(pa.float64(), safe=False)
    found = np.asarray(counts.to_numpy(zero_copy_only=False), dtype=float)
    return found / (86_400 * _A_SECOND[values.type.unit])


def value_of(scalar: pa.Scalar) -> Any:
    """Return a cell as a value of Python's.

    None for what Python has no value for, as dates beyond its calendar.
    """
    try:
        return scalar.as_py()
    except (ArithmeticError, LookupError, ValueError):
        return None


def distinct_values(values: pa.ChunkedArray) -> tuple[pa.Array, Integers]:
    """Return the distinct values, and which one each row holds; -1 for none."""
    import pyarrow as pa

    if not pa.types.is_dictionary(values.type):
        values = values.dictionary_encode()
    chunks = values.unify_dictionaries().chunks
    indices = [chunk.indices.cast(pa.int64()).fill_null(-1) for chunk in chunks]
    return chunks[0].dictionary, np.concatenate(indices)


def words_of(values: pa.ChunkedArray) -> Words:
    """Return the distinct values of a column as text, and which one each row holds."""
    from pyarrow import types

    if types.is_nested(values.type):
        raise DataError("A column holds nested values; give one value a cell.")
    if types.is_null(values.type) or not len(values):
        return Words([], np.full(len(values), -1))
    distinct, places = distinct_values(values)
    return Words([_word(value) for value in _values_of(distinct)], places)


def _values_of(cells: pa.Array) -> list[Any]:
    """Return cells as values of Python's, as `value_of` does one of them."""
    try:
        return cells.to_pylist()
    except (ArithmeticError, LookupError, ValueError):  # of one of them
        return [value_of(cell) for cell in cells]


def word_of(scalar: pa.Scalar) -> str | None:
    """Return a cell as text, whole numbers without a point; None where it is none."""
    return _word(value_of(scalar))


def _word(value: Any) -> str | None:
    if value is None or value != value:
        return None
    if isinstance(value, Decimal):
        whole, _, places = f"{value:f}".partition(".")
        return f"{whole}.{places}".rstrip("0").rstrip(".") if places else whole
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        value = int(value)
    return str(value).strip() or None


def plain_texts(
    column: pa.ChunkedArray, gaps: Collection[str] = GAP_MARKS
) -> pa.ChunkedArray:
    """Return texts in a layout that is read everywhere, null where they say nothing.

    So they are what they would be in a CSV file. Columns of other values stay.
    `gaps`: what stands in cells that say nothing.
    """
    import pyarrow as pa
    from pyarrow import compute

    kind = value_type(column)
    if _holds_bytes(kind):
        try:  # Impala and others write text as bytes
            column = _as_words(column)
        except pa.ArrowInvalid:  # bytes of something else
            return column
        kind = value_type(column)
    is_text = pa.types.is_string(kind) or pa.types.is_large_string(kind)
    if not (is_text or pa.types.is_string_view(kind)):
        return column
    if pa.types.is_dictionary(column.type):
        packed = [_without_marks(chunk, gaps) for chunk in column.chunks]
        return pa.chunked_array(packed, packed[0].type) if packed else column
    if not is_text:  # of polars
        column = column.cast(pa.large_string())
    trimmed = compute.utf8_trim_whitespace(column)
    is_mark = compute.is_in(trimmed, pa.array(gaps, column.type))
    if not compute.any(is_mark).as_py():
        return column
    return compute.if_else(is_mark, pa.scalar(None, column.type), column)


def _holds_bytes(kind: pa.DataType) -> bool:
    import pyarrow as pa

    types = pa.types
    return bool(
        types.is_binary(kind)
        or types.is_large_binary(kind)
        or types.is_binary_view(kind)
        or types.is_fixed_size_binary(kind)
    )


def _as_words(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Return bytes that are UTF-8 as text."""
    import pyarrow as pa

    if not pa.types.is_dictionary(column.type):
        return column.cast(pa.large_binary()).cast(pa.large_string())
    packed = [
        pa.DictionaryArray.from_arrays(
            chunk.indices,
            chunk.dictionary.cast(pa.large_binary()).cast(pa.large_string()),
        )
        for chunk in column.chunks
    ]
    return pa.chunked_array(packed) if packed else column


def _without_marks(
    chunk: pa.DictionaryArray, gaps: Collection[str]
) -> pa.DictionaryArray:
    """Return packed texts without the words that say nothing."""
    import pyarrow as pa
    from pyarrow import compute

    # Arrow casts the words of a dictionary, but not the dictionary itself.
    words = chunk.dictionary.cast(pa.large_string())
    trimmed = compute.utf8_trim_whitespace(words)
    is_word = compute.invert(compute.is_in(trimmed, pa.array(gaps, words.type)))
    places = np.cumsum(is_word) - 1
    nowhere = ~np.asarray(is_word, dtype=bool)
    moved = pa.array(places, chunk.type.index_type, mask=nowhere)
    return pa.DictionaryArray.from_arrays(
        moved.take(chunk.indices), words.filter(is_word), ordered=chunk.type.ordered
    )


# As numbers are written back: not 007, 10e4 or so many digits that some are rounded.
_WHOLE = r"^(0|-?[1-9][0-9]{0,17})$"
_REAL = (
    r"^[+-]?([0-9]|[1-9][0-9]{1,14}|(0|[1-9][0-9]*)\.[0-9]*|\.[0-9]+"
    r"|[0-9](\.[0-9]+)?[eE][+-]?[0-9]{1,3})$"
)
# Of years before 1000 Arrow knows one that no calendar has.
_DAY = r"^[1-9][0-9]{3}-[0-9]{2}-[0-9]{2}$"
_MOMENT = f"{_DAY[:-1]}[ T][0-9]{{2}}:[0-9]{{2}}(:[0-9]{{2}}(\\.[0-9]{{1,6}})?)?$"
_GROUPED = r"^[+-]?[1-9][0-9]{0,2}\.[0-9]{3}$"
_TRUTH = "^(true|True|TRUE|false|False|FALSE)$"
_FIRST = 1000  # words that are looked at before all are


def as_text(names: Sequence[str]) -> csv.ConvertOptions:
    """Return what the cells of a text file are, before anything is decided: text."""
    import pyarrow as pa
    from pyarrow import csv

    return csv.ConvertOptions(column_types=dict.fromkeys(names, pa.string()))


def typed_text(
    column: pa.ChunkedArray, gaps: Collection[str] = GAP_MARKS
) -> pa.ChunkedArray:
    """Return a column of text with nulls for gaps; of a type if all words are plain.

    What is neither, as money or a code, stays text: its form is decided later.
    """
    import pyarrow as pa
    from pyarrow import compute

    column = plain_texts(column, gaps)
    if column.null_count == len(column):
        return column
    words = compute.utf8_trim_whitespace(column)
    for pattern, kind in [
        (_WHOLE, pa.int64()),
        (_REAL, pa.float64()),
        (_TRUTH, pa.bool_()),
        (_DAY, pa.date32()),
        (_MOMENT, pa.timestamp("us")),
    ]:
        if _all_match(words, pattern):
            found = _cast(words, kind)
            return column if found is None else found
    return column


def _all_match(words: pa.ChunkedArray, pattern: str) -> bool:
    """Return whether all words match; the first of many tell most often."""
    from pyarrow import compute

    return all(
        compute.all(
            compute.match_substring_regex(some, pattern),
            min_count=0,  # all of the first may be gaps
        ).as_py()
        for some in (words.slice(0, _FIRST), words)
    )


def _cast(words: pa.ChunkedArray, kind: pa.DataType) -> pa.ChunkedArray | None:
    """Return words as values of a type; None where one is no such value."""
    import pyarrow as pa
    from pyarrow import compute

    is_real = pa.types.is_floating(kind)
    if is_real and (_may_part_thousands(words) or _are_twins(words)):
        return None
    try:
        found = words.cast(kind)
    except pa.ArrowInvalid:  # no day of the calendar
        return None
    if is_real and compute.any(compute.is_inf(found)).as_py():
        return None
    return found


def _may_part_thousands(words: pa.ChunkedArray) -> bool:
    """Return whether every point stands before three digits, as of thousands."""
    from pyarrow import compute

    for some in (words.slice(0, _FIRST), words):
        has_point = compute.match_substring(some, ".")
        grouped = compute.match_substring_regex(some, _GROUPED)
        if compute.any(compute.and_not(has_point, grouped)).as_py():
            return False
    return bool(compute.any(has_point).as_py())


def _are_twins(words: pa.ChunkedArray) -> bool:
    """Return whether two words write one number, as 1.1 and 1.10 of a version."""
    import pyarrow as pa
    from pyarrow import compute

    odd = compute.match_substring_regex(words, r"\.[0-9]*0$|\.$|^[+]|^-?\.|[eE]")
    if not compute.any(odd).as_py():
        return False
    values = words.unique()
    return len(values.cast(pa.float64()).unique()) < len(values)


_TIMES = (datetime.date, datetime.time, datetime.timedelta, np.datetime64)
# Python's truths and NumPy's numbers are real ones.
_WRITABLE = (str, Real, np.bool_, Decimal, *_TIMES)
_NOTHING = "\ue000"  # in a cell: lines without a character would be passed over


def is_mixed(column: pd.Series) -> bool:
    """Return whether a column holds objects of several types, and not just numbers."""
    import pandas as pd
    from pandas.api.types import infer_dtype

    is_category = isinstance(column.dtype, pd.CategoricalDtype)
    held = pd.Series(column.cat.categories) if is_category else column
    found = infer_dtype(held) if held.dtype == object else ""
    if found == "date":  # moments are dates, too, and would lose their hours
        return held.dropna().map(type).nunique() > 1
    return found.startswith("mixed") and found != "mixed-integer-float"


def as_csv_holds_it(
    name: str, column: pd.Series, gaps: Collection[str] = GAP_MARKS
) -> pa.ChunkedArray:
    """Return a column of several types, one value a cell, as one of a CSV file."""
    import pandas as pd
    from pyarrow import csv

    cells = column.astype(object).dropna()
    for row, value in zip(np.flatnonzero(column.notna()) + 1, cells, strict=True):
        if not isinstance(value, (*_WRITABLE, pd.Period, pd.Interval)):
            raise DataError(
                f"Column {shown(name)} holds a {type(value).__name__} in row {row}, "
                f"{shown(value)}; give one value a cell, or leave the column out."
            )
    try:
        written = column.to_frame("cells").to_csv(index=False, na_rep=_NOTHING).encode()
    except UnicodeEncodeError as error:
        raise DataError(
            f"Column {shown(name)} holds {shown(error.object[error.start])}, which is "
            "half a character; write the text anew, or leave the column out."
        ) from error
    table = csv.read_csv(
        io.BytesIO(written),
        csv.ReadOptions(use_threads=False, block_size=len(written) + 1),
        csv.ParseOptions(newlines_in_values=True),
        as_text(["cells"]),
    )
    return typed_text(table.column(0), (*gaps, _NOTHING))
