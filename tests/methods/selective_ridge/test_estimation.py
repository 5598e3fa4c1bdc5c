"""Classifier and regressor take over a fit with its certificate."""

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning

from solvers.methods.selective_ridge import SelectiveRidgeRegressor
from tests.methods.selective_ridge.estimators import both


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
