"""Tables in Excel workbooks: one sheet, the names of the columns in its first row."""

from __future__ import annotations

import datetime
import io
import re
import zipfile
from collections.abc import Collection
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

from ...checks import library
from ...costs.interchange import listed, shown
from ...errors import InterchangeError
from ...values import GAP_MARKS, trimmed
from .bounds import DAMAGES, refuse_huge_shape, whole_file, zipped_names

if TYPE_CHECKING:
    import pyarrow as pa


MAX_UNPACKED = 2**29  # bytes of all parts of a workbook

_BOOK = "xl/workbook.xml"
_LINKS = "xl/_rels/workbook.xml.rels"
_PLACE = re.compile(rb"""\sr\s*=\s*["']\s*([A-Za-z]*)([0-9]*)""")
_FORMULA = re.compile(rb"<(?:\w+:)?f[\s>/]")
_CELL = re.compile(rb"<(?:\w+:)?c\s[^>]*?r=[\"']([A-Z]+[0-9]+)[\"'][^>]*>")
_VALUE = re.compile(rb"<(?:\w+:)?(?:v|is)[\s>/]")
# Empty where nothing has computed it, as libraries write formulas; text may be empty.
_NUMBER = re.compile(rb"<(?:\w+:)?(?:v(?:\s[^>]*)?>[^<]|is[\s>/])")
_IS_TEXT = re.compile(rb"\st=[\"']str[\"']")


@dataclass(frozen=True)
class _Sheet:
    name: str
    cells: bytes  # as XML


def is_workbook(data: bytes) -> bool:
    """Return whether bytes are an Excel workbook (.xlsx, .xlsm)."""
    return _BOOK in zipped_names(data)


def sheet_names(data: bytes) -> tuple[str, ...]:
    """Return the names of the sheets of a workbook that hold something.

    Parameters
    ----------
    data : bytes
        Content of a file.

    Returns
    -------
    tuple of str
        Empty where it is no workbook.

    Raises
    ------
    InterchangeError
        If it is a broken one.
    """
    return tuple(sheet.name for sheet in _sheets(data)) if is_workbook(data) else ()


def parse_workbook(
    data: bytes, sheet: str | None, gaps: Collection[str] = GAP_MARKS
) -> tuple[pa.Table, tuple[str, ...]]:
    """Return the table of a sheet, and what has to be told of it.

    `sheet`: its name; None where only one holds anything. `gaps`: what stands in cells
    that hold nothing.
    """
    import pyarrow as pa

    chosen = _chosen(_sheets(data), sheet)
    _refuse_far_cells(chosen)
    n_formulas = _count_formulas(chosen)
    rows = [
        row for row in _rows(data, chosen.name, gaps) if any(c is not None for c in row)
    ]
    if not rows:
        raise _nothing_there()
    header, body = rows[0], rows[1:]
    names = ["" if cell is None else _written(cell) for cell in header]
    columns = [_column([row[j] for row in body]) for j in range(len(names))]
    notes = (
        (
            f"Formulas in sheet {shown(chosen.name)}: {n_formulas}; their values are "
            "those last saved.",
        )
        if n_formulas
        else ()
    )
    return pa.Table.from_arrays(columns, names=names), notes


# ---------------------------------------------------------------- what the file holds


def _sheets(data: bytes) -> list[_Sheet]:
    """Return the sheets that hold any cell."""
    with _whole_workbook(), zipfile.ZipFile(io.BytesIO(data)) as archive:
        unpacked = sum(part.file_size for part in archive.infolist())
        if unpacked > MAX_UNPACKED:
            raise InterchangeError(
                f"The workbook unpacks to {unpacked:,} bytes; at most "
                f"{MAX_UNPACKED:,} are read, so save the sheet as CSV."
            )
        paths = _paths(archive)
        # A part that is longer than it says would fill the memory of its reader.
        damaged = archive.testzip()
        if damaged is not None:
            raise zipfile.BadZipFile(damaged)
        found = [_Sheet(name, archive.read(path)) for name, path in paths.items()]
    return [sheet for sheet in found if _VALUE.search(sheet.cells)]


def _paths(archive: zipfile.ZipFile) -> dict[str, str]:
    """Return where the cells of each worksheet stand; charts are no worksheets."""
    links = {
        link.attrib["Id"]: link.attrib["Target"]
        for link in ElementTree.fromstring(archive.read(_LINKS))
    }
    paths = {}
    for element in ElementTree.fromstring(archive.read(_BOOK)).iter():
        if element.tag.rpartition("}")[2] == "sheet":
            ids = [v for k, v in element.attrib.items() if k.endswith("}id")]
            path = links[ids[0]]
            path = path[1:] if path.startswith("/") else f"xl/{path}"
            if "worksheets/" in path:
                paths[element.attrib["name"]] = path
    return paths


def _chosen(sheets: list[_Sheet], name: str | None) -> _Sheet:
    if not sheets:
        raise _nothing_there()
    names = [sheet.name for sheet in sheets]
    if name is None and len(sheets) > 1:
        raise InterchangeError(
            f"The workbook has {len(sheets)} sheets, {listed(names)}; name the sheet "
            "to read (sheet, --sheet), or save it alone."
        )
    for sheet in sheets:
        if name in (None, sheet.name):
            return sheet
    raise InterchangeError(
        f"The workbook has no sheet {shown(name)} with cells; choose from "
        f"{listed(names)}."
    )


def _refuse_far_cells(sheet: _Sheet) -> None:
    """Refuse a sheet whose last cell stands too far off: all before it take memory."""
    n_rows = n_columns = 0
    for letters, digits in _PLACE.findall(sheet.cells):
        n_rows = max(n_rows, int(digits[:20] or 0))
        n_columns = max(n_columns, _column_number(letters))
    refuse_huge_shape(n_rows, n_columns)


def _column_number(letters: bytes) -> int:
    number = 0
    for letter in letters[:9].upper():
        number = 26 * number + letter - 64
    return number


def _count_formulas(sheet: _Sheet) -> int:
    """Return how many cells hold formulas; refuse one that was never computed."""
    starts = list(_CELL.finditer(sheet.cells)) if b"f" in sheet.cells else []
    ends = [start.start() for start in starts[1:]] + [len(sheet.cells)]
    n_formulas = 0
    for start, end in zip(starts, ends, strict=True):
        if not _FORMULA.search(sheet.cells, start.end(), end):
            continue
        n_formulas += 1
        saved = _VALUE if _IS_TEXT.search(start[0]) else _NUMBER
        if not saved.search(sheet.cells, start.end(), end):
            raise InterchangeError(
                f"Cell {start[1].decode()} of sheet {shown(sheet.name)} holds a "
                "formula without a value; open the workbook, let it compute, and "
                "save it again."
            )
    return n_formulas


# ------------------------------------------------------------------- cells as columns


def _rows(data: bytes, sheet: str, gaps: Collection[str]) -> list[list[Any]]:
    """Return the cells of a sheet, None where there is nothing."""
    calamine = library(
        "python_calamine",
        "excel",
        "An Excel workbook",
        InterchangeError,
        ", or save the sheet as CSV",
    )
    with _whole_workbook(calamine.CalamineError):
        try:
            with calamine.CalamineWorkbook.from_object(io.BytesIO(data)) as book:
                rows = book.get_sheet_by_name(sheet).to_python()
        except BaseException as error:
            # Rust's parser gave up: its exception has no name that could be imported.
            if type(error).__name__ == "PanicException":
                raise ValueError(str(error)) from None
            raise
    return [[_cell(value, gaps) for value in row] for row in rows]


def _cell(value: Any, gaps: Collection[str]) -> Any:
    """Return a cell's value, whole numbers as such: a sheet knows only floats."""
    if isinstance(value, str):
        return trimmed(value, gaps)
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        return int(value)
    if type(value) is datetime.date:
        return datetime.datetime(value.year, value.month, value.day)
    return value


def _column(values: list[Any]) -> pa.Array:
    """Return values of one type; of several, as what a CSV file would say."""
    import pyarrow as pa

    types = {type(value) for value in values if value is not None}
    if types == {int, float}:
        return pa.array(values, pa.float64())
    if types == {datetime.datetime}:
        days = pa.array(values, pa.timestamp("us"))
        return days.cast(pa.date32()) if _are_days(values) else days
    if len(types) <= 1:
        return pa.array(values)
    return pa.array([None if v is None else _written(v) for v in values], pa.string())


def _are_days(values: list[Any]) -> bool:
    midnight = datetime.time()
    return all(value is None or value.time() == midnight for value in values)


def _written(value: Any) -> str:
    return value.isoformat(" ") if isinstance(value, datetime.datetime) else str(value)


def _nothing_there() -> InterchangeError:
    return InterchangeError("The workbook holds no cells; give one with a table in it.")


def _whole_workbook(*further: type[Exception]) -> AbstractContextManager[None]:
    return whole_file("no Excel workbook", "save it again", *DAMAGES, *further)
