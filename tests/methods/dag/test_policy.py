"""A policy of gates is as good as the best way for everybody."""

from itertools import product

import numpy as np
import pytest

from solvers.methods.dag.policy import (
    FilterTree,
    action_costs,
    gate_inputs,
    train_policy,
)
from solvers.methods.dag.states import (
    StateScores,
    chain,
    lattice,
)
from solvers.numerics.distinct_rows import DistinctRows
from tests.methods.dag.groups import FIRST, NOTHING, PRICES, SECOND, THIRD


def small_world(seed, make):
    rng = np.random.default_rng(seed)
    X, signs = rng.standard_normal((10, 3)), np.resize([1.0, -1.0], 10)
    rows = DistinctRows.of(X, signs, rng.uniform(0.5, 2.0, 10))
    graph = make([NOTHING, FIRST, SECOND, THIRD], PRICES)
    scores = [StateScores(None, rng.standard_normal(10)) for _ in range(graph.n_states)]
    return graph, scores, rows


@pytest.mark.parametrize("make", [chain, lattice])
@pytest.mark.parametrize("seed", range(5))
def test_costs_of_actions_are_those_of_the_ways_that_follow(make, seed):
    graph, scores, rows = small_world(seed, make)
    alpha = 0.05
    gates = train_policy(graph, scores, rows, alpha)

    def stops_at(row, state):
        known = rows.X[row : row + 1, graph.supports[state]]
        inputs = gate_inputs(known, scores[state].held_out[row : row + 1])
        action = gates[state].choose(inputs)[0]
        return state if not action else stops_at(row, graph.children[state][action - 1])

    def risk(row, start, state):
        wrong = (scores[state].held_out[row] > 0) != (rows.signs[row] > 0)
        return wrong + alpha * (graph.costs[state] - graph.costs[start])

    for state, row in product(range(graph.n_states), range(rows.n_rows)):
        values = {
            child: np.array([risk(i, child, stops_at(i, child)) for i in range(10)])
            for child in graph.children[state]
        }
        errors = np.array([risk(i, state, state) for i in range(10)])
        found = action_costs(graph, state, errors, values, alpha)[row]
        ways = [state, *(stops_at(row, child) for child in graph.children[state])]
        assert found == pytest.approx([risk(row, state, end) for end in ways])


@pytest.mark.parametrize("make", [chain, lattice])
def test_the_policy_is_as_good_as_the_best_way_for_everybody(make):
    for seed in range(5):
        graph, scores, rows = small_world(seed, make)
        gates = train_policy(graph, scores, rows, 0.05)
        at = np.zeros(10, dtype=int)
        for state in range(graph.n_states):
            here = np.flatnonzero(at == state)
            known = rows.X[np.ix_(here, np.flatnonzero(graph.supports[state]))]
            chosen = gates[state].choose(
                gate_inputs(known, scores[state].held_out[here])
            )
            at[here] = np.array([state, *graph.children[state]])[chosen]
        held_out = np.array([score.held_out for score in scores])
        risks = ((held_out > 0) != (rows.signs > 0)) + 0.05 * graph.costs[:, None]
        ours = rows.shares @ risks[at, np.arange(10)]
        assert ours <= (risks @ rows.shares).min() + 1e-12


@pytest.mark.parametrize("n_actions", [2, 3, 4])
def test_a_tournament_finds_the_cheapest_action_where_it_can_be_seen(n_actions):
    rng = np.random.default_rng(0)
    best = rng.integers(0, n_actions, 300)
    costs = 1.0 + rng.random((300, n_actions))
    costs[np.arange(300), best] = 0.0
    seen = np.eye(n_actions)[best]
    tree = FilterTree.fit(seen, costs, np.full(300, 1 / 300))
    assert np.array_equal(tree.choose(seen), best)


def test_a_gate_that_sees_nothing_takes_the_best_constant():
    costs = np.array([[1.0, 0.2, 0.5], [0.0, 0.3, 0.5]])
    tree = FilterTree.fit(np.zeros((2, 1)), costs, np.array([0.5, 0.5]))
    assert tree.choose(np.zeros((3, 1))).tolist() == [1, 1, 1]


def test_a_gate_is_never_worse_than_the_best_constant():
    rng = np.random.default_rng(1)
    for _ in range(20):
        inputs, costs = rng.standard_normal((12, 2)), rng.exponential(1.0, (12, 3))
        shares = rng.dirichlet(np.ones(12))
        tree = FilterTree.fit(inputs, costs, shares)
        paid = shares @ costs[np.arange(12), tree.choose(inputs)]
        assert paid <= (shares @ costs).min() + 1e-12
