"""In which order to compute groups of features that share components."""

from __future__ import annotations

from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from .arrays import Floats, Mask

FeatureOrder: TypeAlias = Literal["alone", "marginal", "amortised", "value"]


def acquisition_order(
    needs: Mask,
    costs: Floats,
    order: FeatureOrder = "alone",
    values: Floats | None = None,
) -> list[int]:
    """Return groups in the order in which a cascade computes them.

    Shapes: `needs` (n_groups, n_components), `costs` (n_components,), `values`
    (n_groups,).
    `order`: "alone": by what a group costs by itself (the paper's); "marginal": always
    the group that adds least to what is paid; "amortised": always the set of shared
    components that is cheapest per group that it opens, with those groups; "value":
    always the group of highest value per cost that it adds.
    """
    if order == "alone":
        return [int(g) for g in np.argsort(needs @ costs, kind="stable")]
    if order == "amortised":
        return _amortised(needs, costs)
    worth = np.ones(len(needs)) if values is None or order == "marginal" else values
    return _greedy(needs, costs, worth)


def cumulative_costs(needs: Mask, costs: Floats) -> Floats:
    """Return what has been paid after each group, components once.

    Shapes: `needs` (n_groups, n_components), `costs` (n_components,) -> (n_groups,).
    `needs`: which components each group needs, in the order of computing.
    """
    return np.logical_or.accumulate(needs, axis=0) @ costs


def _greedy(needs: NDArray, costs: NDArray, worth: NDArray) -> list[int]:
    """Return groups by highest worth per added cost; worthless ones last, by cost."""
    paid = np.zeros(len(costs), dtype=bool)
    left = list(range(len(needs)))
    chosen: list[int] = []
    while left:
        added = (needs[left] & ~paid) @ costs
        value = worth[left]
        with np.errstate(divide="ignore"):
            rate = np.where(value > 0, added / np.where(value > 0, value, 1.0), np.inf)
        best = int(np.lexsort((added, rate))[0])
        paid |= needs[left[best]]
        chosen.append(left.pop(best))
    return chosen


def _amortised(needs: NDArray, costs: NDArray) -> list[int]:
    """Return groups by the cheapest bundle: shared components with what they open."""
    paid = np.zeros(len(costs), dtype=bool)
    left = list(range(len(needs)))
    chosen: list[int] = []
    while left:
        bundle = _cheapest_bundle(needs, costs, paid, left)
        for group in bundle:
            paid |= needs[group]
            left.remove(group)
        chosen.extend(bundle)
    return chosen


def _cheapest_bundle(
    needs: NDArray, costs: NDArray, paid: Mask, left: list[int]
) -> list[int]:
    """Return the groups of least cost per group that one shared set opens."""
    wanted = needs[left]
    # Components that one group alone still needs are that group's own price.
    is_shared = (wanted.sum(axis=0) > 1) & ~paid
    own = (wanted & ~is_shared & ~paid) @ costs
    best_rate, best = np.inf, [left[0]]
    for shared in np.unique(wanted & is_shared, axis=0):
        # What this set opens: groups that need no shared component outside of it.
        opened = np.flatnonzero(~(wanted & is_shared & ~shared).any(axis=1))
        by_cost = opened[np.argsort(own[opened], kind="stable")]
        spent = shared @ costs + np.cumsum(own[by_cost])
        # Of k groups those with the cheapest own parts cost least per group.
        rates = spent / np.arange(1, len(by_cost) + 1)
        # Of equal rates the larger bundle.
        most = len(rates) - 1 - int(np.argmin(rates[::-1]))
        if rates[most] < best_rate:
            best_rate, best = rates[most], [left[g] for g in by_cost[: most + 1]]
    return best
