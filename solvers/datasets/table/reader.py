"""A data set from any table with a column of labels."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import DataError
from ...hypergraph import FeatureHypergraph
from ...interchange import MAX_BYTES, Source, listed, shown
from ..base import Dataset
from .columns import Numbers, numbers_of
from .files import TableFile, open_table
from .labels import Labels, labels_of
from .prices import Missing, match, price_columns, prices_given, unknown_names

__all__ = ["MIN_ROWS_OF_A_CLASS", "read_table"]

# Half, a quarter and a quarter of the rows: each part needs a row of each class.
MIN_ROWS_OF_A_CLASS = 4

_REASONS = {
    "text": "hold text",
    "date": "hold dates or times",
    "empty": "hold no value",
    "other": "hold neither numbers nor text",
    "constant": "hold the same value in every row",
}


def read_table(
    source: Source,
    label: str,
    *,
    name: str | None = None,
    hypergraph: FeatureHypergraph | None = None,
    costs: Mapping[str, float] | Source | None = None,
    unit: str = "us",
    positive: Any = None,
    leave_out: Collection[str] = (),
    free: Collection[str] = (),
    missing: Missing = "refuse",
    max_bytes: int = MAX_BYTES,
) -> Dataset:
    r"""Read a data set from a CSV or Parquet table.

    Columns without numbers, and columns with one value throughout, are left out; rows
    without a label, or with a missing value in a column that is kept, are dropped.
    What was left out is told in the notes of the data set. Booleans count as 0 and 1.

    Parameters
    ----------
    source : path or bytes
        The file or its content. CSV is UTF-8 with a header, its cells parted by
        commas, semicolons or tabs; numbers may have decimal commas.
    label : str
        The column that says which class a row is of.
    name : str, optional
        Name of the data set; the name of the file by default.
    hypergraph : FeatureHypergraph, optional
        What the columns cost, matched by name; the columns take its order.
    costs : mapping of str to float, path or bytes, optional
        Instead of a hypergraph, the cost of each column: as a mapping, or as a CSV
        file with the header ``feature,cost_us``. With neither, each column costs 1
        and the unit is "features".
    unit : str, default="us"
        Unit of `costs` where they name none.
    positive : object, optional
        The label that counts as positive, or its text; by default the second of two.
    leave_out : collection of str, default=()
        Columns to leave out.
    free : collection of str, default=()
        Columns that are there anyway and cost nothing.
    missing : {"refuse", "free", "drop"}, default="refuse"
        What becomes of columns that hypergraph or costs do not describe: the table is
        refused, or they cost nothing, or they are left out. Unless it is refused,
        described features without a column are left out too.
    max_bytes : int, default=MAX_BYTES
        The most to read.

    Returns
    -------
    Dataset

    Raises
    ------
    InterchangeError
        If the file is no table, broken or too large.
    DataError
        If the table cannot be learned from, or does not match its costs.
    HypergraphError
        If the costs are no costs.

    Examples
    --------
    >>> rows = b"peak,mean,kind\n" + b"1.5,2,bad\n2.5,1,good\n" * 4
    >>> dataset = read_table(rows, "kind", costs={"peak": 3.0, "mean": 0.5})
    >>> dataset.X.shape, dataset.positive.item(), dataset.unit
    ((8, 2), 'good', 'us')
    """
    file = open_table(source, max_bytes)
    prices, costs_note = prices_given(hypergraph, costs, unit, max_bytes)
    unknown_names([label], file.columns, "the label")
    unknown_names(leave_out, file.columns, "to leave out")
    unknown_names(free, file.columns, "at no cost")
    _refuse_two_uses(label, leave_out, free)
    labels = labels_of(label, file.columns[label])

    draft = _Draft(file, labels, {label, *leave_out})
    matched = match(
        prices,
        file.columns.keys() - {label},
        list(draft.numbers),
        set(free),
        missing,
    )
    draft.keep(matched.columns)
    draft.drop_rows()
    priced = price_columns(prices, list(draft.numbers), set(matched.free))
    return Dataset(
        name=file.name if name is None else name,
        X=draft.matrix(priced.features),
        y=labels.of(draft.rows),
        hypergraph=priced,
        positive=labels.find(positive),
        source=f"A table of {file.n_rows} rows and {len(file.columns)} columns.",
        costs_note=costs_note,
        notes=(*draft.notes, *matched.notes),
    )


def _refuse_two_uses(
    label: str, leave_out: Collection[str], free: Collection[str]
) -> None:
    uses = [label, *dict.fromkeys(leave_out), *dict.fromkeys(free)]
    for name in uses:
        if uses.count(name) > 1:
            raise DataError(
                f"Column {shown(name)} is put to two uses; it can be the label, left "
                "out or free, and only one of them."
            )


@dataclass
class _Draft:
    """Columns and rows that are still in, and notes on those that are not."""

    file: TableFile
    labels: Labels
    skipped: set[str]

    def __post_init__(self) -> None:
        self.notes: list[str] = []
        self.rows: NDArray[np.bool_] = self.labels.codes >= 0
        if self.file.nameless:
            self.notes.append(f"Columns without a name left out: {self.file.nameless}.")
        found = {
            name: numbers_of(name, column)
            for name, column in self.file.columns.items()
            if name not in self.skipped
        }
        self._note_unusable(found)
        self.numbers = {n: found[n].values for n in found if not found[n].reason}
        commas = [name for name in self.numbers if found[name].had_commas]
        if commas:
            self.notes.append(f"Decimal commas were read in {listed(commas)}.")

    def _note_unusable(self, found: Mapping[str, Numbers]) -> None:
        for reason, words in _REASONS.items():
            names = [name for name in found if found[name].reason == reason]
            if names:
                example = found[names[0]].example
                such = f" (for instance {example})" if example else ""
                self.notes.append(f"Left out as they {words}{such}: {listed(names)}.")

    def keep(self, columns: Iterable[str]) -> None:
        """Forget all columns but these."""
        self.numbers = {name: self.numbers[name] for name in columns}
        if not self.numbers:
            seen = [name for name in self.file.columns if name not in self.skipped]
            raise DataError(
                f"The table has no column to learn from among {listed(seen) or 'none'};"
                " give one whose numbers vary."
            )

    def drop_rows(self) -> None:
        """Drop rows without a label or a value, and columns that then are constant."""
        n = self.file.n_rows
        unlabelled = n - int(self.rows.sum())
        gaps = {name: np.isnan(values) for name, values in self.numbers.items()}
        self.rows = self.rows & ~np.logical_or.reduce(list(gaps.values()))
        dropped = n - int(self.rows.sum())
        if dropped > n / 2:
            raise DataError(_too_many_rows_go(dropped, n, unlabelled, gaps))
        if dropped:
            self.notes.append(
                f"{dropped} of {n} rows dropped: {unlabelled} without a label, "
                f"{dropped - unlabelled} with a missing value."
            )
        self._refuse_rare_classes()
        flat = [n for n, v in self.numbers.items() if _is_flat(v[self.rows])]
        if flat:
            self.notes.append(
                f"Left out as they hold the same value in every row that is left: "
                f"{listed(flat)}."
            )
            self.keep([name for name in self.numbers if name not in set(flat)])

    def _refuse_rare_classes(self) -> None:
        counts = np.bincount(
            self.labels.codes[self.rows], minlength=len(self.labels.classes)
        )
        present = np.flatnonzero(counts)
        if len(present) < 2:
            only = self.labels.classes[int(present[0])] if len(present) else None
            raise DataError(
                f"Every row that is left is labelled {shown(only)}; give rows of two "
                "classes."
            )
        rarest = int(present[np.argmin(counts[present])])
        if counts[rarest] < MIN_ROWS_OF_A_CLASS:
            raise DataError(
                f"Class {shown(self.labels.classes[rarest])} has too few rows left, "
                f"{counts[rarest]}; training, validation and test need "
                f"{MIN_ROWS_OF_A_CLASS}, so give more."
            )

    def matrix(self, columns: tuple[str, ...]) -> NDArray[np.float64]:
        """Return the rows that are left of these columns, in their order."""
        return np.column_stack([self.numbers[name][self.rows] for name in columns])


def _is_flat(values: NDArray[np.float64]) -> bool:
    return bool(values.min() == values.max())


def _too_many_rows_go(
    dropped: int, n: int, unlabelled: int, gaps: Mapping[str, NDArray[np.bool_]]
) -> str:
    worst = max(gaps, key=lambda name: int(gaps[name].sum()))
    if unlabelled >= dropped / 2:
        return (
            f"{unlabelled} of {n} rows have no label, and too few rows are left; name "
            "another label column, or fill it."
        )
    return (
        f"{dropped} of {n} rows have a missing value, most of them in column "
        f"{shown(worst)} ({int(gaps[worst].sum())} rows); leave such columns out, or "
        "fill them."
    )
