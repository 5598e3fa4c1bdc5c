"""Small logistic fits are those of scikit-learn, and always finite."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from solvers.numerics.ridge_logistic import fit_logistic
from tests.each import each

pytestmark = pytest.mark.kernels


@pytest.fixture
def table():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((200, 3)) * [1.0, 100.0, 0.01] + [0.0, 1e4, 3.0]
    signs = np.where(X[:, 0] + rng.standard_normal(200) > 0.3, 1.0, -1.0)
    return X, signs, rng.uniform(0.5, 2.0, 200)


def test_it_is_ridge_logistic_regression_on_standardised_columns(table):
    X, signs, weights = table
    ridge = 1e-2
    shares = weights / weights.sum()
    centre = shares @ X
    scaled = (X - centre) / np.sqrt(shares @ (X - centre) ** 2)
    known = LogisticRegression(C=1.0 / ridge, tol=1e-10, solver="newton-cholesky")
    known.fit(scaled, signs, sample_weight=shares)
    found = fit_logistic(X, signs, weights, ridge)
    assert found.odds(X) == pytest.approx(known.decision_function(scaled), abs=1e-6)


def test_where_it_begins_does_not_matter(table):
    X, signs, weights = table
    other = fit_logistic(X[:50], signs[:50], weights[:50])
    found = fit_logistic(X, signs, weights, start=other)
    assert found.odds(X) == pytest.approx(fit_logistic(X, signs, weights).odds(X))


def test_separable_classes_and_constant_columns_give_finite_weights():
    X = np.column_stack([np.linspace(-1, 1, 20), np.full(20, 7.0)])
    found = fit_logistic(X, np.sign(X[:, 0]), np.ones(20))
    assert np.isfinite(found.weights).all()
    assert found.weights[1] == 0.0
    assert np.array_equal(np.sign(found.odds(X)), np.sign(X[:, 0]))


@each("size", [1e-20, 1e20])
def test_the_size_of_columns_changes_nothing(table, size):
    X, signs, weights = table
    known = fit_logistic(X, signs, weights).odds(X)
    assert fit_logistic(size * X, signs, weights).odds(size * X) == pytest.approx(known)


def test_rows_of_one_class_give_that_class(table):
    X, _, weights = table
    assert np.all(fit_logistic(X, -np.ones(200), weights).odds(X) == -4.6)


def test_no_columns_give_the_prior():
    signs = np.array([1.0, 1.0, 1.0, -1.0])
    odds = fit_logistic(np.empty((4, 0)), signs, np.ones(4)).odds(np.empty((2, 0)))
    assert odds == pytest.approx(np.log(3.0))
