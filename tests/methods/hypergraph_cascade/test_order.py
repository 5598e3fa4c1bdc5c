"""The order of purchases, and where stages end."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from solvers import FeatureHypergraph
from solvers.methods.hypergraph_cascade.order import (
    Purchases,
    block_order,
    forward_order,
)
from solvers.methods.hypergraph_cascade.rows import ExpandedColumns, distinct_rows
from solvers.methods.hypergraph_cascade.stages import stage_plan
from solvers.numerics.forward import forward_order as by_residuals
from solvers.numerics.logistic import LogisticLoss
from tests.each import each
from tests.methods.tables import random_problem


def purchases(X, y, hypergraph, **options):
    rows = distinct_rows(X, (y > 0).astype(int), np.ones(len(y)))
    needs = sparse.csr_array(hypergraph.incidence.T, dtype=float)
    return Purchases(rows.X, rows, needs, hypergraph.component_costs, **options)


@each("seed", range(8))
def test_exact_order_is_that_of_forward_selection(seed):
    X, y, hypergraph = random_problem(seed, n_features=7, n_samples=80)
    found = forward_order(purchases(X, y, hypergraph, is_exact=True))
    loss = LogisticLoss.from_rows(X, y.astype(float), np.ones(len(y)))
    incidence = sparse.csr_array(hypergraph.incidence, dtype=float)
    expected = list(by_residuals(loss, incidence, hypergraph.component_costs))
    assert found.columns.tolist() == [feature for feature, _ in expected]
    assert np.diff(found.spent, prepend=0) == pytest.approx([p for _, p in expected])


def test_gains_are_those_of_least_squares():
    X, y, hypergraph = random_problem(3, n_features=5, n_samples=60)
    buying = purchases(X, y, hypergraph, is_exact=True)
    buying.buy(2)
    buying.buy(0)

    def rest(chosen):
        table = np.column_stack([X[:, chosen], np.ones(len(X))])
        return np.linalg.lstsq(table, y.astype(float))[1][0] / len(X)

    gains = buying.gains()
    for j in (1, 3, 4):
        assert gains[j] == pytest.approx(rest([2, 0]) - rest([2, 0, j]))


@each("order", [forward_order, block_order])
@given(seed=st.integers(0, 10_000))
@settings(max_examples=25, deadline=None)
def test_what_is_spent_is_the_cost_of_what_is_bought(order, seed):
    X, y, hypergraph = random_problem(seed, n_features=6, n_samples=40)
    found = order(purchases(X, y, hypergraph))
    assert len(set(found.columns.tolist())) == len(found.columns)
    for k, spent in enumerate(found.spent):
        assert spent == pytest.approx(hypergraph.cost(found.columns[: k + 1]))


def test_a_free_feature_is_bought_first():
    X, y, _ = random_problem(1, n_features=4)
    costs = FeatureHypergraph.independent([1.0, 2.0, 0.0, 1.0])
    found = forward_order(purchases(X, y, costs))
    assert found.columns[0] == 2
    assert stage_plan(found, 25).ends[0] == 1


def test_a_constant_feature_is_never_bought():
    X, y, hypergraph = random_problem(2, n_features=4)
    X[:, 1] = 3.0
    assert 1 not in forward_order(purchases(X, y, hypergraph)).columns


def readers():
    """Two readers of three features each, of which the dearer one's are better."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((2000, 7))
    y = np.where(X @ [2, 2, 2, 0.1, 0.1, 0.1, 0.8] > 0, 1, -1)
    needs = [[1, 1, 1, 0, 0, 0, 0], [0, 0, 0, 1, 1, 1, 0]]
    incidence = np.vstack([needs, np.eye(7)])
    return X, y, FeatureHypergraph(incidence, [10.0, 10.0, *[0.1] * 6, 1.0])


def test_a_block_is_bought_whole():
    order = block_order(purchases(*readers()))
    plan = stage_plan(order, 1000)
    bought = [frozenset(plan.bought(stage).tolist()) for stage in range(plan.n_stages)]
    together = [found & {0, 1, 2} for found in bought]
    assert set(together) == {frozenset(), frozenset({0, 1, 2})}


def test_a_dear_block_is_foreseen_where_single_features_are_not():
    X, y, hypergraph = readers()
    by_one = forward_order(purchases(X, y, hypergraph)).columns.tolist()
    by_block = block_order(purchases(X, y, hypergraph)).columns.tolist()
    assert by_one[0] == 6
    assert set(by_block[:3]) == {0, 1, 2}


def test_stages_end_where_the_cost_has_grown_enough():
    X, y, _ = random_problem(0, n_features=8, n_samples=200)
    order = forward_order(purchases(X, y, FeatureHypergraph.independent(np.ones(8))))
    assert stage_plan(order, 4).costs.tolist() == [0, 1, 3, 5, 7, 8]
    assert stage_plan(order, None).costs.tolist() == list(range(9))


def test_costs_on_the_way_to_a_leaf_are_paid_at_the_first_stage():
    X, y, hypergraph = random_problem(0)
    order = forward_order(purchases(X, y, hypergraph))
    assert stage_plan(order, 5, prepaid=2.0).costs[0] == 2.0


def test_expanded_columns_need_what_their_feature_needs():
    X, y, _ = random_problem(4, n_features=3)
    rows = distinct_rows(X, (y > 0).astype(int), np.ones(len(y)))
    columns = ExpandedColumns.expanded(rows)
    table = columns.table(X, np.arange(12))
    for column, feature in enumerate(columns.parents):
        disturbed = X.copy()
        disturbed[:, np.arange(3) != feature] += 100.0
        again = columns.table(disturbed, np.arange(12))
        assert np.array_equal(again[:, column], table[:, column])


def test_copies_of_a_row_are_one_row_of_their_weight():
    X = np.array([[1.0, 2.0], [0.0, 1.0], [1.0, 2.0]])
    rows = distinct_rows(X, np.array([1, 0, 1]), np.array([1.0, 2.0, 0.5]))
    assert rows.X.tolist() == [[0.0, 1.0], [1.0, 2.0]]
    assert rows.weights.tolist() == [2.0, 1.5]
