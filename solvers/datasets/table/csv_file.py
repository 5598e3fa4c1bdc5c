"""Tables in text: cells parted by commas, semicolons or tabs."""

from __future__ import annotations

import csv
import io
import re
from typing import TYPE_CHECKING, Any

from ...errors import InterchangeError
from ...interchange import shown

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["MAX_CELLS", "MAX_COLUMNS", "MISSING", "parse_csv", "refuse_huge_shape"]

MAX_COLUMNS = 20_000  # a column costs its reader some 10 kB before its first cell
MAX_CELLS = 25_000_000  # 200 MB as floats

_LINE_END = re.compile(r"[\r\n]")
MISSING = ["", "?", "NA", "N/A", "n/a", "#N/A", "#NA", "NaN", "nan", "-nan"]
MISSING += ["-NaN", "NULL", "null", "#DIV/0!", "#VALUE!", "#REF!", "#NUM!"]


def parse_csv(text: str, max_cells: int = MAX_CELLS) -> pa.Table:
    """Return the table that a text holds."""
    text = text.lstrip("\r\n")
    first = _first_line(text)
    delimiter = _delimiter(first)
    n_lines = max(text.count("\n"), text.count("\r")) + 1
    n_columns = _outside_quotes(first).count(delimiter) + 1
    refuse_huge_shape(n_lines, n_columns, max_cells)
    header = _header(first, delimiter)
    # A header that ends with the file is a header all the same.
    table = _parsed(
        (text if len(first) < len(text) else f"{text}\n").encode(), delimiter
    )
    if table.num_columns != len(header):
        raise InterchangeError(
            f"The header {shown(first)} has an open quote; close it, or export the "
            "table again."
        )
    return table.rename_columns(header)


def refuse_huge_shape(n_rows: int, n_columns: int, max_cells: int = MAX_CELLS) -> None:
    """Refuse a table that would not fit into memory."""
    if n_columns > MAX_COLUMNS:
        raise InterchangeError(
            f"The table has {n_columns:,} columns; at most {MAX_COLUMNS:,} are read, "
            "so leave some out."
        )
    if n_rows * n_columns > max_cells:
        raise InterchangeError(
            f"The table has {n_rows:,} rows of {n_columns:,} columns; at most "
            f"{max_cells:,} cells are read, so leave some out."
        )


def _first_line(text: str) -> str:
    """Return the text up to the first line end that stands in no quotes."""
    start = quotes = 0
    while True:
        found = _LINE_END.search(text, start)
        stop = found.start() if found else len(text)
        quotes += text.count('"', start, stop)
        if found is None or quotes % 2 == 0:
            return text[:stop]
        start = found.end()


def _outside_quotes(line: str) -> str:
    return "".join(line.split('"')[::2])


def _delimiter(first: str) -> str:
    bare = _outside_quotes(first)
    return max(",;\t", key=bare.count)


def _header(first: str, delimiter: str) -> list[str]:
    try:
        return next(csv.reader(io.StringIO(first, newline=""), delimiter=delimiter))
    except csv.Error as error:
        raise InterchangeError(
            f"The header {shown(first)} is not CSV ({error}); export the table again."
        ) from error


def _parsed(data: bytes, delimiter: str) -> pa.Table:
    import pyarrow as pa
    from pyarrow import csv as pa_csv

    uneven: list[Any] = []

    def note(row: Any) -> str:
        uneven.append(row)
        return "error"

    try:
        return pa_csv.read_csv(
            pa.BufferReader(data),
            # One block, so that a column's type is that of all of its cells.
            read_options=pa_csv.ReadOptions(
                use_threads=False, block_size=min(len(data) + 1, 2**31 - 1)
            ),
            parse_options=pa_csv.ParseOptions(
                delimiter=delimiter,
                newlines_in_values=True,
                invalid_row_handler=note,
            ),
            convert_options=pa_csv.ConvertOptions(
                null_values=MISSING,
                strings_can_be_null=True,
            ),
        )
    except pa.ArrowException as error:
        if uneven:
            row = uneven[0]
            raise InterchangeError(
                f"The header has {row.expected_columns} cells, but row "
                f"{row.number - 1} of the table has {row.actual_columns}; give every "
                "row as many."
            ) from error
        raise InterchangeError(
            f"The file is not a table in CSV ({shown(str(error))}); export it again."
        ) from error
