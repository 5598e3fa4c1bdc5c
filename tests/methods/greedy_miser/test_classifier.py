"""Greedy Miser splits where the gain is worth the price, and pays once."""

import numpy as np
import pytest
from sklearn.datasets import load_wine
from sklearn.tree import DecisionTreeRegressor

from solvers import FeatureHypergraph
from solvers.decisions.running import run
from solvers.errors import KnobError
from solvers.methods.greedy_miser import GreedyMiserClassifier
from tests.each import each
from tests.methods.tables import random_problem


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


@each("loss", ["squared", "logistic"])
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


@each("loss", ["squared", "logistic"])
def test_of_three_classes_a_split_is_paid_once_for_all(loss):
    X, y = load_wine(return_X_y=True)
    dear = {"cost_weight": 0.05, "n_estimators": 30, "loss": loss}
    model = GreedyMiserClassifier(**dear).fit(X, y)
    free = GreedyMiserClassifier(**dear | {"cost_weight": 0.0}).fit(X, y)
    assert model.cost_ < free.cost_
    assert model.score(X, y) > 0.95
    walked = run(model.program(), X, 3)
    assert walked.scores == pytest.approx(model.decision_function(X))
    assert np.array_equal(walked.acquired, model.acquired_features(X))


def test_of_three_classes_at_no_price_it_boosts_trees_of_all_outputs():
    X, y = load_wine(return_X_y=True)
    known = {"n_estimators": 6, "learning_rate": 0.5, "levels": 2, "min_leaf": 0.05}
    model = GreedyMiserClassifier(cost_weight=0.0, n_bins=512, **known).fit(X, y)
    # A class's score is half the product of its corner with what fits the corners:
    # the indicators of the classes, less a third.
    targets = np.eye(3)[y] - 1 / 3
    said = np.tile(targets.mean(axis=0), (len(X), 1))
    for _ in range(6):
        tree = DecisionTreeRegressor(max_depth=2, min_samples_leaf=0.05)
        said += 0.5 * tree.fit(X, targets - said).predict(X)
    assert model.decision_function(X) == pytest.approx(said, abs=1e-6)
