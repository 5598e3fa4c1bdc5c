"""Networks within budgets: what they read, what they answer, and by which weights."""

import numpy as np
import pytest
from sklearn.datasets import load_wine
from sklearn.exceptions import ConvergenceWarning
from sklearn.neural_network import MLPClassifier

from solvers import FeatureHypergraph
from solvers.decisions.running import run
from solvers.methods.forward_selection import ForwardSelectionClassifier
from solvers.methods.neural_network import NeuralNetworkClassifier
from tests.methods.tables import random_problem

FAST = {"n_hidden": 3, "max_iter": 60}


@pytest.fixture(scope="module")
def problem():
    return random_problem(2, n_features=5, n_samples=100)


def test_a_decision_is_the_weighted_sum_of_rectified_hidden_units(problem):
    X, y, hypergraph = problem
    model = NeuralNetworkClassifier(hypergraph, **FAST).fit(X, y)
    for row, found in zip(X[:10], model.decision_function(X[:10]), strict=True):
        hidden = [
            max(0.0, row @ weights + intercept)
            for weights, intercept in zip(
                model.hidden_coef_.T, model.hidden_intercept_, strict=True
            )
        ]
        assert found == pytest.approx(hidden @ model.coef_ + model.intercept_)


def test_probabilities_are_the_logistic_function_of_the_decision(problem):
    X, y, hypergraph = problem
    model = NeuralNetworkClassifier(hypergraph, **FAST).fit(X, y)
    odds = model.decision_function(X)
    assert model.predict_proba(X)[:, 1] == pytest.approx(1 / (1 + np.exp(-odds)))


def test_a_budget_buys_what_forward_selection_buys_first(problem):
    X, y, hypergraph = problem
    path = ForwardSelectionClassifier(hypergraph).path(X, y)
    budget = next(m.cost_ for m in path if m.support_.sum() == 2)
    model = NeuralNetworkClassifier(hypergraph, budget=budget, **FAST).fit(X, y)
    greedy = ForwardSelectionClassifier(hypergraph, budget=budget).fit(X, y)
    assert set(np.flatnonzero(model.support_)) <= set(greedy.order_.tolist())
    assert model.cost_ <= budget * (1 + 1e-9)


def test_the_unit_of_a_column_changes_no_decision(problem):
    X, y, hypergraph = problem
    units = 2.0 ** np.array([-10, 0, 5, 14, 1])  # powers of two change no digit
    one = NeuralNetworkClassifier(hypergraph, **FAST).fit(X, y)
    other = NeuralNetworkClassifier(hypergraph, **FAST).fit(X * units, y)
    assert other.decision_function(X * units) == pytest.approx(
        one.decision_function(X), rel=1e-6
    )


def test_without_any_feature_the_prior_answers(problem):
    X, y, _ = problem
    dear = FeatureHypergraph.independent(np.ones(5))
    model = NeuralNetworkClassifier(dear, budget=0.0, **FAST).fit(X, y)
    share = (y == 1).mean()
    assert model.predict_proba(X)[:, 1] == pytest.approx(np.full(len(y), share))
    assert model.n_iter_ == 0
    assert not model.support_.any()


def test_free_features_are_read_even_without_a_budget():
    X, y, _ = random_problem(2, n_features=5, n_samples=100)
    free = FeatureHypergraph.independent([0.0, 1.0, 1.0, 1.0, 0.0])
    model = NeuralNetworkClassifier(free, budget=0.0, **FAST).fit(X, y)
    assert np.flatnonzero(model.support_).tolist() == [0, 4]


def test_a_weight_of_two_is_a_row_written_twice(problem):
    X, y, hypergraph = problem
    weights = np.where(np.arange(len(y)) % 3 == 0, 2, 1)
    twice = np.repeat(np.arange(len(y)), weights)
    weighed = NeuralNetworkClassifier(hypergraph, **FAST).fit(X, y, weights)
    written = NeuralNetworkClassifier(hypergraph, **FAST).fit(X[twice], y[twice])
    assert weighed.decision_function(X) == pytest.approx(
        written.decision_function(X), abs=1e-6
    )


def test_of_three_classes_it_is_scikit_learn_s_network_and_its_program_says_so():
    X, y = load_wine(return_X_y=True)
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    order = np.lexsort([*X.T, y])  # as distinct rows are sorted
    known = {"alpha": 1e-3 * len(y), "random_state": 0, "max_iter": 60}
    own = MLPClassifier((4,), solver="lbfgs", max_fun=600, **known)
    with pytest.warns(ConvergenceWarning):  # as is meant
        shares = own.fit(X[order], y[order]).predict_proba(X)
    model = NeuralNetworkClassifier(n_hidden=4, alpha=1e-3, max_iter=60).fit(X, y)
    assert model.predict_proba(X) == pytest.approx(shares, abs=1e-6)
    walked = run(model.program(), X, 3)
    assert walked.scores == pytest.approx(model.decision_function(X))
    assert walked.acquired.all()
    none = NeuralNetworkClassifier(budget=0.0).fit(X, y)
    assert none.predict_proba(X[:1])[0] == pytest.approx(np.bincount(y) / len(y))
