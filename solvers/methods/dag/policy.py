"""Gates, trained from the last state back to the first: tournaments of classifiers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ...decisions.decision import called
from ...numerics.arrays import Floats, Integers, Mask
from ...numerics.distinct_rows import DistinctRows
from ...numerics.ridge_logistic import LogisticModel, fit_logistic
from .states import StateGraph, StateScores, leads


def gate_inputs(X: Floats, scores: Floats) -> Floats:
    """Return what a gate sees of rows: their features, and how sure the score is.

    Shapes: `X` (n_rows, n_known), `scores` (n_rows,) -> (n_rows, n_known + 4). Of more
    than two classes `scores` (n_rows, n_classes) -> (n_rows, n_known + n_classes + 3):
    a row is as sure as its largest score leads.
    """
    if scores.ndim == 2:
        lead = leads(scores)
        return np.column_stack([X, scores, lead, lead**2, 1.0 / (1.0 + lead)])
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
        # All that depends on the number of classes: which of them is called.
        wrong = (called(held_out) != rows.codes).astype(float)
        costs = action_costs(graph, state, wrong, values, alpha)
        inputs = gate_inputs(rows.X[:, graph.supports[state]], held_out)
        gates[state] = FilterTree.fit(inputs, costs, rows.shares)
        # Of the action that the gate takes, not of the best one: gates are imperfect.
        values[state] = costs[index, gates[state].choose(inputs)]
    return [gates[state] for state in range(graph.n_states)]


# A tournament of weighted binary classifiers: the cheapest of several actions.


_Match: TypeAlias = Callable[[NDArray, NDArray], NDArray]

# Gates see few rows near the boundary; a little more ridge keeps them calm.
_RIDGE = 1e-3


@dataclass(frozen=True, eq=False)
class FilterTree:
    """Chooses an action for each row."""

    n_actions: int  # Number of actions
    # In the order of the tournament: log-odds that the second of two is chosen
    matches: tuple[LogisticModel, ...]
    # The action of every row, where no match does better; -1 otherwise
    constant: int = -1

    @classmethod
    def fit(cls, inputs: Floats, costs: Floats, shares: Floats) -> FilterTree:
        """Train each match on the winners of those before, worth the difference.

        Shapes: `inputs` (n_rows, n_inputs), `costs` (n_rows, n_actions), `shares`
        (n_rows,).
        The best constant action where the tournament is not better than that.
        """
        rows = np.arange(len(costs))
        matches: list[LogisticModel] = []

        def play(first: NDArray, second: NDArray) -> Mask:
            # Each row's match is worth what the wrong winner would cost it more.
            gain = costs[rows, first] - costs[rows, second]
            matches.append(_match(inputs, gain, shares))
            return matches[-1].odds(inputs) > 0

        n_actions = costs.shape[1]
        chosen = _tournament(len(rows), n_actions, play)
        constants = shares @ costs
        if shares @ costs[rows, chosen] >= constants.min():
            return cls(n_actions, (), int(np.argmin(constants)))
        return cls(n_actions, tuple(matches))

    def choose(self, inputs: Floats) -> Integers:
        """Return the action of each row, (n_rows, n_inputs) -> (n_rows,)."""
        if self.constant >= 0:
            return np.full(len(inputs), self.constant)
        matches = iter(self.matches)
        return _tournament(
            len(inputs), self.n_actions, lambda *_: next(matches).odds(inputs) > 0
        )


def _tournament(n_rows: int, n_actions: int, play: _Match) -> Integers:
    """Return the winner of each row; `play` says where the second of two wins."""
    arms = [np.full(n_rows, action) for action in range(n_actions)]
    while len(arms) > 1:
        pairs = zip(arms[::2], arms[1::2], strict=False)
        winners = [np.where(play(one, other), other, one) for one, other in pairs]
        arms = winners + arms[len(arms) - len(arms) % 2 :]
    return arms[0]


def _match(inputs: NDArray, gain: NDArray, shares: NDArray) -> LogisticModel:
    """Return log-odds that the second action is the cheaper, by `gain`, one."""
    weights = shares * np.abs(gain)
    if not (weights > 0).any():
        return LogisticModel(np.zeros(inputs.shape[1]), -1.0)
    return fit_logistic(inputs, np.where(gain > 0, 1.0, -1.0), weights, _RIDGE)
