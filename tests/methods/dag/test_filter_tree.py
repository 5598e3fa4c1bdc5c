"""A tournament of gates finds the cheapest action that can be seen."""

import numpy as np
import pytest

from solvers.methods.dag.filter_tree import FilterTree


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
