"""A policy on encoded or scaled columns, as one on the columns that people have."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np

from ..datasets.columns import TableEncoder
from ..datasets.columns.parts import ColumnPart, DatePart
from ..datasets.columns.schema import Column
from ..decisions.program import Fork, ProgramNode, Shopping
from ..errors import DeployError
from ..numerics.arrays import Floats
from .policy import DeployablePolicy, PolicyColumn, ValueKind


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
        nodes=tuple(
            replace(node, buys=tuple(dict.fromkeys(moved[j] for j in node.buys)))
            for node in policy.nodes
        ),
        gap_marks=encoder.schema.gap_marks,
    )


def _kind(column: Column, unseen: Floats) -> ValueKind:
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


def on_unscaled_columns(policy: DeployablePolicy, scaler: Any) -> DeployablePolicy:
    """Return a policy that centres and scales by its weights.

    `scaler`: a fitted ``StandardScaler``.
    """
    n = int(scaler.n_features_in_)
    centre = np.zeros(n) if scaler.mean_ is None else np.asarray(scaler.mean_)
    width = np.ones(n) if scaler.scale_ is None else np.asarray(scaler.scale_)
    places = list(policy.places)
    own = centre[places], width[places]
    if any(isinstance(node.rule, Shopping) for node in policy.nodes):
        raise DeployError(
            f"{policy.title} cannot be exported behind a scaler; train it on columns "
            "as they come."
        )
    return replace(
        policy,
        columns=tuple(_unscaled(column, *own) for column in policy.columns),
        nodes=tuple(_reweighed(node, policy.columns, *own) for node in policy.nodes),
    )


def _unscaled(column: PolicyColumn, centre: Floats, width: Floats) -> PolicyColumn:
    """Return a column that hinges where the scaled one does.

    |x' - t| is |x - (c + t w)| / w for x' = (x - c) / w; so are the hinges.
    """
    if column.hinge is None:
        return column
    j = column.feature
    return replace(column, at=float(centre[j] + column.at * width[j]))


def _reweighed(
    node: ProgramNode, columns: tuple[PolicyColumn, ...], centre: Floats, width: Floats
) -> ProgramNode:
    if isinstance(node.rule, Fork) and node.base == (0.0,) and len(node.terms) == 1:
        ((place, weights),) = node.terms
        column, j = columns[place], columns[place].feature
        if column.hinge is None and weights == (1.0,):
            bound = _exact_bound(node.rule.at, float(centre[j]), float(width[j]))
            return replace(node, rule=replace(node.rule, at=bound))
    base = np.array(node.base)
    terms = []
    for place, weights in node.terms:
        column = columns[place]
        unscaled = np.array(weights) / width[column.feature]
        if column.hinge is None:
            base = base - unscaled * centre[column.feature]
        terms.append((place, tuple(unscaled.tolist())))
    return replace(node, base=tuple(base.tolist()), terms=tuple(terms))


def _exact_bound(at: float, centre: float, width: float) -> float:
    """Return the largest number that, centred and scaled, is not above a bound.

    Trees cut at values that occur, so a row may lie on the bound itself.
    """

    def is_below(value: float) -> bool:
        return (value - centre) / width <= at

    found = centre + at * width
    if not math.isfinite(found):
        return found  # beyond all doubles; what is not a number is above no other
    gap = 2.0 * math.ulp(max(abs(found), abs(centre)))  # of what rounding can move
    low, high = found - gap, found + gap
    while not is_below(low):
        low, gap = low - gap, 2.0 * gap
    while is_below(high):
        high, gap = high + gap, 2.0 * gap
    # Halved, not counted: around 0 there are more doubles than anybody can count.
    while low < (middle := low + (high - low) / 2.0) < high:
        low, high = (middle, high) if is_below(middle) else (low, middle)
    return low
