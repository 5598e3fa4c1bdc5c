"""A data set of a table: its columns, its rows, and what is to be told of both."""

from __future__ import annotations

import dataclasses
import difflib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from scipy import sparse

from ...checks import first_twin
from ...costs.hypergraph import FeatureHypergraph
from ...errors import DataError, listed, shown
from ...numerics.arrays import Floats, Mask
from ...values import matched_names
from ..base import Dataset
from ..columns.arrow import holds_durations
from ..columns.leaks import belonging_notes, identifier_notes, leak_notes, part_notes
from ..columns.schema import Column, Gaps, TableSchema, checked_kinds
from ..rows import RowRoles
from .column_reading import is_flat, left_out_notes, read_column
from .files import TableFile
from .prices import Missing, match, price_columns, with_names_of
from .roles import Labels, labels_of, role_notes, roles_of, time_notes
from .sparse_files import SparseRows


@dataclass(frozen=True)
class TableOptions:
    """Arguments of ``read_table`` that are about columns and rows, not about prices."""

    label: str
    name: str | None = None
    positive: Any = None
    leave_out: Collection[str] = ()
    free: Collection[str] = ()
    missing: Missing = "refuse"
    kinds: Mapping[str, Any] = field(default_factory=dict)
    gaps: Gaps = "fill"
    # Column by role: group, time, part, weight; None where there is none
    roles: Mapping[str, str | None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "kinds", checked_kinds(self.kinds))

    @property
    def uses(self) -> dict[str, str]:
        """The columns that say something of the rows, by their role."""
        return {role: name for role, name in self.roles.items() if name is not None}

    def with_names_of(self, columns: Collection[str]) -> TableOptions:
        """Return them with columns called as in the table, where names look alike."""
        given = [self.label, *self.leave_out, *self.free, *self.kinds]
        alike = matched_names([*given, *self.uses.values()], columns)
        if not alike:
            return self

        def named(name: str) -> str:
            return alike.get(name, name)

        return replace(
            self,
            label=named(self.label),
            leave_out=[*map(named, self.leave_out)],
            free=[*map(named, self.free)],
            kinds={named(name): kind for name, kind in self.kinds.items()},
            roles={role: named(name) for role, name in self.uses.items()},
        )

    def check(self, columns: Collection[str]) -> None:
        """Refuse names of columns that a table does not have, and two uses of one."""
        _refuse_unknown([self.label], columns, "the label")
        _refuse_unknown(self.leave_out, columns, "to leave out")
        _refuse_unknown(self.free, columns, "at no cost")
        _refuse_unknown(self.kinds, columns, "whose kind is given")
        for role, column in self.uses.items():
            _refuse_unknown([column], columns, f"the {role}")
        out = dict.fromkeys([*self.leave_out, *self.uses.values()])
        twin = first_twin([self.label, *out, *dict.fromkeys(self.free)])
        if twin is not None:
            raise DataError(
                f"Column {shown(twin)} is put to two uses; it can be the label, left "
                "out, free or say something of the rows, and only one of them."
            )


def _refuse_unknown(given: Collection[str], known: Collection[Any], what: str) -> None:
    """Refuse names of columns that a table does not have."""
    for name in given:
        if name not in known:
            close = difflib.get_close_matches(str(name), list(known)[:10_000], n=1)
            near = f"its columns are {listed(list(known))}."
            if close:
                near = f"did you mean {shown(close[0])}?"
            raise DataError(f"The table has no column {shown(name)} ({what}); {near}")


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
        self.rows: Mask = self.labels.codes >= 0
        if self.file.nameless:
            self.notes.append(f"Columns without a name left out: {self.file.nameless}.")
        readings = [
            read_column(name, cells, self.kinds.get(name), self.gaps, self.file.beside)
            for name, cells in self.file.columns.items()
            if name not in self.skipped
        ]
        self.identifiers = [r.name for r in readings if r.left_out == "identifier"]
        self._readings = {r.name: r for r in readings if not r.left_out}
        self._left_out = [*left_out_notes(r for r in readings if r.left_out)]
        self.notes += self._left_out
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
            yield from self._readings[name].counted_in()

    def _kept(self, name: str) -> Floats:
        return self._readings[name].codes[self.rows]

    def keep(self, columns: Iterable[str]) -> None:
        """Forget all columns but these."""
        self._readings = {name: self._readings[name] for name in columns}
        if not self._readings:
            seen = [name for name in self.file.columns if name not in self.skipped]
            if not seen:
                raise DataError(
                    "The table has no column to learn from beside its label; give one."
                )
            refused = (
                f"The table has no column to learn from among {listed(seen)}; give one "
                "whose values vary, or say what kind it is (--kinds)."
            )
            raise DataError(" ".join([refused, *self._left_out]))

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

    def matrix(self, columns: Sequence[str]) -> Floats:
        """Return the codes of these columns in the rows that are left.

        Shape: (n_kept, n_columns).
        """
        table = np.empty((int(self.rows.sum()), len(columns)))
        for j, name in enumerate(columns):  # no second copy of all columns at once
            table[:, j] = self._kept(name)
        return table


def refuse_rare_classes(labels: Labels, rows: Mask) -> None:
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
    dropped: int, n: int, unlabelled: int, gaps: Mapping[str, Mask]
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


def assembled(
    file: TableFile, priced: tuple[FeatureHypergraph | None, str], told: TableOptions
) -> Dataset:
    """Return the data set of a table.

    `priced`: what its columns cost, None for 1 each, and a note on that.
    """
    told = told.with_names_of(file.columns)
    told.check(file.columns)
    prices, costs_note = priced
    alike: tuple[str, ...] = ()
    if prices is not None:
        prices, alike = with_names_of(prices, file.columns)
    labels = labels_of(told.label, file.columns[told.label])
    uses = told.uses
    skipped = {told.label, *told.leave_out, *uses.values()}
    draft = TableDraft(file, labels, skipped, told.kinds, told.gaps)
    matched = match(
        prices,
        file.columns.keys() - {told.label, *uses.values()},
        draft.names,
        set(told.free),
        told.missing,
        uses.values(),
    )
    draft.keep(matched.columns)
    draft.drop_rows()
    hypergraph = price_columns(prices, draft.names, set(matched.free))
    schema = draft.schema(hypergraph.features)
    X, y = draft.matrix(hypergraph.features), labels.of(draft.rows)
    row_roles = roles_of(uses, file, draft.rows)
    chosen = labels.positive(told.positive, draft.rows)
    return Dataset(
        name=file.name if told.name is None else told.name,
        X=X,
        y=y,
        hypergraph=hypergraph,
        positive=chosen,
        source=f"A table of {file.n_rows} rows and {len(file.columns)} columns.",
        costs_note=costs_note,
        notes=(
            *draft.notes,
            *draft.kind_notes(hypergraph.features),
            *alike,
            *matched.notes,
            *role_notes(uses, row_roles),
            *time_notes(uses, file, draft.rows),
            *leak_notes(schema, X, y, chosen),
            *_row_leaks(file, draft, hypergraph.features, labels, row_roles, X),
        ),
        # Whoever trained with durations gives durations, not the days that they are.
        schema=None if schema.is_plain and not draft.has_durations else schema,
        roles=row_roles,
    )


def _row_leaks(
    file: TableFile,
    draft: TableDraft,
    features: Sequence[str],
    labels: Labels,
    roles: RowRoles | None,
    X: Floats,
) -> Iterator[str]:
    y = labels.of(draft.rows)
    yield from roles.doubts() if roles else ()
    for name in draft.identifiers:
        yield from identifier_notes(name, file.columns[name].filter(draft.rows), y)
    yield from belonging_notes(file.columns, features, roles)
    yield from part_notes(roles, X)


def sparse_dataset(
    file: TableFile, priced: tuple[FeatureHypergraph | None, str], told: TableOptions
) -> Dataset:
    """Return the data set of sparse rows, in a CSR array.

    `priced`: what columns cost, None for 1 each, and a note on that.
    """
    rows = file.sparse
    if rows is None:
        raise DataError("The table holds no sparse rows; read it as other tables.")
    prices, costs_note = priced
    uses = told.uses
    told.check({*file.columns, *rows.names})
    for name in (told.label, *uses.values()):
        _refuse_a_sparse_column(name, rows, file)
    if told.kinds:
        raise DataError(
            "Kinds of columns are given, but sparse rows of this size are numbers "
            "throughout; leave the kinds out."
        )
    labels = labels_of(told.label, file.columns[told.label])
    kept = labels.codes >= 0
    refuse_rare_classes(labels, kept)
    X = _finite(rows)[kept]
    varies = _varies(X)
    skipped = set(told.leave_out)
    usable = [n for n, v in zip(rows.names, varies, strict=True) if v]
    usable = [name for name in usable if name not in skipped]
    if not usable:
        raise DataError("No column varies over the rows; give one that does.")
    matched = match(prices, set(rows.names), usable, set(told.free), told.missing)
    hypergraph = price_columns(prices, matched.columns, set(matched.free))
    place = {name: j for j, name in enumerate(rows.names)}
    columns = [place[name] for name in hypergraph.features]
    beside = {*file.columns} - {told.label, *uses.values()}
    return Dataset(
        name=file.name if told.name is None else told.name,
        X=sparse.csr_array(X[:, columns]),
        y=labels.of(kept),
        hypergraph=hypergraph,
        positive=labels.positive(told.positive, kept),
        source=f"A sparse table of {file.n_rows} rows and {len(rows.names)} columns.",
        costs_note=costs_note,
        notes=(*_notes(kept, varies, beside), *matched.notes),
        roles=roles_of(uses, file, kept),
    )


def _refuse_a_sparse_column(name: str, rows: SparseRows, file: TableFile) -> None:
    if name not in file.columns and name in set(rows.names):
        raise DataError(
            f"Column {shown(name)} is one of the sparse ones; labels and roles stand "
            f"beside them: {listed(list(file.columns)) or 'there are none'}."
        )


def _finite(rows: SparseRows) -> sparse.csr_array:
    wrong = np.flatnonzero(~np.isfinite(rows.X.data))
    if len(wrong):
        k = int(wrong[0])
        raise DataError(
            f"Column {shown(rows.names[rows.X.indices[k]])} holds {rows.X.data[k]}; "
            "sparse rows have no gaps, so leave such values out: they count as 0."
        )
    return rows.X


def _varies(X: sparse.csr_array) -> Mask:
    """Return which columns hold more than one value, zeros counted."""
    high, low = (getattr(X, end)(axis=0).toarray().ravel() for end in ("max", "min"))
    return high > low


def _notes(kept: Mask, varies: Mask, beside: set[str]) -> list[str]:
    notes = ["Rows stay sparse: methods that take no sparse rows are left out."]
    if not kept.all():
        notes.append(
            f"{int((~kept).sum())} of {len(kept)} rows dropped: without a label."
        )
    if not varies.all():
        notes.append(
            f"{int((~varies).sum())} columns left out as they hold the same value in "
            "every row."
        )
    if beside:
        notes.append(
            "Left out as they stand beside the sparse columns: "
            f"{listed(sorted(beside))}."
        )
    return notes
