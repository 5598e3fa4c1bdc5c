"""Which features each state has computed, and where it may go from there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ...costs.budgets import room_of
from ...costs.hypergraph import FeatureHypergraph
from ...numerics.arrays import Floats, Integers, Mask
from ...numerics.distinct_rows import DistinctRows
from ...numerics.forward import forward_order
from ...numerics.logistic import LogisticLoss
from ...numerics.ridge_logistic import fit_logistic

# A row is covered where some state is right at such log-odds.
_MARGIN = 1.0
_FEWEST_ROWS = 10


@dataclass(frozen=True, eq=False)
class StateGraph:
    """States in an order in which ways only go forward; the first is the start."""

    supports: Mask  # (n_states, n_features) What each state has computed
    # Where each state may go; later states that have computed more
    children: tuple[tuple[int, ...], ...]
    hypergraph: FeatureHypergraph  # Prices of the features

    @property
    def n_states(self) -> int:
        """Number of states."""
        return len(self.children)

    @cached_property
    def costs(self) -> Floats:
        """What each state has paid, shape (n_states,)."""
        return np.array([self.hypergraph.cost(support) for support in self.supports])


def chain(groups: Sequence[NDArray], hypergraph: FeatureHypergraph) -> StateGraph:
    """Return states that add one group after the other.

    Shapes: `groups` (n_features,).
    `groups`: what is added; the first group is what the start has computed.
    """
    supports = [groups[0]]
    for group in groups[1:]:
        grown = supports[-1] | group
        if (grown != supports[-1]).any():
            supports.append(grown)
    last = len(supports) - 1
    children = tuple((k + 1,) if k < last else () for k in range(len(supports)))
    return StateGraph(np.array(supports), children, hypergraph)


def lattice(groups: Sequence[NDArray], hypergraph: FeatureHypergraph) -> StateGraph:
    """Return a state for every union of groups; each step adds one.

    Shapes: `groups` (n_features,).
    `groups`: what is added; the first group is what the start has computed.
    """
    start = groups[0]
    added = [group for group in groups[1:] if (group & ~start).any()]
    supports, children = [], []
    for union in range(2 ** len(added)):
        members = [group for bit, group in enumerate(added) if union >> bit & 1]
        supports.append(np.logical_or.reduce([start, *members]))
        children.append(
            tuple(union | 1 << bit for bit in range(len(added)) if not union >> bit & 1)
        )
    return StateGraph(np.array(supports), tuple(children), hypergraph)


def prefix_within(
    order: Integers, hypergraph: FeatureHypergraph, budget: float
) -> Mask:
    """Return the longest prefix of an order that costs no more than a budget.

    Shape: (n_features,).
    `budget`: in the hypergraph's unit.
    """
    kept = np.zeros(hypergraph.n_features, dtype=bool)
    for feature in order:
        grown = kept.copy()
        grown[feature] = True
        if hypergraph.cost(grown) > room_of(budget):
            return kept
        kept = grown
    return kept


def greedy_order(
    rows: DistinctRows,
    hypergraph: FeatureHypergraph,
    paid: Mask | None = None,
    budget: float = np.inf,
) -> Integers:
    """Return features by what they explain for what they add to the cost.

    Shapes: `paid` (n_components,).
    """
    loss = LogisticLoss.from_rows(rows.X, rows.signs, rows.shares)
    costs = hypergraph.component_costs
    if paid is not None:
        costs = np.where(paid, 0.0, costs)
    order = forward_order(loss, hypergraph.incidence, costs, budget)
    return np.array([feature for feature, _ in order], dtype=int)


def increments_by_cover(
    rows: DistinctRows,
    hypergraph: FeatureHypergraph,
    start: Mask,
    n_increments: int,
    budget: float,
) -> list[Mask]:
    """Return sets of features, each for the rows that none before is sure about.

    Shapes: `start` (n_features,) -> (n_features,).
    """
    paid = hypergraph.required_components(start)
    covered = _is_sure(rows, start)
    increments: list[Mask] = []
    while len(increments) < n_increments:
        left = rows.signs[~covered]
        if len(left) < _FEWEST_ROWS or np.ptp(left) == 0:
            break
        chosen = np.zeros(hypergraph.n_features, dtype=bool)
        chosen[greedy_order(rows.part(~covered), hypergraph, paid, budget)] = True
        increments.append(chosen & ~start)
        covered |= _is_sure(rows, start | chosen)
    return increments


def _is_sure(rows: DistinctRows, support: Mask) -> Mask:
    """Return which rows a classifier on some features gets right with a margin."""
    model = fit_logistic(rows.X[:, support], rows.signs, rows.shares)
    return rows.signs * model.odds(rows.X[:, support]) >= _MARGIN
