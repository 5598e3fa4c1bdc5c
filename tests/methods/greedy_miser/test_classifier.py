"""Greedy Miser splits where the gain is worth the price, and pays once."""

import numpy as np
import pytest
from sklearn.tree import DecisionTreeRegressor

from solvers import FeatureHypergraph
from solvers.errors import KnobError
from solvers.methods.greedy_miser import GreedyMiserClassifier
from solvers.methods.greedy_miser.prices import FallingCosts
from solvers.methods.greedy_miser.trees import BinnedTable, grow_tree, split_gains
from tests.methods.tables import random_problem

# Labels +1 +1 +1 -1 -1 -1. The first feature parts them without error: from a squared
# error of 1 to 0. The second misses one row on each side: means are +-1/3, and the gain
# is 1/9. The third is constant and free.
HAND_X = np.array(
    [[0, 0, 1], [0, 0, 1], [0, 1, 1], [1, 0, 1], [1, 1, 1], [1, 1, 1]], dtype=float
)
HAND_SIGNS = np.array([1.0, 1.0, 1.0, -1.0, -1.0, -1.0])
HAND = FeatureHypergraph(
    [[1, 0, 0], [0, 1, 0], [1, 1, 0], [0, 0, 1]], [5.0, 1.0, 1.0, 0.0]
)


def hand_tree(alpha, levels=1, share=True, update="split"):
    shares = np.full(6, 1 / 6)
    prices = FallingCosts(HAND, share, update)
    table = BinnedTable(HAND_X, shares, 4)
    return grow_tree(table, HAND_SIGNS, prices, alpha, levels, 1 / 6), prices


# --------------------------------------------------------------------------- the rule


def test_gains_are_those_computed_by_hand():
    table = BinnedTable(HAND_X, np.full(6, 1 / 6), 4)
    here = np.zeros(6, dtype=int)
    gains = split_gains(
        table.sums(table.shares, here, 1),
        table.sums(table.shares * HAND_SIGNS, here, 1),
        1 / 6,
    )
    assert gains[0, :, 0] == pytest.approx([1.0, 1 / 9, -np.inf])


@pytest.mark.parametrize(
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


def test_shared_components_are_paid_once():
    prices = FallingCosts(HAND, True, "split")
    assert prices.current.tolist() == [6.0, 2.0, 0.0]
    prices.buy(0)
    assert prices.current.tolist() == [0.0, 1.0, 0.0]


def test_without_sharing_a_feature_keeps_its_price():
    prices = FallingCosts(HAND, False, "split")
    prices.buy(0)
    assert prices.current.tolist() == [0.0, 2.0, 0.0]


def test_as_published_prices_fall_after_the_tree():
    prices = FallingCosts(HAND, True, "tree")
    prices.buy(0)
    assert prices.current.tolist() == [6.0, 2.0, 0.0]
    prices.end_tree()
    assert prices.current.tolist() == [0.0, 1.0, 0.0]


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


# ----------------------------------------------------------------------------- method


def test_an_ensemble_adds_up_its_trees_one_row_at_a_time():
    X, y, hypergraph = random_problem(0, n_samples=80)
    model = GreedyMiserClassifier(hypergraph, n_estimators=20).fit(X, y)
    expected = np.full(len(X), model.base_)
    for row, x in enumerate(X):
        for tree in range(model.n_iter_):
            node = 0
            while node < 7:
                feature = model.tree_features_[tree, node]
                right = x[feature] > model.tree_thresholds_[tree, node]
                node = 2 * node + (2 if feature >= 0 and right else 1)
            expected[row] += model.tree_values_[tree, node - 7]
    assert model.decision_function(X) == pytest.approx(expected)


def test_a_row_may_pay_for_its_own_ways_alone():
    X, y, hypergraph = random_problem(0, n_features=6, n_samples=80)
    model = GreedyMiserClassifier(hypergraph, n_estimators=3, charge="ways").fit(X, y)
    asked = np.zeros(X.shape, dtype=bool)
    for row, x in enumerate(X):
        for tree in range(model.n_iter_):
            node = 0
            while node < 7:
                feature = model.tree_features_[tree, node]
                asked[row, feature] |= feature >= 0
                right = x[feature] > model.tree_thresholds_[tree, node]
                node = 2 * node + (2 if right else 1)
    assert np.array_equal(model.acquired_features(X), asked)
    assert not asked.all(axis=0).all()
    hidden = np.where(asked, X, 1e3)
    assert np.array_equal(model.decision_function(hidden), model.decision_function(X))
    everybody = model.set_params(charge="ensemble").acquired_features(X)
    assert np.array_equal(everybody[0], model.support_)


@pytest.mark.parametrize("loss", ["squared", "logistic"])
def test_each_tree_lowers_the_loss(loss):
    X, y, hypergraph = random_problem(1, n_samples=150)
    losses = []
    for n_estimators in (1, 5, 20):
        model = GreedyMiserClassifier(
            hypergraph, cost_weight=0.0, n_estimators=n_estimators, loss=loss
        ).fit(X, y)
        decisions = model.decision_function(X)
        margins = y * decisions
        squared = loss == "squared"
        values = (y - decisions) ** 2 if squared else np.logaddexp(0, -margins)
        losses.append(values.mean())
    assert losses[0] > losses[1] > losses[2]


def test_the_start_is_the_best_constant():
    X, _, _ = random_problem(1)
    y = np.resize([1, 1, 1, -1], len(X))
    dear = {"cost_weight": 1e9, "n_estimators": 1}
    squared = GreedyMiserClassifier(**dear).fit(X, y)
    logistic = GreedyMiserClassifier(**dear, loss="logistic").fit(X, y)
    assert squared.decision_function(X) == pytest.approx(np.full(len(X), 0.5))
    assert logistic.decision_function(X) == pytest.approx(np.full(len(X), np.log(3)))


def test_the_path_goes_from_one_feature_to_many():
    X, y, hypergraph = random_problem(3, n_features=8, n_samples=300)
    models = list(GreedyMiserClassifier(hypergraph, n_estimators=16).path(X, y))
    assert models[0].support_.sum() == 1
    assert models[-1].support_.sum() > 5
    assert models[-1].cost_weight == 0.0
    assert len(models) <= 80


def test_the_path_of_free_features_is_one_run():
    X, y, _ = random_problem(3)
    free = FeatureHypergraph.independent(np.zeros(4))
    models = list(GreedyMiserClassifier(free, n_estimators=16).path(X, y))
    assert [model.n_estimators for model in models] == list(range(2, 17, 2))


def test_a_model_of_the_path_is_what_its_parameters_train():
    X, y, hypergraph = random_problem(4, n_samples=200)
    models = list(GreedyMiserClassifier(hypergraph, n_estimators=16).path(X, y))
    for model in models[::7]:
        afresh = GreedyMiserClassifier(**model.get_params(deep=False)).fit(X, y)
        assert np.array_equal(afresh.decision_function(X), model.decision_function(X))


def test_the_unit_of_costs_changes_nothing():
    X, y, hypergraph = random_problem(5, n_samples=150)
    other = FeatureHypergraph(hypergraph.incidence, 1024 * hypergraph.component_costs)
    first = GreedyMiserClassifier(hypergraph, n_estimators=30).fit(X, y)
    second = GreedyMiserClassifier(other, n_estimators=30).fit(X, y)
    assert np.allclose(first.decision_function(X), second.decision_function(X))


def test_parameters_out_of_range_are_refused():
    X, y, _ = random_problem(0)
    with pytest.raises(KnobError, match="levels is 0; Levels of a tree lies"):
        GreedyMiserClassifier(levels=0).fit(X, y)
    with pytest.raises(KnobError, match="loss is 'hinge'; Loss is one of"):
        GreedyMiserClassifier(loss="hinge").path(X, y)


def test_permuting_features_permutes_the_answer():
    X, y, hypergraph = random_problem(6, n_features=5, n_samples=150)
    order = np.random.default_rng(0).permutation(5)
    other = FeatureHypergraph(
        hypergraph.incidence.toarray()[:, order], hypergraph.component_costs
    )
    first = GreedyMiserClassifier(hypergraph, n_estimators=30).fit(X, y)
    second = GreedyMiserClassifier(other, n_estimators=30).fit(X[:, order], y)
    assert np.array_equal(first.support_[order], second.support_)
    permuted = second.decision_function(X[:, order])
    assert permuted == pytest.approx(first.decision_function(X))
