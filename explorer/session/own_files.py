"""What people's files hold, for `sandboxed`, and how they are kept: no widget here."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from typing import Any

from scipy.sparse import issparse

from solvers import (
    Dataset,
    HypergraphFile,
    preview_table,
    read_hypergraph,
    split_dataset,
)
from solvers.costs.interchange.spreadsheet import csv_layout
from solvers.datasets import (
    ColumnPlan,
    TableFile,
    TablePreview,
    head_table,
    opening_table,
    planned_columns,
    sheet_names,
)
from solvers.errors import DataError, InterchangeError, shown
from solvers.values import USUAL_MARKS, AmbiguousCellError, FileMarks

from ..document.drawing import MAX_NODES, refuse_too_large
from ..document.reading import Reading, TableUse
from .checked import demand, is_text, packed, unpacked

# Plans that are sent at once: a message for each would take longer than planning.
PLANS_AT_ONCE = 50
# What one upload may weigh; the server refuses larger messages as well.
MAX_MEGABYTES = 64
MAX_BYTES = MAX_MEGABYTES * 1024 * 1024


@dataclass(frozen=True, eq=False)
class OpenedTable:
    """A file that was read, before anything is said of its columns."""

    file: TableFile
    preview: TablePreview
    sheets: tuple[str, ...]  # That hold something; empty of what is no workbook
    sheet: str | None  # The one that was read
    has_header: bool = True
    marks: FileMarks = USUAL_MARKS

    @property
    def options(self) -> dict[str, Any]:
        """What of a script's arguments says how the file is opened."""
        options: dict[str, Any] = {"sheet": self.sheet} if len(self.sheets) > 1 else {}
        options |= {} if self.has_header else {"has_header": False}
        return options | ({"marks": self.marks.data} if self.marks.data else {})


def opened_table(
    content: bytes,
    sheet: str | None,
    has_header: bool = True,
    marks: FileMarks = USUAL_MARKS,
) -> Iterator[OpenedTable | TablePreview | float]:
    """Open a table; of a workbook a sheet, the first one by default.

    Of a large one a preview of its first rows comes before, and what share is read.
    """
    sheets = sheet_names(content)
    chosen = sheet or next(iter(sheets), None)
    told: dict[str, Any] = {"has_header": has_header, "marks": marks}
    file = head_table(content, MAX_BYTES, chosen, **told)
    refuse_too_wide(file)
    if file.n_more:
        yield preview_table(file)
        steps = opening_table(content, MAX_BYTES, chosen, **told)
        for step in steps:
            if isinstance(step, TableFile):
                file = step
            else:
                yield step
    yield OpenedTable(file, preview_table(file), sheets, chosen, has_header, marks)


def column_plans(
    file: TableFile, use: TableUse, names: Collection[str]
) -> Iterator[tuple[ColumnPlan, ...]]:
    """Plan some columns of a table, a few after the other."""
    plans = planned_columns(file, use.roles, use.kinds, names=set(names))
    while some := tuple(islice(plans, PLANS_AT_ONCE)):
        yield some


def plans_and_table(
    reading: Reading, names: Collection[str]
) -> Iterator[tuple[ColumnPlan, ...] | Dataset]:
    """Plan some columns of a table that is open, and read it."""
    yield from column_plans(reading.file, reading.use, names)
    yield from read_again(reading)


def read_again(reading: Reading) -> Iterator[Dataset]:
    """Read a table that is open in the way that was chosen."""
    dataset = reading.dataset()
    refuse_unlearnable(dataset)
    yield dataset


def read_own_hypergraph(
    content: bytes, name: str, unit: str
) -> Iterator[HypergraphFile]:
    """Read a hypergraph, or costs."""
    try:
        yield read_hypergraph(
            content, name, unit=unit, free_features=True, max_bytes=MAX_BYTES
        )
    except AmbiguousCellError as error:
        raise InterchangeError(
            f"The cost {error.doubt}; write it without thousands, and decimals behind "
            "a point."
        ) from error


def read_typed_prices(content: bytes, name: str, unit: str) -> Iterator[HypergraphFile]:
    """Read costs that somebody typed, or pasted from a spreadsheet."""
    if csv_layout(content.decode()) is None:
        raise InterchangeError(
            f"{shown(content.decode()[:30])} is no list of prices; write a line a "
            "column: its name, a colon and its price."
        )
    yield from read_own_hypergraph(content, name, unit)


def refuse_too_wide(file: TableFile) -> None:
    """Refuse a table whose every column, with its price, could not be drawn.

    Planning the columns of such a table takes minutes, to refuse it in the end.
    """
    n_columns, most = len(file.columns), MAX_NODES // 2
    if n_columns > most:
        raise DataError(
            f"The table has {n_columns:,} columns; up to {most:,} can be drawn. Leave "
            "some out of the file, or trace it in Python or by thriftscope run."
        )


def refuse_unlearnable(dataset: Dataset) -> None:
    """Refuse a data set that cannot be drawn, or that no method could learn from."""
    refuse_too_large(dataset.hypergraph)
    if issparse(dataset.X):
        raise DataError(
            f"The {dataset.n_samples:,} rows are sparse, and too many to be written "
            "out; trace them in Python or by thriftscope run."
        )
    split_dataset(dataset)


#: Characters that one packed file may take in a session.
MAX_PACKED = 1_500_000
#: Bytes of one file once unpacked: no page takes larger ones.
MAX_KEPT_BYTES = 16 * 2**20
MAX_FILES = 6
MAX_NAME = 200
_BROKEN = "The session holds a file that cannot be read; save it again."


@dataclass(frozen=True)
class OpenedFile:
    """A file as a person gave it."""

    role: str  # What it is to the page, as "nodes"
    name: str  # What it is called
    content: bytes = field(repr=False)  # What is in it

    @cached_property
    def packed(self) -> str:
        """The content as text."""
        return packed(self.content, 6)

    @property
    def is_kept(self) -> bool:
        """Whether it is small enough for a session."""
        return len(self.packed) <= MAX_PACKED

    def plain(self) -> dict[str, str]:
        """Return it in the types of JSON."""
        return {"role": self.role, "name": self.name, "packed": self.packed}


def opened_file(role: str, name: str, content: bytes) -> OpenedFile:
    """Return a file that a person gives, under a name that can be shown and kept."""
    name = "".join(filter(str.isprintable, name))[:MAX_NAME]
    return OpenedFile(role, name or role, content)


def read_files(given: Any) -> list[OpenedFile]:
    """Return the files that somebody's session holds.

    `given`: A list of what `OpenedFile.plain` gave, and JSON gave back.
    """
    demand(isinstance(given, list) and len(given) <= MAX_FILES, _BROKEN)
    return [_file(item) for item in given]


def _file(given: Any) -> OpenedFile:
    is_file = isinstance(given, dict) and set(given) == {"role", "name", "packed"}
    demand(is_file, _BROKEN)
    role, name, text = given["role"], given["name"], given["packed"]
    demand(is_text(role, MAX_NAME) and is_text(text, MAX_PACKED), _BROKEN)
    demand(is_text(name, MAX_NAME) and name, _BROKEN)
    return OpenedFile(role, name, unpacked(text, MAX_KEPT_BYTES, _BROKEN))
