"""A split is taken where its gain is worth its price, and pays once."""

import numpy as np
import pytest
from sklearn.tree import DecisionTreeRegressor

from solvers import FeatureHypergraph
from solvers.methods.greedy_miser.trees import (
    BinnedTable,
    FallingCosts,
    grow_tree,
    split_gains,
)
from tests.each import each
from tests.methods.greedy_miser.by_hand import HAND

# Labels +1 +1 +1 -1 -1 -1. The first feature parts them without error: from a squared
# error of 1 to 0. The second misses one row on each side: means are +-1/3, and the gain
# is 1/9. The third is constant and free.
HAND_X = np.array(
    [[0, 0, 1], [0, 0, 1], [0, 1, 1], [1, 0, 1], [1, 1, 1], [1, 1, 1]], dtype=float
)

HAND_SIGNS = np.array([1.0, 1.0, 1.0, -1.0, -1.0, -1.0])


def hand_tree(alpha, levels=1, share=True, update="split"):
    shares = np.full(6, 1 / 6)
    prices = FallingCosts(HAND, share, update)
    table = BinnedTable(HAND_X, shares, 4)
    return grow_tree(table, HAND_SIGNS, prices, alpha, levels, 1 / 6), prices


def test_gains_are_those_computed_by_hand():
    table = BinnedTable(HAND_X, np.full(6, 1 / 6), 4)
    here = np.zeros(6, dtype=int)
    gains = split_gains(
        table.sums(table.shares, here, 1),
        table.sums(table.shares * HAND_SIGNS, here, 1),
        1 / 6,
    )
    assert gains[0, :, 0] == pytest.approx([1.0, 1 / 9, -np.inf])


@each(
    ("alpha", "feature"),
    [
        (0.0, 0),  # 1 - 0 against 1/9 - 0
        (0.16, 0),  # 1 - .96 = .04 against 1/9 - .32 < 0
        (0.17, -1),  # 1 - 1.02 < 0 and 1/9 - .34 < 0
    ],
)
def test_a_split_must_gain_more_than_its_price(alpha, feature):
    assert hand_tree(alpha)[0].features.tolist() == [feature]


def test_the_cheaper_feature_wins_where_the_difference_is_worth_it():
    prices = FallingCosts(FeatureHypergraph.independent([9.0, 0.5, 1.0]), True, "split")
    table = BinnedTable(HAND_X, np.full(6, 1 / 6), 4)
    tree = grow_tree(table, HAND_SIGNS, prices, 0.11, 1, 1 / 6)
    assert tree.features.tolist() == [1]  # 1/9 - .055 against 1 - .99


def test_a_split_sends_rows_above_the_threshold_right():
    tree, _ = hand_tree(0.0)
    assert tree.thresholds.tolist() == [0.0]
    assert tree.leaf.tolist() == [0, 0, 0, 1, 1, 1]


def test_the_node_that_gains_most_buys_first():
    # Below x0 both nodes can use x1, and gain .18 and .5. At a price between them the
    # second buys, and then the first splits for nothing.
    x0 = np.repeat([0.0, 1.0], 10)
    x1 = np.tile(np.repeat([0.0, 1.0], 5), 2)
    signs = np.where(x0 > 0, np.where(x1 > 0, 9.0, 7.0), np.where(x1 > 0, 0.6, -0.6))
    hypergraph = FeatureHypergraph.independent([0.0, 1.0])
    for alpha, splits in ((0.4, [0, 1, 1]), (0.6, [0, -1, -1])):
        table = BinnedTable(np.column_stack([x0, x1]), np.full(20, 1 / 20), 4)
        prices = FallingCosts(hypergraph, True, "split")
        tree = grow_tree(table, signs, prices, alpha, 2, 1 / 20)
        assert tree.features.tolist() == splits


def test_without_prices_a_tree_is_the_regression_tree():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 6, (80, 3)).astype(float)
    target = rng.standard_normal(80)
    free = FeatureHypergraph.independent(np.zeros(3))
    table = BinnedTable(X, np.full(80, 1 / 80), 80)
    tree = grow_tree(table, target, FallingCosts(free, True, "split"), 1.0, 3, 5 / 80)
    known = DecisionTreeRegressor(max_depth=3, min_samples_leaf=5).fit(X, target)
    means = np.bincount(tree.leaf, target, 8) / np.maximum(np.bincount(tree.leaf), 1)
    assert means[tree.leaf] == pytest.approx(known.predict(X))


def test_of_several_outputs_it_is_the_regression_tree_of_all_of_them():
    rng = np.random.default_rng(1)
    X = rng.integers(0, 6, (80, 3)).astype(float)
    targets = rng.standard_normal((80, 2))
    free = FallingCosts(FeatureHypergraph.independent(np.zeros(3)), True, "split")
    table = BinnedTable(X, np.full(80, 1 / 80), 80)
    tree = grow_tree(table, targets, free, 1.0, 3, 5 / 80)
    known = DecisionTreeRegressor(max_depth=3, min_samples_leaf=5).fit(X, targets)
    means = np.array([targets[tree.leaf == leaf].mean(axis=0) for leaf in tree.leaf])
    assert means == pytest.approx(known.predict(X))
    one = grow_tree(table, targets[:, :1], free, 1.0, 3, 5 / 80)
    same = grow_tree(table, targets[:, 0], free, 1.0, 3, 5 / 80)
    assert np.array_equal(one.leaf, same.leaf)
