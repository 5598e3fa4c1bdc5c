"""States: unions of groups, what they add and what they cost."""

import numpy as np

from solvers.datasets import make_regions
from solvers.methods.dag.states import (
    chain,
    greedy_order,
    increments_by_cover,
    lattice,
    prefix_within,
)
from solvers.numerics.distinct_rows import DistinctRows
from tests.methods.dag.groups import FIRST, NOTHING, PRICES, SECOND, THIRD
from tests.methods.tables import random_problem


def test_a_chain_adds_group_after_group():
    graph = chain([FIRST, SECOND, SECOND, THIRD], PRICES)
    assert graph.supports.tolist() == [
        [True, False, False],
        [True, True, False],
        [True, True, True],
    ]
    assert graph.children == ((1,), (2,), ())
    assert graph.costs.tolist() == [4.0, 4.5, 6.5]


def test_a_lattice_has_a_state_for_every_union():
    graph = lattice([NOTHING, FIRST, SECOND, THIRD], PRICES)
    assert graph.n_states == 8
    assert graph.costs.tolist() == [0.0, 4.0, 3.5, 4.5, 2.0, 6.0, 5.5, 6.5]
    for state, children in enumerate(graph.children):
        for child in children:
            assert child > state
            assert (graph.supports[state] <= graph.supports[child]).all()
            assert (graph.supports[state] ^ graph.supports[child]).sum() == 1


def test_a_prefix_is_the_longest_within_the_budget():
    order = np.array([0, 1, 2])
    found = [prefix_within(order, PRICES, budget).sum() for budget in (3.9, 4, 4.5, 7)]
    assert found == [0, 1, 2, 3]


def test_an_order_takes_what_is_paid_first():
    X, y, _ = random_problem(0, n_features=3, n_samples=200)
    rows = DistinctRows.of(X, y.astype(float), np.ones(len(y)))
    for feature in range(3):
        paid = PRICES.required_components([feature])
        assert greedy_order(rows, PRICES, paid)[0] == feature


def test_increments_are_for_rows_that_are_not_covered():
    data = make_regions(n_samples=1500)
    rows = DistinctRows.of(data.X, data.y.astype(float), np.ones(1500))
    start = data.hypergraph.feature_mask([f"a{j}" for j in range(10)])
    found = increments_by_cover(rows, data.hypergraph, start, 1, 16.0)
    assert found[0][11:].sum() > 5  # the other half
    assert not (found[0] & start).any()
