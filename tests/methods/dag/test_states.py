"""States: unions of groups, what they cost, and scores by what rows did not train."""

import numpy as np
import pytest

from solvers.datasets import make_regions
from solvers.methods.dag import DAGClassifier
from solvers.methods.dag.states import (
    chain,
    greedy_order,
    increments_by_cover,
    lattice,
    prefix_within,
    train_state,
)
from solvers.numerics.distinct_rows import DistinctRows
from solvers.numerics.inner_folds import anew, deal_folds
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


def test_each_row_is_scored_by_what_it_did_not_train():
    X, y, _ = random_problem(3, n_samples=60)
    rows = DistinctRows.of(X, y.astype(float), np.ones(60))
    folds = deal_folds((rows.signs > 0).astype(int), 5, 0, freely=anew)
    known = train_state(rows, np.ones(4, dtype=bool), folds, None).held_out
    row = 7
    signs = rows.signs.copy()
    signs[row] *= -1
    flipped = DistinctRows(rows.X, signs, rows.shares)
    other = train_state(flipped, np.ones(4, dtype=bool), folds, None).held_out
    mates = folds == folds[row]
    assert other[mates] == pytest.approx(known[mates], abs=1e-6)
    assert np.abs(other - known)[~mates].max() > 1e-3


def test_two_distinct_rows_are_enough():
    X = np.repeat([[0.0, 1.0], [1.0, 1.0]], 20, axis=0)
    y = np.repeat(["no", "yes"], 20)
    model = DAGClassifier(base_budget=0.5, cost_weight=0.1).fit(X, y)
    assert model.predict(X).tolist() == y.tolist()
