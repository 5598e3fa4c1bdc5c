"""The estimators keep scikit-learn's contract and ours."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.utils.estimator_checks import check_estimator

from solvers import Dataset, all_methods, trace_frontier
from solvers.methods.selective_ridge import (
    SelectiveRidgeClassifier,
    SelectiveRidgeRegressor,
)
from tests.methods.selective_ridge.estimators import both


# The classifier as it is by itself: in `tests.methods.test_contract`.
@pytest.mark.parametrize(
    "estimator",
    [SelectiveRidgeClassifier(loss="logistic"), SelectiveRidgeRegressor()],
    ids=repr,
)
def test_scikit_learn_contract(estimator):
    check_estimator(estimator, on_skip=None)


def test_it_is_found_among_the_methods():
    assert all_methods()["selective_ridge"] is SelectiveRidgeClassifier


def test_labels_of_the_knobs():
    knobs = SelectiveRidgeClassifier.knobs
    assert knobs["mu"].label == "Selectivity μ"
    assert knobs["gamma"].label == "Ridge γ"
    assert SelectiveRidgeClassifier.title == "Selective ridge"
    assert SelectiveRidgeClassifier.path_knob == "mu"


@both
def test_a_feature_s_selectivity_is_the_root_of_its_cost(table, kind):
    X, y, prices = table
    by_cost = kind(mu=0.5, hypergraph=prices).fit(X, y)
    roots = np.sqrt([3.5, 3.0, 3.0, 2.5, 2.0, 2.0])
    by_weight = kind(mu=0.5, feature_weights=roots).fit(X, y)
    assert np.array_equal(by_cost.coef_, by_weight.coef_)


@both
def test_selected_features_are_charged_by_the_hypergraph(table, kind):
    X, y, prices = table
    model = kind(mu=3.0, hypergraph=prices).fit(X, y)
    assert 0 < model.support_.sum() < 6
    assert model.cost_ == prices.cost(model.support_)
    unpriced = kind(mu=3.0).fit(X, y)
    assert unpriced.cost_ == unpriced.support_.sum()


@both
def test_sparse_rows_predict_alike(table, kind):
    X, y, _ = table
    model = kind(mu=1.0).fit(sparse.csr_array(X), y)
    assert model.predict(sparse.csc_array(X)) == pytest.approx(model.predict(X))


def test_path_goes_from_cheap_to_dear_and_leaves_the_estimator_alone(table):
    X, y, prices = table
    estimator = SelectiveRidgeClassifier(hypergraph=prices)
    before = vars(estimator).copy()
    models = list(estimator.path(X, y))
    assert vars(estimator) == before
    costs = [float(model.prediction_cost(X).max()) for model in models]
    assert costs[0] == 0.0
    assert costs[-1] == prices.total_cost
    mus = [model.mu for model in models]
    assert mus == sorted(mus, reverse=True)


def test_a_frontier_can_be_traced(table):
    X, y, prices = table
    points = list(trace_frontier("selective_ridge", Dataset("table", X, y, prices)))
    assert max(point.scores["test"]["f1"] for point in points) > 0.7
    assert {"mu", "gamma", "loss"} <= set(points[0].params)
