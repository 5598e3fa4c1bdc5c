"""Columns of Arrow: what they hold, where they hold nothing, their distinct words."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ...errors import DataError

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = [
    "ColumnKind",
    "Words",
    "as_floats",
    "distinct_values",
    "kind_of",
    "missing_mask",
    "plain_texts",
    "unpacked",
    "value_of",
    "value_type",
    "word_of",
    "words_of",
]

ColumnKind: TypeAlias = Literal["number", "boolean", "text", "date", "empty", "other"]


class Words(NamedTuple):
    """The distinct values of a column as text, and which one each row holds."""

    words: list[str | None]  # None for a gap
    places: NDArray[np.int_]  # (n_rows,) -1 for a gap, too

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


def unpacked(values: pa.ChunkedArray) -> pa.ChunkedArray:
    """Return the values themselves where they are packed as a dictionary."""
    return values.cast(value_type(values))


def kind_of(values: pa.ChunkedArray) -> ColumnKind:
    """Return what a column holds."""
    from pyarrow import types

    if types.is_nested(values.type):
        return "other"
    if types.is_null(values.type) or values.null_count == len(values):
        return "empty"
    kind = value_type(values)
    tests: list[tuple[ColumnKind, tuple[Any, ...]]] = [
        ("boolean", (types.is_boolean,)),
        ("number", (types.is_integer, types.is_floating, types.is_decimal)),
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
    """Return numbers, and booleans as 0 and 1; NaN for a gap."""
    import pyarrow as pa

    values = unpacked(values)
    if pa.types.is_boolean(values.type):
        values = values.cast(pa.uint8())
    return np.asarray(values.cast(pa.float64(), safe=False).to_numpy(), dtype=float)


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


def plain_texts(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Return texts of polars in the layout that is read everywhere."""
    import pyarrow as pa

    kind = column.type
    if pa.types.is_string_view(kind):
        return column.cast(pa.large_string())
    if pa.types.is_dictionary(kind) and pa.types.is_string_view(kind.value_type):
        # Arrow casts the words of a dictionary, but not the dictionary itself.
        words = [chunk.dictionary.cast(pa.large_string()) for chunk in column.chunks]
        of_large = pa.dictionary(kind.index_type, pa.large_string(), kind.ordered)
        packed = [
            pa.DictionaryArray.from_arrays(chunk.indices, word, ordered=kind.ordered)
            for chunk, word in zip(column.chunks, words, strict=True)
        ]
        return pa.chunked_array(packed, of_large)
    return column
