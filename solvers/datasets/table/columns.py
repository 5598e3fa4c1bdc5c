"""What a column holds, and its numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ...errors import DataError
from ...interchange import shown

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["ColumnKind", "Numbers", "kind_of", "missing_mask", "numbers_of", "value_of"]

ColumnKind: TypeAlias = Literal["number", "boolean", "text", "date", "empty", "other"]

_NONE = np.zeros(0)
_WITH_COMMA = r"^\s*[+-]?\d*,\d+\s*$"
_WITHOUT_COMMA = r"^\s*[+-]?\d+\s*$"
_THOUSANDS = r"^\s*[+-]?[1-9]\d{0,2}(,\d{3})+\s*$"
_NUMBER = r"^\s*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\s*$"


@dataclass(frozen=True, eq=False)
class Numbers:
    """The numbers of a column, or why there are none."""

    # (n_rows,) NaN where a value is missing; of shape (0,) if the column holds no
    # numbers
    values: NDArray[np.float64]
    reason: str  # Why a method cannot learn from the column; "" if it can
    example: str = ""  # A value that is no number, as a message shows it
    had_commas: bool = False  # Whether decimal commas were read as points


def kind_of(column: pa.ChunkedArray) -> ColumnKind:
    """Return what a column holds."""
    from pyarrow import types

    kind = column.type
    if types.is_nested(kind):
        return "other"
    if types.is_null(kind) or column.null_count == len(column):
        return "empty"
    if types.is_dictionary(kind):
        kind = kind.value_type
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


def numbers_of(name: str, column: pa.ChunkedArray) -> Numbers:
    """Return the numbers of a column, booleans as 0 and 1."""
    kind = kind_of(column)
    if kind == "text":
        return _numbers_of_text(name, column)
    if kind not in ("number", "boolean"):
        return Numbers(_NONE, kind, _example(column))
    return _judged(name, _as_floats(column))


def value_of(scalar: pa.Scalar) -> Any:
    """Return a cell as a value of Python's.

    None for what Python has no value for, as dates beyond its calendar.
    """
    try:
        return scalar.as_py()
    except (ArithmeticError, LookupError, ValueError):
        return None


def missing_mask(column: pa.ChunkedArray) -> NDArray[np.bool_]:
    """Return where a column has no value; NaN is none.

    Shape: (n_rows,).
    """
    from pyarrow import types

    if types.is_nested(column.type):
        return np.ones(len(column), dtype=bool)
    nulls = column.is_null(nan_is_null=types.is_floating(column.type))
    return np.asarray(nulls.to_numpy(), dtype=bool)


def _as_floats(column: pa.ChunkedArray) -> NDArray[np.float64]:
    import pyarrow as pa

    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    if pa.types.is_boolean(column.type):
        column = column.cast(pa.uint8())
    return np.asarray(column.cast(pa.float64(), safe=False).to_numpy(), dtype=float)


def _judged(
    name: str, values: NDArray[np.float64], had_commas: bool = False
) -> Numbers:
    (infinite,) = np.nonzero(np.isinf(values))
    if infinite.size:
        row = int(infinite[0])
        raise DataError(
            f"Column {shown(name)} holds {values[row]:g} in row {row + 1}; write a "
            "finite number there, write nothing, or leave the column out."
        )
    there = values[~np.isnan(values)]
    if not there.size:
        return Numbers(_NONE, "empty")
    # Where some cells are empty, whether one is may tell what the value does not.
    if len(there) == len(values) and there.min() == there.max():
        return Numbers(values, "constant", f"{there[0]:g}")
    return Numbers(values, "", had_commas=had_commas)


def _numbers_of_text(name: str, column: pa.ChunkedArray) -> Numbers:
    import pyarrow as pa
    import pyarrow.compute as pc

    words = _distinct_words(column)
    commas = _all_match(words, _WITH_COMMA, _WITHOUT_COMMA)
    if commas and _all_match(words, _THOUSANDS, _WITHOUT_COMMA):
        raise DataError(
            f"Column {shown(name)} holds {_example(column)}, which may be a decimal "
            "comma or thousands; write numbers without commas."
        )
    if not commas:
        numeric = pc.match_substring_regex(words, _NUMBER)
        odd = words.filter(pc.invert(numeric))
        return Numbers(_NONE, "text", shown(odd[0].as_py()) if len(odd) else "")
    if not pa.types.is_dictionary(column.type):
        column = column.dictionary_encode()
    # Word by word: a long one that every row repeats would fill the memory.
    packed = column.unify_dictionaries().combine_chunks()
    points = pc.replace_substring(pc.utf8_trim_whitespace(packed.dictionary), ",", ".")
    numbers = pc.utf8_ltrim(points, "+").cast(pa.float64())
    values = numbers.take(packed.indices).to_numpy(zero_copy_only=False)
    return _judged(name, np.asarray(values, dtype=float), had_commas=True)


def _distinct_words(column: pa.ChunkedArray) -> pa.Array:
    import pyarrow as pa
    import pyarrow.compute as pc

    words = pc.unique(column)
    if pa.types.is_dictionary(words.type):
        words = words.cast(words.type.value_type)
    return words.drop_null()


def _all_match(words: pa.Array, first: str, second: str) -> bool:
    """Whether every word matches one of two patterns, and some word the first."""
    import pyarrow.compute as pc

    of_first = pc.match_substring_regex(words, first)
    either = pc.or_(of_first, pc.match_substring_regex(words, second))
    return bool(pc.any(of_first).as_py()) and bool(pc.all(either).as_py())


def _example(column: pa.ChunkedArray) -> str:
    from pyarrow import types

    if types.is_nested(column.type):
        return ""
    there = column.drop_null()
    return shown(str(value_of(there[0]))) if len(there) else ""
