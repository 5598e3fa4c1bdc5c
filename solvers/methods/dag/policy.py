"""Gates, trained from the last state back to the first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from ...numerics.arrays import Floats
from ...numerics.distinct_rows import DistinctRows
from .filter_tree import FilterTree
from .scores import StateScores
from .states import StateGraph


def gate_inputs(X: Floats, scores: Floats) -> Floats:
    """Return what a gate sees of rows: their features, and how sure the score is.

    Shapes: `X` (n_rows, n_known), `scores` (n_rows,) -> (n_rows, n_known + 4).
    """
    # A linear gate on scores alone cannot say "near the boundary".
    size = np.abs(scores)
    return np.column_stack([X, scores, size, size**2, 1.0 / (1.0 + size)])


def action_costs(
    graph: StateGraph,
    state: int,
    errors: Floats,
    values: Mapping[int, Floats],
    alpha: float,
) -> Floats:
    """Return what stopping at a state, or going on to each child, costs each row.

    Shapes: `errors` (n_rows,), `values` (n_rows,) -> (n_rows, 1 + n_children).
    """
    onward = [
        # λ c(child | state) + V(child).
        alpha * (graph.costs[child] - graph.costs[state]) + values[child]
        for child in graph.children[state]
    ]
    return np.column_stack([errors, *onward])


def train_policy(
    graph: StateGraph, scores: Sequence[StateScores], rows: DistinctRows, alpha: float
) -> list[FilterTree]:
    """Return a gate for each state; its first action is to stop."""
    values: dict[int, Floats] = {}
    gates: dict[int, FilterTree] = {}
    index = np.arange(rows.n_rows)
    for state in reversed(range(graph.n_states)):
        held_out = scores[state].held_out
        # Dynamic programming: children come later, so their values are known.
        wrong = (np.where(held_out > 0, 1.0, -1.0) != rows.signs).astype(float)
        costs = action_costs(graph, state, wrong, values, alpha)
        inputs = gate_inputs(rows.X[:, graph.supports[state]], held_out)
        gates[state] = FilterTree.fit(inputs, costs, rows.shares)
        # Of the action that the gate takes, not of the best one: gates are imperfect.
        values[state] = costs[index, gates[state].choose(inputs)]
    return [gates[state] for state in range(graph.n_states)]
