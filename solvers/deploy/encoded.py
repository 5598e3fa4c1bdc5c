"""A policy on encoded columns, as one on the columns that people have."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..datasets.columns import TableEncoder
from ..datasets.columns.parts import ColumnPart, DatePart
from ..datasets.columns.schema import Column
from ..decisions.program import ProgramNode
from .policy import DeployablePolicy, PolicyColumn, ValueKind

__all__ = ["on_raw_columns"]


def on_raw_columns(policy: DeployablePolicy, encoder: TableEncoder) -> DeployablePolicy:
    """Return a policy that takes words, dates and gaps, and encodes them itself."""
    schema = list(encoder.schema)
    raw_of = encoder.column_of_[list(policy.places)].tolist()  # of each feature
    asked = sorted(set(raw_of))
    place_of = {raw: place for place, raw in enumerate(asked)}
    first = [raw_of.index(raw) for raw in asked]
    makers = _makers(encoder)
    columns = [
        replace(
            makers[policy.places[column.feature]],
            name=column.name,
            feature=place_of[raw_of[column.feature]],
            hinge=column.hinge,
            at=column.at,
        )
        for column in policy.columns
    ]
    moved = [place_of[raw] for raw in raw_of]
    return replace(
        policy,
        places=tuple(asked),
        features=tuple(schema[raw].name for raw in asked),
        kinds=tuple(_kind(schema[raw], encoder.parts_[raw].unseen) for raw in asked),
        columns=tuple(columns),
        needs=tuple(policy.needs[j] for j in first),
        nodes=tuple(_bought(node, moved) for node in policy.nodes),
        gap_marks=encoder.schema.gap_marks,
    )


def _bought(node: ProgramNode, moved: Sequence[int]) -> ProgramNode:
    return replace(node, buys=tuple(dict.fromkeys(moved[j] for j in node.buys)))


def _kind(column: Column, unseen: NDArray[np.float64]) -> ValueKind:
    """Return how a column is given; `unseen`: its ranges, shape (n_ranges, 2)."""
    ranges, is_complete = tuple(map(tuple, unseen.tolist())), not column.has_gaps
    if column.kind == "hashed":
        return ValueKind("hashed", column.values, is_complete)
    if column.is_listed:
        return ValueKind("listed", column.values, is_complete, ranges)
    kind: Any = column.kind if column.kind in ("date", "time") else "number"
    return ValueKind(kind, (), is_complete, ranges, column.form)


def _makers(encoder: TableEncoder) -> list[PolicyColumn]:
    """Return how each encoded column is made.

    Its part is asked what it makes of every word, of another and of a gap.
    """
    precision = np.float32 if encoder.is_single_ else np.float64
    found = []
    for part in encoder.parts_:
        n_words = len(part.column.values) + 1 if part.column.is_listed else 0
        told = part.encode(np.append(np.arange(float(n_words)), np.nan))
        columns = told.astype(precision).T.tolist()
        found += [_maker(part, k, values) for k, values in enumerate(columns)]
    return found


def _maker(part: ColumnPart, k: int, told: list[float]) -> PolicyColumn:
    """Return how the k-th encoded column of one is made."""
    made = PolicyColumn("", 0, gap=told[-1])
    if part.column.is_listed:
        return replace(made, table=tuple(told[:-1]))
    if isinstance(part, DatePart) and k < len(part.column.parts):
        return replace(made, part=part.column.parts[k], latest=part.latest)
    # Behind the number itself, or the parts of a date, stands whether it is missing.
    is_number = k == 0 and not isinstance(part, DatePart)
    return made if is_number else replace(made, table=(0.0,))
