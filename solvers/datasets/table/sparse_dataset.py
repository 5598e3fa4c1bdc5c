"""A data set whose rows stay sparse: numbers alone, nothing filled or encoded."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ...errors import DataError
from ...hypergraph import FeatureHypergraph
from ...interchange import listed, shown
from ..base import Dataset
from .draft import refuse_rare_classes
from .files import TableFile
from .labels import labels_of
from .prices import match, price_columns
from .roles import roles_of
from .sparse_rows import SparseRows
from .told import TableOptions

__all__ = ["sparse_dataset"]


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


def _varies(X: sparse.csr_array) -> NDArray[np.bool_]:
    """Return which columns hold more than one value, zeros counted."""
    high, low = (getattr(X, end)(axis=0).toarray().ravel() for end in ("max", "min"))
    return high > low


def _notes(
    kept: NDArray[np.bool_], varies: NDArray[np.bool_], beside: set[str]
) -> list[str]:
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
