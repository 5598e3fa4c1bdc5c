"""A table before it is learned from: what it holds, what becomes of its columns."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np

from ...costs.interchange import MAX_BYTES, Source
from ...errors import DataError, ThriftscopeError, shown
from ...values import AmbiguousCellError
from ..columns.arrow import ColumnKind, kind_of, missing_mask, value_of
from ..columns.detection import integer_kind
from ..columns.encoder import TableEncoder
from ..columns.leaks import belonging_notes, identifier_notes, leak_notes
from ..columns.schema import Column, Encoding, Gaps, Kind, TableSchema
from .column_reading import REASONS, ColumnReading, read_column
from .files import TableFile, opened_table
from .roles import MAX_CLASSES, Labels, labels_of, roles_of, time_notes

if TYPE_CHECKING:
    import pyarrow as pa

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


Role: TypeAlias = Literal[
    "feature", "free", "label", "group", "time", "part", "weight", "left out"
]
_N_EXAMPLES = 3
_MAX_SHOWN = 40  # characters of an example
_ROW_ROLES = ("group", "time", "part", "weight")


@dataclass(frozen=True)
class ColumnPlan:
    """What becomes of a column: its reading without its cells, and a role for it.

    Parameters
    ----------
    column : Column
        What it is taken for.
    role : {"feature", "free", "label", "group", "time", "part", "weight", "left out"}
        What it is used for; a "free" one is a feature that costs nothing.
    n_missing : int
        In how many rows it holds nothing, or nothing of its kind.
    encoded : tuple of str
        Names of the columns that methods learn from; empty where there are none.
    examples : tuple of str
        Its first values, as text.
    warnings : tuple of str
        What needs a look or a decision, one sentence each.
    notes : tuple of str
        How its cells are read, which needs none, one sentence each.
    offered : str
        Another kind that a person may mean: "date" of numbers such as 20241231.
    doubt : tuple of str
        Of a column that may be read in two ways the sentence on it, without the remedy
        that its warning names, and the mark of the file that would settle it:
        "decimal" or "order".
    """

    column: Column
    role: Role
    n_missing: int
    encoded: tuple[str, ...] = ()
    examples: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    offered: str = ""
    doubt: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """Name of the column."""
        return self.column.name

    @property
    def kind(self) -> Kind:
        """What the column is taken for."""
        return self.column.kind

    @property
    def gaps(self) -> Gaps:
        """What becomes of its gaps."""
        return self.column.gaps

    @property
    def encoding(self) -> Encoding:
        """How a category becomes numbers."""
        return self.column.encoding

    @property
    def values(self) -> tuple[str, ...]:
        """The values of an ordered category, in their order."""
        return self.column.values if self.column.kind == "ordered" else ()


def planned_columns(
    table: TableFile,
    roles: Mapping[str, Role],
    kinds: Mapping[str, Any],
    gaps: Gaps = "fill",
    names: Collection[str] | None = None,
) -> Iterator[ColumnPlan]:
    """Yield what becomes of each column, one at a time.

    Parameters
    ----------
    table : TableFile
        As ``open_table`` returns it.
    roles : mapping of str to str
        What columns are used for; a column that is not named is a feature.
    kinds : mapping of str to str or mapping
        As for ``read_table``.
    gaps : {"fill", "value", "drop"}, default="fill"
        As for ``read_table``.
    names : collection of str, optional
        Only of these; of all by default.

    Yields
    ------
    ColumnPlan
        In the order of the table.
    """
    labels = _labels(table, roles)
    for name in table.columns:
        if names is None or name in names:
            role = roles.get(name, "feature")
            yield _planned(table, name, role, kinds.get(name), gaps, labels)


def _labels(table: TableFile, roles: Mapping[str, Role]) -> Labels | None:
    """Return the labels, where a column holds some."""
    names = [name for name, role in roles.items() if role == "label"]
    try:
        return labels_of(names[0], table.columns[names[0]]) if names else None
    except DataError:
        return None  # said of the label's own column


def _planned(
    table: TableFile,
    name: str,
    role: Role,
    told: Any,
    gaps: Gaps,
    labels: Labels | None,
) -> ColumnPlan:
    cells, is_feature = table.columns[name], role in ("feature", "free")
    examples = _examples(cells)
    try:
        reading = read_column(name, cells, told, gaps, table.beside)
        warnings = list(_role_warnings(table, name, role))
    except ThriftscopeError as error:
        said: Mapping[str, Any] = (
            {"kind": told} if isinstance(told, str) else told or {}
        )
        kind, treated = said.get("kind", "unusable"), said.get("gaps", gaps)
        n_missing = int(missing_mask(cells).sum())
        column = Column(name, kind, gaps=treated)
        doubt = _doubt(name, error) if isinstance(error, AmbiguousCellError) else ()
        said_of = (str(error),)
        return ColumnPlan(
            column, role, n_missing, examples=examples, warnings=said_of, doubt=doubt
        )
    encoded: tuple[str, ...] = ()
    notes: list[str] = []
    if is_feature and reading.left_out:
        warnings += [*_why_left_out(reading, labels), *reading.notes]
    elif is_feature:
        if told is None and reading.column.kind == "code":
            warnings.append(integer_kind(name, cells)[1])
        # That a column may be of another kind is for a person to decide.
        read = warnings if reading.offered else notes
        read += reading.notes
        notes += reading.counted_in()
        warnings += _feature_warnings(table, reading, labels)
        encoded = _encoded(reading, labels)
    return ColumnPlan(
        reading.column,
        role,
        reading.n_missing,
        encoded,
        examples,
        tuple(warnings),
        tuple(notes),
        reading.offered if is_feature else "",
    )


def _doubt(name: str, error: AmbiguousCellError) -> tuple[str, ...]:
    marks = {told.partition("=")[0] for told in error.readings} & {"decimal", "order"}
    return (f"In column {shown(name)} {error.doubt}.", *marks) if marks else ()


def _encoded(reading: ColumnReading, labels: Labels | None) -> tuple[str, ...]:
    """Return the names of what a column becomes; a few rows tell how many there are."""
    column, n_classes = reading.column, len(labels.classes) if labels else 2
    if column.kind == "number" and not column.has_gaps:
        return (column.name,)
    few = np.resize(reading.codes, max(2 * n_classes, 4))
    y = np.arange(len(few)) % n_classes
    encoder = TableEncoder(TableSchema((column,)))
    encoder.fit_codes(few[:, None], y)
    return encoder.names_


def _role_warnings(table: TableFile, name: str, role: Role) -> Iterator[str]:
    """Yield why a column cannot say of rows what it is to say."""
    if role == "label":
        labels_of(name, table.columns[name])  # refuses what is no label
    elif role in _ROW_ROLES:
        everywhere = np.ones(table.n_rows, dtype=bool)
        roles = roles_of({role: name}, table, everywhere)
        yield from roles.doubts() if roles else ()
        yield from time_notes({role: name}, table, everywhere)


def _feature_warnings(
    table: TableFile, reading: ColumnReading, labels: Labels | None
) -> Iterator[str]:
    yield from reading.odd_cells(np.ones(table.n_rows, dtype=bool))
    yield from belonging_notes(table.columns, [reading.name], None)
    if labels is not None:
        rows, schema = labels.looked_at, TableSchema((reading.column,))
        codes = reading.codes[rows, None]
        yield from leak_notes(schema, codes, labels.codes[rows], None)


def _why_left_out(reading: ColumnReading, labels: Labels | None) -> Iterator[str]:
    words, _, remedy = REASONS[reading.left_out]
    yield f"Left out: it {words}{remedy}."
    if reading.left_out == "identifier" and labels is not None:
        rows, cells = labels.looked_at, reading.cells
        yield from identifier_notes(reading.name, cells.take(rows), labels.codes[rows])


def _examples(values: pa.ChunkedArray) -> tuple[str, ...]:
    cells = [value_of(cell) for cell in values.slice(0, 50)]
    texts = dict.fromkeys(
        f"{cell:.6g}" if isinstance(cell, float) else str(cell)
        for cell in cells
        if cell is not None
    )
    return tuple(text[:_MAX_SHOWN] for text in list(texts)[:_N_EXAMPLES])
