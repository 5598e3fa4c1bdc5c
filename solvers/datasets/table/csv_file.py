"""Tables in text: cells parted by commas, semicolons, tabs or bars."""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections import deque
from collections.abc import Collection, Generator, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ...costs.interchange import shown
from ...costs.interchange.csv_rows import DELIMITER_HINT, csv_rows, told_delimiter
from ...costs.interchange.sources import refuse_no_text
from ...errors import InterchangeError
from ...values import GAP_MARKS
from ..columns.arrow import as_text, typed_text
from .bounds import MAX_CELLS, refuse_huge_shape

if TYPE_CHECKING:
    import pyarrow as pa


_BLOCK = 2**23  # bytes that are parsed at once
_LARGE = 2**24  # bytes from which on a text is parsed in blocks

_LOOKED_BYTES = 2**16
_HINT = re.compile(DELIMITER_HINT.encode(), re.IGNORECASE)
# A quote behind a backslash that ends no cell.
_ESCAPED = re.compile(rb'\\"(?![,;\t|\r\n"]|$)')
_JSON = re.compile(rb"\s*[\[{]\s*[\[{\"]")
_LINE_END = re.compile(rb"[\r\n]")


def parsing_csv(
    data: bytes,
    max_cells: int = MAX_CELLS,
    has_header: bool = True,
    gaps: Collection[str] = GAP_MARKS,
) -> Iterator[float | pa.Table]:
    """Yield the share of a large text that is parsed by now, and the table at last.

    Without a header, columns are called as they are counted: "column 1". `gaps`: what
    stands in cells that hold nothing.
    """
    refuse_no_text(data)
    if _JSON.match(data):
        raise InterchangeError(
            "The file holds JSON, which is no table; save it as CSV or Parquet."
        )
    text = _Text.of(data, has_header, gaps)
    refuse_huge_shape(text.n_lines, text.n_columns, max_cells)
    _refuse_open_quote(text)
    table = None
    if len(text.body) > _LARGE:
        table = yield from _streamed(text)
    yield _named(_parsed(text) if table is None else table, text)


def csv_head(
    beginning: bytes,
    n_rows: int,
    n_bytes: int,
    has_header: bool = True,
    gaps: Collection[str] = GAP_MARKS,
) -> tuple[pa.Table, int] | None:
    """Return the first rows of a text of so many bytes, and about how many it has.

    None where its beginning does not hold some: then only all of it tells why.
    """
    import pyarrow as pa

    whole = beginning.rpartition(b"\n")[0]  # the last row may be cut
    try:
        refuse_no_text(whole)
        text = _Text.of(whole, has_header, gaps)
        # Half of it: where a row ends only the next line tells.
        first = _reader(text, len(whole) // 2 + 1).read_next_batch()
        table = _named(pa.Table.from_batches([first.slice(0, n_rows)]), text)
    except (InterchangeError, pa.ArrowException, StopIteration):
        return None
    n_lines = whole.count(b"\n") + 1
    n_all = round(n_bytes * n_lines / len(whole)) - has_header
    return (table, n_all) if table.num_rows else None


def _refuse_open_quote(text: _Text) -> None:
    """Refuse a quote that is never closed: pyarrow reads all rows behind it as a cell.

    Quotes are even where each is closed; odd ones are also those that stand for inches.
    """
    data = bytes(text.body) if text.count(b'"') % 2 else b""
    lines = io.TextIOWrapper(io.BytesIO(data), "utf-8", "replace", newline="")
    deque(csv_rows(lines, "the table", text.delimiter)[1], maxlen=0)


@dataclass(frozen=True, eq=False)
class _Text:
    """A text as its parser takes it: without marks, and with a header that ends."""

    body: bytes | memoryview
    first: str  # Its first line
    delimiter: str
    is_escaped: bool  # Whether a quote in quotes has a backslash before it
    has_header: bool
    gaps: Collection[str]  # What stands in cells that hold nothing

    @classmethod
    def of(cls, data: bytes, has_header: bool, gaps: Collection[str]) -> _Text:
        start = len(codecs.BOM_UTF8) if data.startswith(codecs.BOM_UTF8) else 0
        while data[start : start + 1] in (b"\r", b"\n"):
            start += 1
        hint = _HINT.match(data, start)
        start = hint.end() if hint else start
        is_escaped = bool(_ESCAPED.search(data, start))
        stop = _end_of_line(data, start)
        first = data[start:stop].decode("utf-8", "replace")
        if hint:
            delimiter = hint[1].decode("latin-1")
        else:
            looked_at = data[start : start + max(_LOOKED_BYTES, stop - start)]
            is_cut = len(looked_at) >= _LOOKED_BYTES
            words = looked_at.decode("utf-8", "replace")
            delimiter = told_delimiter(words, is_escaped, is_cut)
        # A header that ends with the file is a header all the same.
        body = memoryview(data)[start:] if stop < len(data) else data[start:] + b"\n"
        return cls(body, first, delimiter, is_escaped, has_header, gaps)

    @property
    def cells(self) -> list[str]:
        """The cells of the first line."""
        return _cells(self.first, self.delimiter, self.is_escaped)

    @property
    def names(self) -> list[str]:
        """Names of the columns."""
        cells = self.cells
        counted = [f"column {k}" for k in range(1, len(cells) + 1)]
        return cells if self.has_header else counted

    @cached_property
    def n_lines(self) -> int:
        """How many lines there are at most."""
        return max(self.count(b"\n"), self.count(b"\r")) + 1

    def count(self, mark: bytes) -> int:
        """Return how often a mark stands in it."""
        whole: Any = self.body.obj if isinstance(self.body, memoryview) else self.body
        return int(whole.count(mark))

    @property
    def n_columns(self) -> int:
        """How many cells the first line has."""
        unquoted = "".join(self.first.split('"')[::2])
        return unquoted.count(self.delimiter) + 1


def _end_of_line(data: bytes, start: int) -> int:
    """Return where the first line ends: at a line end that stands in no quotes."""
    quotes, begun = 0, start
    while True:
        found = _LINE_END.search(data, begun)
        stop = found.start() if found else len(data)
        quotes += data.count(b'"', begun, stop)
        if found is None or quotes % 2 == 0:
            return stop
        begun = found.end()


def _cells(first: str, delimiter: str, is_escaped: bool) -> list[str]:
    lines = io.StringIO(first, newline="")
    escape = "\\" if is_escaped else None
    try:
        return next(csv.reader(lines, delimiter=delimiter, escapechar=escape), [])
    except csv.Error as error:
        raise InterchangeError(
            f"The header {shown(first)} is not CSV ({error}); export the table again."
        ) from error


def _named(table: pa.Table, text: _Text) -> pa.Table:
    """Return a table of text with the names of its columns, and their types."""
    import pyarrow as pa

    names = text.names
    if table.num_columns != len(names):
        raise InterchangeError(
            f"The header {shown(text.first)} has an open quote; close it, or export "
            "the table again."
        )
    # One at a time, from a list that shrinks: what was text is let go. (A table
    # without one of its columns is a new table, dear where there are thousands.)
    texts = table.columns[::-1]
    del table
    columns = []
    while texts:
        columns.append(typed_text(texts.pop(), text.gaps))
    return pa.Table.from_arrays(columns, names=names)


def _options(text: _Text, block: int, uneven: list[Any]) -> dict[str, Any]:
    from pyarrow import csv as pa_csv

    def note(row: Any) -> str:
        uneven.append(row)
        return "error"

    return {
        "read_options": pa_csv.ReadOptions(
            use_threads=False,
            block_size=block,
            column_names=None if text.has_header else text.names,
        ),
        "parse_options": pa_csv.ParseOptions(
            delimiter=text.delimiter,
            escape_char="\\" if text.is_escaped else False,
            newlines_in_values=True,
            invalid_row_handler=note,
        ),
        "convert_options": as_text(text.names),
    }


def _reader(text: _Text, block: int) -> pa.csv.CSVStreamingReader:
    import pyarrow as pa
    from pyarrow import csv as pa_csv

    return pa_csv.open_csv(pa.BufferReader(text.body), **_options(text, block, []))


def _streamed(text: _Text) -> Generator[float, None, pa.Table | None]:
    """Return the table, block by block: a copy of the text in pieces is not held.

    None where it is broken: only all of it tells how.
    """
    import pyarrow as pa

    batches, n_rows = [], 0
    try:
        for batch in _reader(text, _BLOCK):
            batches.append(batch)
            n_rows += batch.num_rows
            yield min(n_rows / text.n_lines, 1.0)
        return pa.Table.from_batches(batches)
    except (pa.ArrowException, StopIteration):
        return None


def _parsed(text: _Text) -> pa.Table:
    import pyarrow as pa
    from pyarrow import csv as pa_csv

    uneven: list[Any] = []
    block = min(len(text.body) + 1, 2**31 - 1)
    try:
        return pa_csv.read_csv(
            pa.BufferReader(text.body), **_options(text, block, uneven)
        )
    except pa.ArrowException as error:
        if uneven:
            row = uneven[0]
            raise InterchangeError(
                f"The first line has {row.expected_columns} cells, but row "
                f"{row.number - text.has_header} of the table has "
                f"{row.actual_columns}; give every row as many."
            ) from error
        raise InterchangeError(
            f"The file is not a table in CSV ({shown(str(error))}); export it again."
        ) from error
