"""Rows of CSV one at a time, for tables that are checked cell by cell.

The standard library's reader rather than pyarrow's, which parses `datasets.table`: in
strict mode it refuses a quote that is never closed, which pyarrow takes for a cell that
holds the rest of the file, and text behind a closing quote, which pyarrow joins to the
cell. It also gives a row before it has seen the next one, so that a limit holds before
the table fills the memory.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator

from ...errors import InterchangeError

__all__ = ["csv_rows"]


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
