"""Columns of Arrow: what they hold, where they hold nothing, their distinct words."""

from __future__ import annotations

from collections.abc import Callable, Collection
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ...errors import DataError
from ...values import GAP_MARKS

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = [
    "ColumnKind",
    "Words",
    "as_floats",
    "distinct_values",
    "holds_durations",
    "in_days",
    "kind_of",
    "missing_mask",
    "plain_texts",
    "unpacked",
    "value_of",
    "value_type",
    "word_of",
    "words_of",
]

_A_SECOND = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}

ColumnKind: TypeAlias = Literal["number", "boolean", "text", "date", "empty", "other"]


class Words(NamedTuple):
    """The distinct values of a column as text, and which one each row holds."""

    words: list[str | None]  # None for a gap
    places: NDArray[np.int_]  # (n_rows,) -1 for a gap, too

    def counted(self) -> tuple[list[str], NDArray[np.int_]]:
        """Return the words that are there, and in how many rows each stands."""
        counts = np.bincount(self.places[self.places >= 0], minlength=len(self.words))
        there = [k for k, word in enumerate(self.words) if word is not None]
        return [str(self.words[k]) for k in there], counts[there]

    def at(self, row: int) -> str | None:
        """Return the word of a row."""
        place = int(self.places[row])
        return None if place < 0 else self.words[place]

    def where(self, holds: Callable[[str], bool]) -> NDArray[np.bool_]:
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


def missing_mask(values: pa.ChunkedArray) -> NDArray[np.bool_]:
    """Return where a column has no value; NaN is none.

    Shape: (n_rows,).
    """
    from pyarrow import types

    if types.is_nested(values.type):
        return np.ones(len(values), dtype=bool)
    nulls = values.is_null(nan_is_null=types.is_floating(values.type))
    return np.asarray(nulls.to_numpy(), dtype=bool)


def as_floats(values: pa.ChunkedArray) -> NDArray[np.float64]:
    """Return numbers, booleans as 0 and 1, durations in days; NaN for a gap."""
    import pyarrow as pa

    values = unpacked(values)
    if pa.types.is_duration(values.type):
        return in_days(values)
    if pa.types.is_boolean(values.type):
        values = values.cast(pa.uint8())
    return np.asarray(values.cast(pa.float64(), safe=False).to_numpy(), dtype=float)


def in_days(values: pa.Array | pa.ChunkedArray) -> NDArray[np.float64]:
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


def distinct_values(values: pa.ChunkedArray) -> tuple[pa.Array, NDArray[np.int_]]:
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
    return Words([word_of(value) for value in distinct], places)


def word_of(scalar: pa.Scalar) -> str | None:
    """Return a cell as text, whole numbers without a point; None where it is none."""
    value = value_of(scalar)
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
