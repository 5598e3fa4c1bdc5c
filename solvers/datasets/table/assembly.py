"""A data set of a table whose columns are of any kind."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from ...hypergraph import FeatureHypergraph
from ..base import Dataset
from ..columns.leaks import belonging_notes, identifier_notes, leak_notes, part_notes
from ..rows import RowRoles
from .draft import TableDraft
from .files import TableFile
from .labels import Labels, labels_of
from .prices import match, price_columns, with_names_of
from .roles import role_notes, roles_of, time_notes
from .told import TableOptions

__all__ = ["assembled"]


def assembled(
    file: TableFile, priced: tuple[FeatureHypergraph | None, str], told: TableOptions
) -> Dataset:
    """Return the data set of a table.

    `priced`: what its columns cost, None for 1 each, and a note on that.
    """
    told = told.with_names_of(file.columns)
    told.check(file.columns)
    prices, alike = with_names_of(priced[0], file.columns)
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
        costs_note=priced[1],
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
    X: NDArray[np.float64],
) -> Iterator[str]:
    y = labels.of(draft.rows)
    yield from roles.doubts() if roles else ()
    for name in draft.identifiers:
        yield from identifier_notes(name, file.columns[name].filter(draft.rows), y)
    yield from belonging_notes(file.columns, features, roles)
    yield from part_notes(roles, X)
