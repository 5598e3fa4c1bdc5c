"""Small multinomial fits are those of scikit-learn, and always finite."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from solvers.numerics.ridge_classes import fit_classes
from solvers.numerics.ridge_logistic import fit_logistic

pytestmark = pytest.mark.kernels


@pytest.fixture
def table():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((200, 3)) * [1.0, 100.0, 0.01] + [0.0, 1e4, 3.0]
    labels = np.digitize(X[:, 0] + rng.standard_normal(200), [-0.4, 0.6])
    return X, labels, rng.uniform(0.5, 2.0, 200)


def centred(scores):
    return scores - scores.mean(axis=1, keepdims=True)


def test_it_is_ridge_multinomial_regression_on_standardised_columns(table):
    X, labels, weights = table
    shares = weights / weights.sum()
    scaled = (X - shares @ X) / np.sqrt(shares @ (X - shares @ X) ** 2)
    # The odds' weights, squared, are twice those of the scores.
    known = LogisticRegression(C=0.5 / 1e-2, tol=1e-10, solver="newton-cholesky")
    known.fit(scaled, labels, sample_weight=shares)
    found = fit_classes(X, labels, 3, weights, 1e-2).scores(X)
    assert found == pytest.approx(known.decision_function(scaled), abs=1e-5)


def test_of_two_classes_it_is_the_logistic_one(table):
    X, labels, weights = table
    scores = fit_classes(X, np.minimum(labels, 1), 2, weights).scores(X)
    known = fit_logistic(X, np.where(labels > 0, 1.0, -1.0), weights).odds(X)
    assert scores[:, 1] - scores[:, 0] == pytest.approx(known, abs=1e-5)


def test_where_it_begins_does_not_matter(table):
    X, labels, weights = table
    other = fit_classes(X[:50], labels[:50], 3, weights[:50])
    begun = fit_classes(X, labels, 3, weights, start=other)
    afresh = fit_classes(X, labels, 3, weights)
    assert begun.scores(X) == pytest.approx(afresh.scores(X), abs=1e-5)


def test_a_class_without_rows_is_never_called_and_one_alone_always(table):
    X, labels, weights = table
    two = fit_classes(X, np.where(labels > 1, 2, 0), 4, weights).scores(X)
    assert set(two.argmax(axis=1)) == {0, 2}
    one = fit_classes(X, np.ones(200, dtype=int), 3, weights).scores(X)
    assert set(one.argmax(axis=1)) == {1}


def test_no_columns_give_the_prior():
    labels = np.array([0, 0, 1, 2])
    scores = fit_classes(np.empty((4, 0)), labels, 3, np.ones(4)).scores(
        np.empty((1, 0))
    )
    assert scores == pytest.approx(centred(np.log([[0.5, 0.25, 0.25]])))
