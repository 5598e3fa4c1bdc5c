"""The estimators keep scikit-learn's contract and ours, and take over certificates."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.estimator_checks import check_estimator

from solvers.methods.selective_ridge import (
    SelectiveRidgeClassifier,
    SelectiveRidgeRegressor,
)
from tests.methods.selective_ridge.estimators import both


# The classifier as it is by itself: in `tests.methods.test_contract`.
@pytest.mark.parametrize(
    "estimator",
    [
        SelectiveRidgeClassifier(loss="logistic", mu=3.0),
        SelectiveRidgeRegressor(mu=3.0),
    ],
    ids=repr,
)
def test_scikit_learn_contract(estimator):
    check_estimator(estimator, on_skip=None)


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


@both
def test_ridge_features_have_coefficients_from_the_dual(table, kind):
    X, y, _ = table
    model = kind(mu=0.2, tol=1e-9, standardise=False).fit(X, y)
    ridge = model.feature_states_ == "ridge"
    assert ridge.any()
    expected = (X.T @ model.dual_coef_)[ridge]
    assert np.ravel(model.coef_)[ridge] == pytest.approx(expected, abs=1e-6)


@both
def test_objective_is_that_of_the_coefficients(table, kind):
    X, y, _ = table
    model = kind(gamma=2.0, mu=0.4, standardise=False).fit(X, y)
    coef = np.ravel(model.coef_)
    sizes = np.abs(coef)
    penalty = np.where(sizes <= 0.4, 0.8 * sizes, 0.16 + sizes**2).sum()
    decisions = X @ coef + np.ravel(model.intercept_)[0]
    if kind is SelectiveRidgeRegressor:
        losses = (y - decisions) ** 2
    else:
        losses = np.maximum(0, 1 - np.where(y == 1, 1, -1) * decisions)
    assert model.objective_ == pytest.approx(2.0 * penalty + losses.sum())


@both
def test_rows_of_weight_zero_have_no_dual(table, kind):
    X, y, _ = table
    weights = np.ones(80)
    weights[:10] = 0
    model = kind().fit(X, y, sample_weight=weights)
    assert model.dual_coef_.shape == (80,)
    assert not model.dual_coef_[:10].any()


@both
def test_the_published_algorithm_warns_of_its_gap(table, kind):
    X, y, _ = table
    model = kind(mu=3.0, algorithm="published")
    with pytest.warns(ConvergenceWarning, match="published algorithm stopped at a rel"):
        model.fit(X, y)
    assert model.duality_gap_ > kind(mu=3.0).fit(X, y).duality_gap_


pytestmark = pytest.mark.kernels


def test_the_regressor_solves_the_problem_of_scaled_columns(cancer):
    X, y = cancer
    scaled = (X - X.mean(axis=0)) / X.std(axis=0)
    ours = SelectiveRidgeRegressor(mu=0.3).fit(X, y)
    theirs = SelectiveRidgeRegressor(mu=0.3, standardise=False).fit(scaled, y)
    assert ours.predict(X) == pytest.approx(theirs.predict(scaled), abs=1e-5)
