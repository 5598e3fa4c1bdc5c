"""Columns of a file, whatever they hold and whatever format it is of."""

from __future__ import annotations

import re
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from ...checks import refuse_namesakes
from ...costs.interchange import MAX_BYTES, Source, file_name, read_bytes, shown
from ...costs.interchange.sources import read_beginning, refuse_odd_names
from ...errors import DataError, InterchangeError, listed
from ...values import (
    USUAL_MARKS,
    Beside,
    FileMarks,
    MarksGiven,
    beside_columns,
    same_name,
)
from ..columns.arrow import kind_of, plain_texts, words_of
from ..columns.coding import arrow_columns
from .arrow_file import ARROW_MAGIC, parquet_head, parse_arrow, parsing_parquet
from .bounds import MAX_CELLS
from .csv_file import csv_head, parsing_csv
from .sparse_files import SparseRows, is_npz, is_svmlight, parse_npz, parse_svmlight
from .workbook import is_workbook, parse_workbook

if TYPE_CHECKING:
    import pyarrow as pa


Form: TypeAlias = Literal["workbook", "parquet", "arrow", "npz", "svmlight", "csv"]
N_HEAD = 10_000  # rows: enough to tell kinds
_LARGE = 2**22  # bytes of CSV from which on a head is quicker than all
_HEAD = 2**20  # bytes of CSV that are looked at first
_NUMBER = re.compile(r"\s*[-+]?(?:\d+[.,]?\d*|[.,]\d+)(?:[eE][-+]?\d+)?\s*")


@dataclass(frozen=True, eq=False)
class TableFile:
    """A table that was read, before its label is named.

    Parameters
    ----------
    columns : dict of str to pyarrow.ChunkedArray
        By name, in the order of the file; columns without a name are not among them.
    n_rows : int
        How many rows each has.
    nameless : int
        How many columns have no name, as the row numbers that pandas writes.
    name : str
        Name of the file without its ending; "table" where it has none.
    notes : tuple of str, default=()
        What is to be told of the file.
    sparse : SparseRows, optional
        Sparse columns that are too many to be written out; `columns` are then those
        beside them.
    n_more : int, default=0
        About how many rows of the file were not read: this is its head.
    is_text : bool, default=False
        Whether numbers were read from text, in which points parted decimals.
    marks : FileMarks, optional
        What its cells hold where they hold nothing, and what was said of its marks.
    """

    columns: dict[str, pa.ChunkedArray]
    n_rows: int
    nameless: int
    name: str
    notes: tuple[str, ...] = ()
    sparse: SparseRows | None = None
    n_more: int = 0
    is_text: bool = False
    marks: FileMarks = USUAL_MARKS

    @cached_property
    def beside(self) -> Beside:
        """What the columns tell of the marks of each other."""
        texts = {
            name: words_of(column).counted()[0]
            for name, column in self.columns.items()
            if kind_of(column) == "text"
        }
        found = beside_columns(texts.values())
        if self.is_text and any(map(_has_parts, self.columns.values())):
            found = replace(found, decimals=frozenset({*found.decimals, "."}))
        return self.marks.beside(found)

    def marked(self, marks: FileMarks) -> TableFile:
        """Return the table with other marks; what was a gap stays one.

        Parameters
        ----------
        marks : FileMarks
            What a person says of them.

        Returns
        -------
        TableFile
        """
        columns = {n: plain_texts(c, marks.gaps) for n, c in self.columns.items()}
        return replace(self, columns=columns, marks=marks)

    @property
    def n_bytes(self) -> int:
        """Bytes that the columns take."""
        return sum(column.nbytes for column in self.columns.values())


def open_table(
    source: Source,
    max_bytes: int = MAX_BYTES,
    sheet: str | None = None,
    *,
    has_header: bool = True,
    marks: MarksGiven = None,
) -> TableFile:
    r"""Return the columns of a file; what it holds says in which format it is.

    Parameters
    ----------
    source : path or bytes
        The file or its content: CSV, Excel, Arrow (Feather), Parquet, SVMlight, or an
        ``.npz`` of ``scipy.sparse.save_npz``.
    max_bytes : int, default=MAX_BYTES
        The most to read; twice as many allow twice as many cells of CSV and Parquet.
    sheet : str, optional
        Of an Excel workbook, where several sheets hold something.
    has_header : bool, default=True
        Whether the first line of a CSV file names the columns; else they are called
        "column 1", "column 2", ...
    marks : FileMarks or mapping, optional
        What marks a gap, and what parts decimals and in which order dates stand where
        columns do not tell it themselves: ``{"gaps": ["-"], "decimal": ","}``.

    Returns
    -------
    TableFile

    Raises
    ------
    InterchangeError
        If the file is no table, broken or too large.
    DataError
        If two columns share a name, or there are no rows.

    Examples
    --------
    >>> table = open_table(b"peak,kind\n1.5,bad\n2.5,good\n")
    >>> table.n_rows, list(table.columns)
    (2, ['peak', 'kind'])
    """
    opened = opened_table(source, max_bytes, sheet, has_header=has_header, marks=marks)
    if opened.sparse is not None:
        n_rows, n_columns = opened.sparse.X.shape
        raise InterchangeError(
            f"The file holds {n_rows:,} sparse rows of {n_columns:,} columns, "
            f"{8 * n_rows * n_columns / 1e9:,.1f} GB with their zeros; leave columns "
            "out, or read it in Python or by thriftscope run, which keep it sparse."
        )
    return opened


def opened_table(
    source: Source | TableFile,
    max_bytes: int = MAX_BYTES,
    sheet: str | None = None,
    *,
    has_header: bool = True,
    marks: MarksGiven = None,
) -> TableFile:
    """Return the columns of a file, which may have been opened before.

    Those beside sparse ones where these are too many to be written out.
    """
    if isinstance(source, TableFile):
        return source if marks is None else source.marked(FileMarks.of(marks))
    steps = opening_table(source, max_bytes, sheet, has_header=has_header, marks=marks)
    *_, table = steps
    assert isinstance(table, TableFile)
    return table


def opening_table(
    source: Source,
    max_bytes: int = MAX_BYTES,
    sheet: str | None = None,
    *,
    has_header: bool = True,
    marks: MarksGiven = None,
) -> Iterator[float | TableFile]:
    """Yield the share of a file that is read by now, and its columns at last.

    Parameters
    ----------
    source : path or bytes
        As for ``open_table``.
    max_bytes : int, default=MAX_BYTES
        The most to read.
    sheet : str, optional
        Of an Excel workbook.
    has_header : bool, default=True
        Whether the first line of a CSV file names the columns.
    marks : FileMarks or mapping, optional
        As for ``open_table``.

    Yields
    ------
    float or TableFile
        Shares only of large CSV and Parquet files; closing stops reading. Where sparse
        columns are too many to be written out, the table has those beside them.

    Raises
    ------
    InterchangeError
        If the file is no table, broken or too large.
    DataError
        If two columns share a name, or there are no rows.
    """
    told = FileMarks.of(marks)
    data = read_bytes(source, max_bytes)
    notes: tuple[str, ...] = ()
    rows: SparseRows | None = None
    max_cells = _max_cells(max_bytes)
    form = _form(data)
    _refuse_a_sheet(sheet, form)
    _refuse_no_header(has_header, form)
    if form == "workbook":
        table, notes = parse_workbook(data, sheet, told.gaps)
    elif form == "parquet":
        table = yield from _last(parsing_parquet(data, max_cells))
    elif form == "arrow":
        table = parse_arrow(data, max_cells)
    elif form == "csv":
        steps = parsing_csv(data, max_cells, has_header, told.gaps)
        table = yield from _last(steps)
        notes = _without_names(table.column_names)
    else:
        found = parse_npz(data) if form == "npz" else parse_svmlight(data)
        rows = None if found.fits(MAX_CELLS) else found
        table = found.table() if rows is None else found.beside_table()
    del data
    opened = _checked(table.column_names, table.columns, _stem(source), told, notes)
    opened = replace(opened, is_text=form == "csv")
    yield opened if rows is None else _beside(opened, rows)


def head_table(
    source: Source,
    max_bytes: int = MAX_BYTES,
    sheet: str | None = None,
    n_rows: int = N_HEAD,
    *,
    has_header: bool = True,
    marks: MarksGiven = None,
) -> TableFile:
    """Return the first rows of a file, and how many more there are.

    Parameters
    ----------
    source : path or bytes
        As for ``open_table``.
    max_bytes : int, default=MAX_BYTES
        The most to read.
    sheet : str, optional
        Of an Excel workbook.
    n_rows : int, default=10_000
        How many rows of a CSV or Parquet file at most; of others all, and of CSV those
        in its first megabyte.
    has_header : bool, default=True
        Whether the first line of a CSV file names the columns.
    marks : FileMarks or mapping, optional
        As for ``open_table``.

    Returns
    -------
    TableFile
        Its ``n_more`` is 0 where this is the whole table.

    Raises
    ------
    InterchangeError
        If the file is no table, broken or too large.
    DataError
        If two columns share a name, or there are no rows.
    """
    beginning, n_bytes = read_beginning(source, _HEAD)
    head, told = None, FileMarks.of(marks)
    if n_bytes <= max_bytes and sheet is None:
        if beginning.startswith(b"PAR1"):
            data = read_bytes(source, max_bytes)
            head = parquet_head(data, n_rows, _max_cells(max_bytes))
        elif n_bytes > _LARGE and _form(beginning) == "csv":
            head = csv_head(beginning, n_rows, n_bytes, has_header, told.gaps)
    if head is None:
        return open_table(source, max_bytes, sheet, has_header=has_header, marks=told)
    table, n_all = head
    names = table.column_names
    opened = _checked(names, table.columns, _stem(source), told, _without_names(names))
    is_text = not beginning.startswith(b"PAR1")
    n_more = max(0, n_all - opened.n_rows)
    return replace(opened, n_more=n_more, is_text=is_text)


def _form(data: bytes) -> Form:
    """Return the format of a file; what it holds says it, not its name."""
    if is_workbook(data):
        return "workbook"
    if data.startswith(b"PAR1"):
        return "parquet"
    if data.startswith(ARROW_MAGIC):
        return "arrow"
    if is_npz(data):
        return "npz"
    return "svmlight" if is_svmlight(data) else "csv"


def _without_names(names: Sequence[str]) -> tuple[str, ...]:
    """Return a note where the first line of a file names no columns, as it seems."""
    if not all(map(_NUMBER.fullmatch, names)):
        return ()
    return (
        f"The first line holds numbers only ({listed(names, 3)}), as if it were a row "
        "and not the names of columns; where it is one, say that there is no header "
        "(has_header=False, --no-header, the field of the first line in the dialog).",
    )


def _refuse_no_header(has_header: bool, form: Form) -> None:
    if not has_header and form != "csv":
        told = "in the first row of its sheet" if form == "workbook" else "by itself"
        raise InterchangeError(
            f"The file names its columns {told}, so that it cannot be read as without "
            "a header; leave has_header (--no-header) out, or save it as CSV."
        )


def _refuse_a_sheet(sheet: str | None, form: Form) -> None:
    if sheet is not None and form != "workbook":
        raise InterchangeError(
            f"The file is no Excel workbook and has no sheet {shown(sheet)}; leave the "
            "sheet out."
        )


def _last(steps: Iterator[float | pa.Table]) -> Generator[float, None, pa.Table]:
    """Yield all but the last, and return that."""
    for step in steps:
        if not isinstance(step, float):
            return step
        yield step
    raise AssertionError("no table")


def _max_cells(max_bytes: int) -> int:
    return MAX_CELLS * max(1, max_bytes // MAX_BYTES)


def _stem(source: Source) -> str:
    return file_name(source).rpartition(".")[0] or file_name(source) or "table"


def framed_table(frame: Any, name: str, marks: MarksGiven = None) -> TableFile:
    """Return the columns of a DataFrame."""
    told = FileMarks.of(marks)
    columns = arrow_columns(frame, gaps=told.gaps)
    return _checked(list(columns), list(columns.values()), name, told)


def _checked(
    given: Sequence[str],
    columns: Sequence[pa.ChunkedArray],
    stem: str,
    marks: FileMarks,
    notes: tuple[str, ...] = (),
) -> TableFile:
    names = [name.strip() for name in given]
    # The row numbers that pandas keeps in a Parquet file are no column either.
    named = [
        j
        for j, name in enumerate(names)
        if name and not name.startswith("__index_level_")
    ]
    kept = [names[j] for j in named]
    refuse_odd_names(kept, "column")
    try:
        refuse_namesakes(map(same_name, kept), "column")
    except DataError as error:
        raise DataError(" ".join([str(error), *_without_names(kept)])) from None
    for j in named:
        _refuse_odd_zone(names[j], columns[j].type)
    n_rows = len(columns[0]) if columns else 0
    if not n_rows:
        raise DataError("The table has a header but no rows; give one with rows.")
    return TableFile(
        {names[j]: plain_texts(columns[j], marks.gaps) for j in named},
        n_rows,
        len(names) - len(named),
        stem,
        notes,
        marks=marks,
    )


def _has_parts(column: pa.ChunkedArray) -> bool:
    """Return whether a column of numbers holds one that is not whole."""
    from pyarrow import compute, types

    if not types.is_floating(column.type):
        return False
    return bool(compute.any(compute.not_equal(column, compute.floor(column))).as_py())


def _refuse_odd_zone(name: str, kind: pa.DataType) -> None:
    """Refuse moments of a time zone that is not known here: no hour could be told."""
    import pyarrow as pa
    from pyarrow import compute

    zone = getattr(kind, "tz", None)
    if zone is None:
        return
    try:
        compute.hour(pa.array([0], kind))
    except pa.ArrowException as error:
        raise DataError(
            f"Column {shown(name)} is in the time zone {shown(zone)}, which is not "
            "known here; write its times in UTC."
        ) from error


def _beside(table: TableFile, rows: SparseRows) -> TableFile:
    """Return the columns beside sparse ones, whose names are held to the same rules."""
    refuse_odd_names(rows.names, "column")
    refuse_namesakes([*rows.names, *table.columns], "column")
    return replace(table, sparse=rows)
