"""Rows are parted by a cheap feature where two models beat one, and only there."""

import numpy as np
import pytest
from sklearn.linear_model import Ridge

from solvers import FeatureHypergraph
from solvers.methods.hypergraph_cascade.routing import (
    FeatureCut,
    Moments,
    RoutingTree,
    grow_tree,
    paid_components,
    ridge_error,
    standardised,
    total_spread,
)
from solvers.methods.hypergraph_cascade.rows import WeightedRows
from tests.each import each


def _random_rows(n_classes=2, n=120):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((n, 4)) * [1.0, 100.0, 0.01, 1.0] + [0.0, 1e4, 0.0, 0.0]
    labels = rng.integers(0, n_classes, n)
    X[:, 0] += labels
    X[:, 3] = np.arange(n) >= n // 2  # constant in the first half
    return WeightedRows(X, labels, rng.uniform(0.5, 2.0, n), n_classes)


def _moments(rows, chosen):
    table = standardised(rows)[chosen]
    return Moments.of(table, rows.weights[chosen], rows.X.shape[1])


def _by_rows(rows, train, test):
    """The same error by scikit-learn, columns of variance one in training."""
    table, codes = standardised(rows)[:, :4], np.eye(rows.n_classes)[rows.labels]
    w = rows.weights[train]
    centre = np.average(table[train], axis=0, weights=w)
    scale = np.sqrt(np.average((table[train] - centre) ** 2, axis=0, weights=w))
    scaled = (table - centre) / np.where(scale > 1e-6, scale, np.inf)
    fitted = Ridge(alpha=1e-3 * w.sum())
    fitted.fit(scaled[train], codes[train], sample_weight=w)
    errors = ((codes[test] - fitted.predict(scaled[test])) ** 2).sum(axis=1)
    return rows.weights[test] @ errors


@each("n_classes", [2, 3])
@each("part", ["all", "half"])
def test_the_error_of_a_ridge_fit_is_that_of_scikit_learn(n_classes, part):
    rows = _random_rows(n_classes)
    here = np.arange(len(rows.labels)) < (120 if part == "all" else 60)
    test = np.arange(len(rows.labels)) % 3 == 0
    found = ridge_error(_moments(rows, here & ~test), _moments(rows, here & test))
    assert found == pytest.approx(_by_rows(rows, here & ~test, here & test))


def test_what_is_left_of_all_rows_are_the_moments_of_the_others():
    rows = _random_rows()
    here = rows.X[:, 0] > 0
    left = _moments(rows, slice(None)) - _moments(rows, here)
    others = _moments(rows, ~here)
    assert left.mass == pytest.approx(others.mass)
    assert left.mean == pytest.approx(others.mean)
    assert left.products == pytest.approx(others.products)


def test_the_spread_is_the_error_of_the_shares_of_the_classes():
    rows = _random_rows(3)
    codes = np.eye(3)[rows.labels]
    distances = (codes - rows.shares @ codes) ** 2
    wanted = rows.weights @ distances.sum(axis=1)
    assert total_spread(_moments(rows, slice(None))) == pytest.approx(wanted)


def test_a_constant_column_is_none_of_use():
    rows = _random_rows()
    rows.X[:, 1] = 1e4 / 3  # a mean of it is rounded
    assert np.abs(standardised(rows)[:, 1]).max() < 1e-6


# x0 is cheap, the others are not.
PRICES = FeatureHypergraph.independent([1.0, 20.0, 20.0, 20.0])


def _rows(make_label, n=600, seed=0):
    X = np.random.default_rng(seed).standard_normal((n, 4))
    return WeightedRows(X, make_label(X).astype(int), np.ones(n), 2)


def _regimes(switch):
    """Below 0 of one feature x1 decides, above it the opposite of x1."""
    return lambda X: np.where(X[:, switch] < 0, X[:, 1], -X[:, 1]) > 0


def test_rows_are_parted_where_each_half_has_a_rule_of_its_own():
    tree = grow_tree(_rows(_regimes(0)), PRICES, 1, 0)
    assert tree.n_leaves == 2
    assert tree.splits[0].feature == 0
    assert abs(tree.splits[0].threshold) < 0.2
    assert tree.paths == ((0,), (0,))


@each(
    ("label", "depth"),
    [
        (_regimes(2), 1),  # the feature that parts them is not cheap
        (lambda X: X[:, 0] + X[:, 1] > 0, 1),  # one model is as good
        (lambda X: np.arange(len(X)) % 2, 2),  # noise
        (_regimes(0), 0),  # not asked for
    ],
    ids=["dear", "one rule", "noise", "no depth"],
)
def test_rows_stay_together(label, depth):
    tree = grow_tree(_rows(label), PRICES, depth, 0)
    assert tree.splits == ()
    assert tree.n_leaves == 1
    assert (tree.leaves(np.zeros((3, 4))) == 0).all()


def test_a_half_without_enough_rows_of_a_class_is_not_made():
    rows = _rows(_regimes(0), n=36)
    assert grow_tree(rows, PRICES, 1, 0).n_leaves == 1


def test_a_row_ends_at_the_leaf_that_its_cuts_lead_to():
    tree = RoutingTree(
        (FeatureCut(1, 0.5, -1, 1), FeatureCut(0, 2.0, -2, -3)),
        ((1,), (1, 0), (1, 0)),
    )
    X = np.array([[9.0, 0.5], [2.0, 0.6], [2.1, 0.6]])
    assert tree.leaves(X).tolist() == [0, 1, 2]


def test_only_features_on_a_row_s_way_are_looked_at():
    tree = RoutingTree(
        (FeatureCut(1, 0.5, -1, 1), FeatureCut(0, 2.0, -2, -3)),
        ((1,), (1, 0), (1, 0)),
    )
    assert tree.leaves(np.array([[np.nan, 0.1]])).tolist() == [0]


def test_a_path_names_a_feature_once_and_every_leaf_has_one():
    tree = grow_tree(_rows(_regimes(0), 2000), PRICES, 2, 0)
    for path in tree.paths:
        assert len(set(path)) == len(path)
    leaves = tree.leaves(_rows(_regimes(0), 500, seed=1).X)
    assert set(leaves.tolist()) == set(range(tree.n_leaves))


def test_what_is_computed_pays_for_its_components():
    shared = FeatureHypergraph([[1, 1, 0], [0, 1, 0], [0, 0, 1]], [1.0, 2.0, 3.0])
    assert paid_components(shared, [1]).tolist() == [True, True, False]
    assert not paid_components(shared, []).any()
