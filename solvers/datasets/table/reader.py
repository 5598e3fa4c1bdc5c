"""A data set from any table with a column of labels."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import DataError
from ...hypergraph import FeatureHypergraph
from ...interchange import MAX_BYTES, Source, shown
from ..base import Dataset
from ..columns.leaks import leak_notes
from ..columns.schema import Gaps, checked_kinds
from ..rows import RowRoles
from .draft import TableDraft
from .files import TableFile, framed_table, opened_table
from .labels import Labels, labels_of
from .prices import Missing, match, price_columns, prices_given, unknown_names
from .roles import roles_of
from .row_leaks import belonging_notes, identifier_notes, part_notes

__all__ = ["from_frame", "read_table"]

_ROLES = ("group", "time", "part", "weight")


def read_table(
    source: Source | TableFile,
    label: str,
    *,
    sheet: str | None = None,
    name: str | None = None,
    hypergraph: FeatureHypergraph | None = None,
    costs: Mapping[str, float] | Source | None = None,
    unit: str = "us",
    positive: Any = None,
    leave_out: Collection[str] = (),
    free: Collection[str] = (),
    missing: Missing = "refuse",
    kinds: Mapping[str, Any] | None = None,
    gaps: Gaps = "fill",
    group: str | None = None,
    time: str | None = None,
    part: str | None = None,
    weight: str | None = None,
    max_bytes: int = MAX_BYTES,
) -> Dataset:
    r"""Read a data set from a table: CSV, Excel, Arrow (Feather) or Parquet.

    Columns of every kind are kept: numbers, categories, dates; a column stays one
    feature, however many numbers encode it. Left out are columns of one value, of texts
    of many values and of names of rows. Gaps are filled, rows without a label dropped.
    What became of what is told in the notes of the data set.

    Parameters
    ----------
    source : path, bytes or TableFile
        The file or its content, or what ``open_table`` returned. CSV is UTF-8 with a
        header, its cells parted by commas, semicolons or tabs; numbers may have decimal
        commas. Of a workbook (.xlsx; the extra ``excel``) one sheet is read, formulas
        as last computed.
    label : str
        The column that says which class a row is of.
    sheet : str, optional
        Of an Excel workbook, where several sheets hold something.
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
    kinds : mapping of str to str or mapping, optional
        Kinds of columns, or fields of ``Column``, where what is detected does not suit.
    gaps : {"fill", "value", "drop"}, default="fill"
        What becomes of missing values, see ``Column``.
    group, time, part, weight : str, optional
        Columns that say of each row what it belongs to (never on both sides of a
        split), when it was (earlier ones train), which part it is of ("train",
        "validation", "test") and how much it counts. No method learns from them.
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
    return _assembled(
        opened_table(source, max_bytes, sheet),
        label,
        prices_given(hypergraph, costs, unit, max_bytes),
        name=name,
        positive=positive,
        leave_out=leave_out,
        free=free,
        missing=missing,
        kinds=checked_kinds(kinds or {}),
        gaps=gaps,
        roles={"group": group, "time": time, "part": part, "weight": weight},
    )


def from_frame(
    frame: Any,
    target: str,
    *,
    name: str = "frame",
    hypergraph: FeatureHypergraph | None = None,
    costs: Mapping[str, float] | Source | None = None,
    unit: str = "us",
    positive: Any = None,
    leave_out: Collection[str] = (),
    free: Collection[str] = (),
    missing: Missing = "refuse",
    kinds: Mapping[str, Any] | None = None,
    gaps: Gaps = "fill",
    group: str | None = None,
    time: str | None = None,
    part: str | None = None,
    weight: str | None = None,
) -> Dataset:
    """Return a data set of a DataFrame.

    Parameters
    ----------
    frame : DataFrame
        Of pandas, polars or Arrow, or anything that has the Arrow PyCapsule interface
        or the dataframe interchange protocol.
    target : str
        The column that says which class a row is of.
    name : str, default="frame"
        Name of the data set.
    hypergraph, costs, unit, positive, leave_out, free, missing, kinds, gaps : optional
        As for ``read_table``.
    group, time, part, weight : str, optional
        As for ``read_table``.

    Returns
    -------
    Dataset

    Raises
    ------
    DataError
        If the frame cannot be learned from, or does not match its costs.
    HypergraphError
        If the costs are no costs.

    Examples
    --------
    >>> import pandas as pd
    >>> rows = {"age": [40, 50, None, 61] * 3, "pain": ["dull", "none", "sharp"] * 4}
    >>> dataset = from_frame(pd.DataFrame({**rows, "ill": [0, 1] * 6}), "ill")
    >>> [(column.name, column.kind) for column in dataset.schema]
    [('age', 'number'), ('pain', 'category')]
    """
    return _assembled(
        framed_table(frame, name),
        target,
        prices_given(hypergraph, costs, unit),
        name=name,
        positive=positive,
        leave_out=leave_out,
        free=free,
        missing=missing,
        kinds=checked_kinds(kinds or {}),
        gaps=gaps,
        roles={"group": group, "time": time, "part": part, "weight": weight},
    )


def _assembled(
    file: TableFile,
    label: str,
    priced: tuple[FeatureHypergraph | None, str],
    *,
    name: str | None,
    positive: Any,
    leave_out: Collection[str],
    free: Collection[str],
    missing: Missing,
    kinds: Mapping[str, Any],
    gaps: Gaps,
    roles: Mapping[str, str | None],
) -> Dataset:
    prices, costs_note = priced
    uses = {role: column for role, column in roles.items() if column is not None}
    unknown_names([label], file.columns, "the label")
    unknown_names(leave_out, file.columns, "to leave out")
    unknown_names(free, file.columns, "at no cost")
    unknown_names(kinds, file.columns, "whose kind is given")
    for role, column in uses.items():
        unknown_names([column], file.columns, f"the {role}")
    _refuse_two_uses(label, [*leave_out, *uses.values()], free)
    labels = labels_of(label, file.columns[label])

    skipped = {label, *leave_out, *uses.values()}
    draft = TableDraft(file, labels, skipped, kinds, gaps)
    matched = match(
        prices,
        file.columns.keys() - {label, *uses.values()},
        draft.names,
        set(free),
        missing,
    )
    draft.keep(matched.columns)
    draft.drop_rows()
    hypergraph = price_columns(prices, draft.names, set(matched.free))
    schema = draft.schema(hypergraph.features)
    X, y = draft.matrix(hypergraph.features), labels.of(draft.rows)
    chosen, row_roles = labels.find(positive), roles_of(uses, file, draft.rows)
    return Dataset(
        name=file.name if name is None else name,
        X=X,
        y=y,
        hypergraph=hypergraph,
        positive=chosen,
        source=f"A table of {file.n_rows} rows and {len(file.columns)} columns.",
        costs_note=costs_note,
        notes=(
            *draft.notes,
            *draft.kind_notes(hypergraph.features),
            *matched.notes,
            *leak_notes(schema, X, y, chosen),
            *_row_leaks(file, draft, hypergraph.features, labels, row_roles, X),
        ),
        schema=None if schema.is_plain else schema,
        roles=row_roles,
    )


def _row_leaks(
    file: TableFile,
    draft: TableDraft,
    features: Sequence[str],
    labels: Labels,
    roles: RowRoles | None,
    X: NDArray[np.float64],
) -> Iterator[str]:
    y = labels.of(draft.rows)
    yield from roles.doubts() if roles else ()
    for name in draft.identifiers:
        yield from identifier_notes(name, file.columns[name].filter(draft.rows), y)
    yield from belonging_notes(file.columns, features, roles)
    yield from part_notes(roles, X)


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
