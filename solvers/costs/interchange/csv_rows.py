"""Rows of CSV one at a time, for tables that are checked cell by cell.

The standard library's reader rather than pyarrow's, which parses `datasets.table`: in
strict mode it refuses a quote that is never closed, which pyarrow takes for a cell that
holds the rest of the file, and text behind a closing quote, which pyarrow joins to the
cell. It also gives a row before it has seen the next one, so that a limit holds before
the table fills the memory.

A spreadsheet computes what begins with one of ``= + - @``, their wide forms, a tab or a
line's end, whoever wrote it. An apostrophe in front says that it is text; one that is
there gets another.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator
from typing import Any

from ...errors import InterchangeError

# Excel's hint on the delimiter, in a line of its own before the header.
DELIMITER_HINT = r'"?sep=(.)"?[ \t]*(?:\r\n|\r|\n)'
LOOKED_AT = 50  # lines that tell what parts cells
_DELIMITERS = ",;\t|"
_BESIDE_DIGITS = re.compile(r"(?<![0-9]),|,(?![0-9])")  # a comma of no decimals


def csv_rows(
    lines: Iterable[str], name: str, delimiter: str = ","
) -> tuple[list[str], Iterator[tuple[int, list[str]]]]:
    """Return the header of a table, and its rows with the number of their last line.

    Empty lines are left out; no header at all is an empty one. A line that is no CSV,
    and a row of more or fewer cells than the header, are refused.

    `lines`: with their ends; `name`: what messages call the table.
    """
    rows = _strict_rows(lines, name, delimiter)
    _, header = next(rows, (0, []))
    return header, _even_rows(rows, len(header), name)


def told_delimiter(text: str, is_escaped: bool = False, is_cut: bool = False) -> str:
    """Return what parts the first lines of a table into equally many cells, and most.

    A header may hold more commas within its names than it has semicolons; and commas
    that all stand between digits part decimals, where something else parts the cells.

    `is_escaped`: whether a quote in quotes has a backslash before it; `is_cut`: whether
    the last line may have lost its end.
    """
    escape = "\\" if is_escaped else None

    def widths(delimiter: str) -> list[int]:
        lines = io.StringIO(text, newline="")
        rows = csv.reader(lines, delimiter=delimiter, escapechar=escape)
        try:
            found = [
                len(row) for row, _ in zip(rows, range(LOOKED_AT), strict=False) if row
            ]
        except csv.Error:
            return []
        has_torn = is_cut and 1 < len(found) < LOOKED_AT
        return found[:-1] if has_torn else found

    def preference(delimiter: str) -> tuple[bool, int]:
        found = widths(delimiter)
        is_even = len(set(found)) == 1 and found[0] > 1
        return is_even, found[0] if found else 0

    found = {delimiter: preference(delimiter) for delimiter in _DELIMITERS}
    others = [one for one in _DELIMITERS if one != "," and found[one][0]]
    if others and not _BESIDE_DIGITS.search(text):
        return max(others, key=lambda one: found[one])
    return max(_DELIMITERS, key=lambda one: found[one])


def _strict_rows(
    lines: Iterable[str], name: str, delimiter: str
) -> Iterator[tuple[int, list[str]]]:
    reader = csv.reader(lines, delimiter=delimiter, strict=True)
    begun = 1  # The line of a row's beginning: a quote may stay open to the last line
    try:
        for row in reader:
            begun = reader.line_num + 1
            if row:
                yield reader.line_num, row
    except csv.Error as error:
        raise InterchangeError(
            f"Line {begun} of {name} is not CSV, or only a part of it "
            f"({error}); export it again."
        ) from error


def _even_rows(
    rows: Iterator[tuple[int, list[str]]], n_cells: int, name: str
) -> Iterator[tuple[int, list[str]]]:
    for line, row in rows:
        if len(row) != n_cells:
            raise InterchangeError(
                f"Line {line} of {name} has {len(row)} cells for {n_cells} columns; "
                "give one cell for each."
            )
        yield line, row


# The last four are the wide forms, which some spreadsheets take for the others.
_BEGINS = r"[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]"
_FORMULA = re.compile(f"'*{_BEGINS}")
_GUARDED = re.compile(f"'+{_BEGINS}")
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")


def guarded(cell: Any) -> Any:
    """Return a cell as it is written: text that begins a formula after an apostrophe.

    Parameters
    ----------
    cell : object
        Text, or anything else, which stays as it is; so does text that is a number.

    Returns
    -------
    object

    Examples
    --------
    >>> guarded("=1+1"), guarded("-1"), guarded("peak")
    ("'=1+1", '-1', 'peak')
    """
    if not isinstance(cell, str) or _NUMBER.fullmatch(cell):
        return cell
    return f"'{cell}" if _FORMULA.match(cell) else cell


def unguarded(cell: str) -> str:
    """Return a cell as it was before `guarded`.

    Parameters
    ----------
    cell : str
        As it stands in a file.

    Returns
    -------
    str

    Examples
    --------
    >>> unguarded(guarded("=1+1"))
    '=1+1'
    """
    return cell[1:] if _GUARDED.match(cell) else cell
