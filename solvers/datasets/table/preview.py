"""A first look at a table, before its label is named."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ...interchange import MAX_BYTES, Source
from ..columns.arrow import ColumnKind, kind_of, missing_mask, value_of
from .files import TableFile, opened_table
from .labels import MAX_CLASSES

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["ColumnPreview", "TablePreview", "preview_table"]

N_FIRST_ROWS = 5
MAX_SHOWN = 60  # characters of a cell
_LABEL_NAMES = ("label", "labels", "target", "class", "y", "outcome", "diagnosis")


@dataclass(frozen=True)
class ColumnPreview:
    """What a column holds.

    Parameters
    ----------
    name : str
        Its name.
    kind : {"number", "boolean", "text", "date", "empty", "other"}
        What it holds.
    n_missing : int
        In how many rows it holds nothing.
    n_distinct : int
        How many distinct values it holds.
    classes : tuple of (str, int)
        Each distinct value and its count, where they are few enough for a label.
    """

    name: str
    kind: ColumnKind
    n_missing: int
    n_distinct: int
    classes: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True)
class TablePreview:
    """What a table holds.

    Parameters
    ----------
    name : str
        Name of the file without its ending.
    n_rows : int
        Number of rows that were read.
    columns : tuple of ColumnPreview
        In the order of the file.
    first_rows : tuple of tuple of str
        The first few rows, as text, one cell for each column.
    suggested_label : str or None
        A column named as labels are, or else the last one; None if neither has
        classes.
    n_more : int, default=0
        About how many further rows a large file has, of which only the head was read.
    """

    name: str
    n_rows: int
    columns: tuple[ColumnPreview, ...]
    first_rows: tuple[tuple[str, ...], ...]
    suggested_label: str | None
    n_more: int = 0


def preview_table(
    source: Source | TableFile,
    *,
    sheet: str | None = None,
    has_header: bool = True,
    max_bytes: int = MAX_BYTES,
) -> TablePreview:
    r"""Return what a table in a file holds, and which column may be its label.

    Parameters
    ----------
    source : path, bytes or TableFile
        The file or its content, as for ``read_table``; what ``head_table`` returned is
        a preview of a large one.
    sheet : str, optional
        Of an Excel workbook, where several sheets hold something.
    has_header : bool, default=True
        Whether the first line of a CSV file names the columns.
    max_bytes : int, default=MAX_BYTES
        The most to read.

    Returns
    -------
    TablePreview

    Raises
    ------
    InterchangeError
        If the file is no table, broken or too large.
    DataError
        If two columns share a name, or there are no rows.

    Examples
    --------
    >>> preview = preview_table(b"peak,mean,kind\n1.5,2,bad\n2.5,1,good\n")
    >>> preview.suggested_label, [column.kind for column in preview.columns]
    ('kind', ['number', 'number', 'text'])
    """
    file = opened_table(source, max_bytes, sheet, has_header=has_header)
    columns = tuple(_preview(name, column) for name, column in file.columns.items())
    return TablePreview(
        file.name,
        file.n_rows,
        columns,
        _first_rows(file),
        _suggested(columns),
        file.n_more,
    )


def _preview(name: str, column: pa.ChunkedArray) -> ColumnPreview:
    kind = kind_of(column)
    n_missing = int(missing_mask(column).sum())
    if kind in ("empty", "other"):
        return ColumnPreview(name, kind, n_missing, 0)
    counts = column.value_counts()
    values, times = counts.field("values"), counts.field("counts")
    there = [k for k in range(min(len(counts), MAX_CLASSES + 2)) if values[k].is_valid]
    n_distinct = len(counts) - int(values.null_count)
    classes: tuple[tuple[str, int], ...] = ()
    if 2 <= n_distinct <= MAX_CLASSES:
        pairs = ((_cell(value_of(values[k])), int(times[k].as_py())) for k in there)
        classes = tuple(sorted(pairs))
    return ColumnPreview(name, kind, n_missing, n_distinct, classes)


def _cell(value: Any) -> str:
    text = "" if value is None else str(value)
    return text if len(text) <= MAX_SHOWN else f"{text[: MAX_SHOWN - 3]}..."


def _first_rows(file: TableFile) -> tuple[tuple[str, ...], ...]:
    cells = [
        [_cell(value_of(cell)) for cell in column.slice(0, N_FIRST_ROWS)]
        for column in file.columns.values()
    ]
    return tuple(zip(*cells, strict=True))


def _suggested(columns: tuple[ColumnPreview, ...]) -> str | None:
    usual = [
        column.name
        for column in columns
        if column.name.lower() in _LABEL_NAMES and column.classes
    ]
    if usual:
        return usual[0]
    return columns[-1].name if columns and columns[-1].classes else None
