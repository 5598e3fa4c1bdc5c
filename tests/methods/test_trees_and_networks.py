"""Forests and networks are those of scikit-learn, and pay for what they ask."""

from itertools import pairwise

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.ensemble import RandomForestClassifier as SklearnForest
from sklearn.neural_network import MLPClassifier

from solvers.methods.cegb import CEGBClassifier
from solvers.methods.neural_network import NeuralNetworkClassifier
from solvers.methods.random_forest import RandomForestClassifier
from tests.each import each
from tests.methods.tables import distinct, random_problem


@pytest.fixture(scope="module")
def problem():
    return random_problem(0, n_features=8, n_samples=300)


@each("method", [RandomForestClassifier, NeuralNetworkClassifier, CEGBClassifier])
def test_parameters_of_a_model_on_the_path_give_it_again(method, problem):
    X, y, hypergraph = problem
    models = list(method(hypergraph).path(X, y))
    assert len(models) > 5
    for model in models[::8]:
        again = clone(model).fit(X, y)
        assert np.array_equal(again.decision_function(X), model.decision_function(X))
        assert np.array_equal(again.acquired_features(X), model.acquired_features(X))


@each("method", [RandomForestClassifier, NeuralNetworkClassifier, CEGBClassifier])
def test_the_order_of_rows_does_not_matter(method, problem):
    X, y, hypergraph = problem
    order = np.random.default_rng(1).permutation(len(X))
    one = method(hypergraph).fit(X, y)
    other = method(hypergraph).fit(X[order], y[order])
    assert np.array_equal(one.decision_function(X), other.decision_function(X))


# ------------------------------------------------------------------------------ forests


def test_forest_is_that_of_scikit_learn(problem):
    X, y, hypergraph = problem
    rows, signs, weights = distinct(X, y)
    theirs = SklearnForest(60, random_state=3).fit(rows, signs > 0, weights)
    ours = RandomForestClassifier(hypergraph, random_state=3).fit(X, y)
    assert ours.predict_proba(X) == pytest.approx(theirs.predict_proba(X), abs=1e-12)


def test_forest_charges_for_the_ways_of_each_row(problem):
    X, y, hypergraph = problem
    rows, signs, weights = distinct(X, y)
    theirs = SklearnForest(7, max_depth=3, random_state=0)
    theirs.fit(rows, signs > 0, weights)
    asked = np.zeros(X.shape, dtype=bool)
    for grown in theirs.estimators_:
        for row, nodes in enumerate(grown.decision_path(X.astype(np.float32))):
            features = grown.tree_.feature[nodes.indices]
            asked[row, features[features >= 0]] = True
    ours = RandomForestClassifier(hypergraph, n_estimators=7, max_depth=3).fit(X, y)
    assert np.array_equal(ours.acquired_features(X), asked)


def test_rows_of_a_forest_pay_differently(problem):
    X, y, hypergraph = problem
    forest = RandomForestClassifier(hypergraph, n_estimators=3, max_depth=3).fit(X, y)
    assert len(np.unique(forest.prediction_cost(X))) > 1


# ----------------------------------------------------------------------------- networks


def test_network_is_that_of_scikit_learn(problem):
    X, y, hypergraph = problem
    rows, signs, _ = distinct(X, y)
    scaled = (rows - rows.mean(axis=0)) / rows.std(axis=0)
    theirs = MLPClassifier(
        (4,), solver="lbfgs", alpha=0.05 * len(y), max_iter=2000, random_state=0
    )
    theirs.fit(scaled, signs > 0)
    ours = NeuralNetworkClassifier(hypergraph, n_hidden=4, alpha=0.05, max_iter=2000)
    expected = theirs.predict_proba(scaled)
    assert ours.fit(X, y).predict_proba(rows) == pytest.approx(expected, abs=1e-3)


def test_network_without_a_budget_reads_every_feature(problem):
    X, y, hypergraph = problem
    model = NeuralNetworkClassifier(hypergraph).fit(X, y)
    assert model.support_.all()
    assert model.cost_ == pytest.approx(hypergraph.total_cost)


@each("share", [0.0, 0.3, 0.6, 1.0])
def test_network_keeps_its_budget(problem, share):
    X, y, hypergraph = problem
    budget = share * hypergraph.total_cost
    model = NeuralNetworkClassifier(hypergraph, budget=budget).fit(X, y)
    assert model.cost_ <= budget * (1 + 1e-9)


def test_networks_on_the_path_are_nested(problem):
    X, y, hypergraph = problem
    supports = [m.support_ for m in NeuralNetworkClassifier(hypergraph).path(X, y)]
    for few, many in pairwise(supports):
        assert (few <= many).all()
        assert few.sum() < many.sum()
