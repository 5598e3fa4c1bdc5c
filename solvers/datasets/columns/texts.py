"""Columns of a text file: text first, and of a type where all of their words are."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from ...values import GAP_MARKS
from .arrow import plain_texts

if TYPE_CHECKING:
    import pyarrow as pa
    from pyarrow import csv

__all__ = ["as_text", "typed_text"]

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
