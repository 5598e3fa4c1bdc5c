"""A policy on columns that were centred and scaled, as one on columns as they come."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..decisions.program import Fork, ProgramNode, Shopping
from ..errors import DeployError
from .policy import DeployablePolicy, PolicyColumn

__all__ = ["on_unscaled_columns"]


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


def _unscaled(
    column: PolicyColumn, centre: NDArray[np.float64], width: NDArray[np.float64]
) -> PolicyColumn:
    """Return a column that hinges where the scaled one does.

    |x' - t| is |x - (c + t w)| / w for x' = (x - c) / w; so are the hinges.
    """
    if column.hinge is None:
        return column
    j = column.feature
    return replace(column, at=float(centre[j] + column.at * width[j]))


def _reweighed(
    node: ProgramNode,
    columns: tuple[PolicyColumn, ...],
    centre: NDArray[np.float64],
    width: NDArray[np.float64],
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
