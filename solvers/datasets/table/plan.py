"""What becomes of each column of a table, told before any of it is learned from."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np

from ...errors import DataError, ThriftscopeError
from ..columns.arrow import missing_mask, value_of
from ..columns.encoder import TableEncoder
from ..columns.integers import integer_kind
from ..columns.leaks import leak_notes
from ..columns.schema import Encoding, Gaps, Kind, TableSchema
from .column_reading import REASONS, Reason, TakenColumn, odd_cells, taken
from .files import TableFile
from .labels import Labels, labels_of
from .roles import roles_of, time_notes
from .row_leaks import belonging_notes, identifier_notes

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["ColumnPlan", "Role", "planned_columns"]

Role: TypeAlias = Literal[
    "feature", "free", "label", "group", "time", "part", "weight", "left out"
]
_N_EXAMPLES = 3
_MAX_SHOWN = 40  # characters of an example
_ROW_ROLES = ("group", "time", "part", "weight")


@dataclass(frozen=True)
class ColumnPlan:
    """What a column is taken for, and what becomes of it.

    Parameters
    ----------
    name : str
        Its name.
    role : {"feature", "free", "label", "group", "time", "part", "weight", "left out"}
        What it is used for; a "free" one is a feature that costs nothing.
    kind : Kind
        What it is taken for.
    n_missing : int
        In how many rows it holds nothing, or nothing of its kind.
    gaps : {"fill", "value", "drop"}
        What becomes of these.
    encoding : {"one column a value", "mean of the label"}
        How a category becomes numbers.
    values : tuple of str
        Those of an ordered category, in their order.
    encoded : tuple of str
        Names of the columns that methods learn from; empty where there are none.
    examples : tuple of str
        Its first values, as text.
    warnings : tuple of str
        One sentence each.
    """

    name: str
    role: Role
    kind: Kind
    n_missing: int
    gaps: Gaps = "fill"
    encoding: Encoding = "one column a value"
    values: tuple[str, ...] = ()
    encoded: tuple[str, ...] = ()
    examples: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


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
    values = table.columns[name]
    plan = ColumnPlan(
        name,
        role,
        kind=_told(told, "kind", "unusable"),
        n_missing=int(missing_mask(values).sum()),
        gaps=_told(told, "gaps", gaps),
        examples=_examples(values),
    )
    try:
        found = taken(name, values, told, gaps, table.beside)
        warnings = list(_role_warnings(table, name, role))
    except ThriftscopeError as error:
        return replace(plan, warnings=(str(error),))
    is_feature = role in ("feature", "free")
    if isinstance(found, Reason):
        if is_feature:
            words, _, remedy = REASONS[found.reason]
            warnings.append(f"Left out: it {words}{remedy}.")
            warnings += _named_rows(name, values, found, labels)
        return replace(plan, kind=found.kind, warnings=tuple(warnings))
    if is_feature:
        if told is None and found.column.kind == "code":
            warnings.append(integer_kind(name, values)[1])
        warnings += [*found.notes, *_feature_warnings(table, found, labels)]
    column = found.column
    return replace(
        plan,
        kind=column.kind,
        n_missing=int(np.isnan(found.codes).sum()),
        gaps=column.gaps,
        encoding=column.encoding,
        values=column.values if column.kind == "ordered" else (),
        encoded=_encoded(found, labels) if is_feature else (),
        warnings=tuple(warnings),
    )


def _encoded(found: TakenColumn, labels: Labels | None) -> tuple[str, ...]:
    """Return the names of what a column becomes; a few rows tell how many there are."""
    column, n_classes = found.column, len(labels.classes) if labels else 2
    if column.kind == "number" and not column.has_gaps:
        return (column.name,)
    few = np.resize(found.codes, max(2 * n_classes, 4))
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
    table: TableFile, found: TakenColumn, labels: Labels | None
) -> Iterator[str]:
    column, values = found.column, table.columns[found.column.name]
    everywhere = np.ones(table.n_rows, dtype=bool)
    yield from odd_cells(column, values, found.codes, everywhere)
    yield from belonging_notes(table.columns, [column.name], None)
    if labels is not None:
        rows = labels.looked_at
        yield from leak_notes(
            TableSchema((column,)), found.codes[rows, None], labels.codes[rows], None
        )


def _named_rows(
    name: str, values: pa.ChunkedArray, found: Reason, labels: Labels | None
) -> Iterator[str]:
    if found.reason == "identifier" and labels is not None:
        rows = labels.looked_at
        yield from identifier_notes(name, values.take(rows), labels.codes[rows])


def _examples(values: pa.ChunkedArray) -> tuple[str, ...]:
    cells = [value_of(cell) for cell in values.slice(0, 50)]
    texts = dict.fromkeys(_example(cell) for cell in cells if cell is not None)
    return tuple(text[:_MAX_SHOWN] for text in list(texts)[:_N_EXAMPLES])


def _example(cell: Any) -> str:
    return f"{cell:.6g}" if isinstance(cell, float) else str(cell)


def _told(told: Any, name: str, otherwise: Any) -> Any:
    fields = {"kind": told} if isinstance(told, str) else told or {}
    return fields.get(name, otherwise)
