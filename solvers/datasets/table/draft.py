"""Columns and rows of a table that are still in, and notes on those that are not."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import DataError
from ...interchange import listed, shown
from ..columns.arrow import holds_durations
from ..columns.schema import Column, Gaps, TableSchema
from .column_reading import is_flat, left_out_notes, read_column
from .files import TableFile
from .labels import Labels

__all__ = ["MIN_ROWS_OF_A_CLASS", "TableDraft", "refuse_rare_classes"]

# Half, a quarter and a quarter of the rows: each part needs a row of each class.
MIN_ROWS_OF_A_CLASS = 4


@dataclass
class TableDraft:
    """Columns and rows that are still in, and notes on those that are not.

    `kinds`: what a person says of columns; `gaps`: what becomes of missing values.
    """

    file: TableFile
    labels: Labels
    skipped: set[str]
    kinds: Mapping[str, Any]
    gaps: Gaps

    def __post_init__(self) -> None:
        self.notes: list[str] = [*self.file.notes]
        self.rows: NDArray[np.bool_] = self.labels.codes >= 0
        if self.file.nameless:
            self.notes.append(f"Columns without a name left out: {self.file.nameless}.")
        readings = [
            read_column(name, cells, self.kinds.get(name), self.gaps, self.file.beside)
            for name, cells in self.file.columns.items()
            if name not in self.skipped
        ]
        self.identifiers = [r.name for r in readings if r.left_out == "identifier"]
        self._readings = {r.name: r for r in readings if not r.left_out}
        self.notes += left_out_notes(r for r in readings if r.left_out)
        for reading in self._readings.values():
            self.notes += reading.notes

    @property
    def names(self) -> list[str]:
        """Names of the columns that are still in."""
        return list(self._readings)

    @property
    def has_durations(self) -> bool:
        """Whether some column that is still in holds durations."""
        return any(holds_durations(self.file.columns[name]) for name in self._readings)

    def schema(self, names: Sequence[str]) -> TableSchema:
        """Return the schema of the rows that are left."""
        columns = tuple(map(self._settled, names))
        return TableSchema(columns, self.file.marks.gaps)

    def _settled(self, name: str) -> Column:
        """Return a column that has gaps, or is said to have some later, or has none."""
        column, told = self._readings[name].column, self.kinds.get(name)
        has_gaps = bool(np.isnan(self._kept(name)).any())
        if column.gaps != "drop" and isinstance(told, Mapping):
            has_gaps = bool(told.get("has_gaps", has_gaps))
        return dataclasses.replace(column, has_gaps=has_gaps)

    def kind_notes(self, names: Sequence[str]) -> Iterator[str]:
        """Yield what became of columns that are no plain numbers, and of their gaps."""
        columns = [self._readings[name].column for name in names]
        for kind in dict.fromkeys(column.kind for column in columns):
            of_kind = [c for c in columns if c.kind == kind and not c.is_plain]
            if kind != "number" and of_kind:
                yield f"Taken as {kind}: {', '.join(map(_counted, of_kind))}."
        gaps = {c.name: int(np.isnan(self._kept(c.name)).sum()) for c in columns}
        for treatment, words in _GAPS.items():
            treated = [c.name for c in columns if c.gaps == treatment and gaps[c.name]]
            holes = ", ".join(f"{shown(name)} ({gaps[name]})" for name in treated)
            if holes:
                yield f"{words}: {holes}."
        for name in names:
            yield from self._readings[name].odd_cells(self.rows)

    def _kept(self, name: str) -> NDArray[np.float64]:
        return self._readings[name].codes[self.rows]

    def keep(self, columns: Iterable[str]) -> None:
        """Forget all columns but these."""
        self._readings = {name: self._readings[name] for name in columns}
        if not self._readings:
            seen = [name for name in self.file.columns if name not in self.skipped]
            raise DataError(
                f"The table has no column to learn from among {listed(seen) or 'none'};"
                " give one whose values vary."
            )

    def drop_rows(self) -> None:
        """Drop rows without a label, and columns that then are constant.

        And rows without a value where a column is to have no gaps.
        """
        n = self.file.n_rows
        unlabelled = n - int(self.rows.sum())
        gaps = {
            name: np.isnan(reading.codes)
            for name, reading in self._readings.items()
            if reading.column.gaps == "drop"
        }
        for holes in gaps.values():
            self.rows = self.rows & ~holes
        dropped = n - int(self.rows.sum())
        if dropped > n / 2:
            raise DataError(_too_many_rows_go(dropped, n, unlabelled, gaps))
        if dropped:
            why = {
                "without a label": unlabelled,
                "with a missing value": dropped - unlabelled,
            }
            told = [f"{count} {what}" for what, count in why.items() if count]
            self.notes.append(f"{dropped} of {n} rows dropped: {', '.join(told)}.")
        refuse_rare_classes(self.labels, self.rows)
        flat = [name for name in self._readings if is_flat(self._kept(name))]
        if flat:
            words = "it holds" if len(flat) == 1 else "they hold"
            self.notes.append(
                f"Left out as {words} the same value in every row that is left: "
                f"{listed(flat)}."
            )
            self.keep([name for name in self._readings if name not in set(flat)])

    def matrix(self, columns: Sequence[str]) -> NDArray[np.float64]:
        """Return the codes of these columns in the rows that are left.

        Shape: (n_kept, n_columns).
        """
        table = np.empty((int(self.rows.sum()), len(columns)))
        for j, name in enumerate(columns):  # no second copy of all columns at once
            table[:, j] = self._kept(name)
        return table


def refuse_rare_classes(labels: Labels, rows: NDArray[np.bool_]) -> None:
    """Refuse labels of which too few rows are left to be split."""
    counts = np.bincount(labels.codes[rows], minlength=len(labels.classes))
    present = np.flatnonzero(counts)
    if len(present) < 2:
        only = labels.classes[int(present[0])] if len(present) else None
        raise DataError(
            f"Every row that is left is labelled {shown(only)}; give rows of two "
            "classes."
        )
    rarest = int(present[np.argmin(counts[present])])
    if counts[rarest] < MIN_ROWS_OF_A_CLASS:
        raise DataError(
            f"Class {shown(labels.classes[rarest])} has too few rows left, "
            f"{counts[rarest]}; training, validation and test need "
            f"{MIN_ROWS_OF_A_CLASS}, so give more."
        )


def _too_many_rows_go(
    dropped: int, n: int, unlabelled: int, gaps: Mapping[str, NDArray[np.bool_]]
) -> str:
    if unlabelled >= dropped / 2:
        return (
            f"{unlabelled} of {n} rows have no label, and too few rows are left; name "
            "another label column, or fill it."
        )
    worst = max(gaps, key=lambda name: int(gaps[name].sum()))
    return (
        f"{dropped} of {n} rows have a missing value, most of them in column "
        f"{shown(worst)} ({int(gaps[worst].sum())} rows); leave such columns out, or "
        "fill them."
    )


_GAPS = {
    "fill": "Gaps are filled by the median or the most frequent value of the training "
    "rows, and a column of the same feature tells where",
    "value": "A gap counts as a value of its own",
    "drop": "Gaps that are left",
}


def _counted(column: Column) -> str:
    return f"{shown(column.name)}" + (
        f" ({len(column.values)} values)" if column.values else ""
    )
