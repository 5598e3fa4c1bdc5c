"""A policy on encoded columns, as one on the columns that people have."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..datasets.columns import TableEncoder
from ..datasets.columns.schema import Column
from .policy import DeployablePolicy, PolicyColumn, PolicyNode, ValueKind

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
        kinds=tuple(_kind(schema[raw], encoder.unseen_[raw]) for raw in asked),
        columns=tuple(columns),
        needs=tuple(policy.needs[j] for j in first),
        nodes=tuple(_bought(node, moved) for node in policy.nodes),
        gap_marks=encoder.schema.gap_marks,
    )


def _bought(node: PolicyNode, moved: Sequence[int]) -> PolicyNode:
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

    The encoder itself is asked what it makes of every word, of another and of a gap.
    """
    columns = list(encoder.schema)
    longest = max(len(column.values) for column in columns) + 2
    codes = np.full((longest, len(columns)), np.nan)
    for j, column in enumerate(columns):
        codes[: len(column.values) + 1, j] = np.arange(len(column.values) + 1)
    told = encoder.encode(codes)
    found = []
    for j, column in enumerate(columns):
        own = np.flatnonzero(encoder.column_of_ == j)
        for k, place in enumerate(own):
            found.append(_maker(encoder, j, column, k, told[:, place]))
    return found


def _maker(
    encoder: TableEncoder, j: int, column: Column, k: int, told: NDArray[np.float64]
) -> PolicyColumn:
    """Return how the k-th encoded column of one is made."""
    made = PolicyColumn("", 0, gap=float(told[-1]))
    if column.is_listed:
        return replace(made, table=tuple(told[: len(column.values) + 1].tolist()))
    if k < len(column.parts):
        return replace(made, part=column.parts[k], latest=float(encoder.latest_[j]))
    # Behind the number itself, or the parts of a date, stands whether it is missing.
    return made if k == 0 and not column.parts else replace(made, table=(0.0,))
