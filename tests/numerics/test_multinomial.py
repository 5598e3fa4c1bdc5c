"""The multinomial loss is scikit-learn's, its derivatives are those of differences."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.metrics import log_loss

from solvers.numerics.logistic import LogisticLoss
from solvers.numerics.multinomial import MultinomialLoss, class_corners, sizes
from tests.each import each


def table(n_classes, n_samples=40, n_features=3, seed=0):
    rng = np.random.default_rng(seed)
    X = np.round(rng.standard_normal((n_samples, n_features)), 1)
    labels = np.resize(np.arange(n_classes), n_samples)
    return X, labels, rng.uniform(0.5, 2.0, n_samples)


def anywhere(loss, seed=1):
    rng = np.random.default_rng(seed)
    shape = (loss.n_features, loss.n_outputs)
    return rng.standard_normal(shape), rng.standard_normal(loss.n_outputs)


def test_corners_are_as_far_from_each_other_and_of_two_classes_the_signs():
    assert class_corners(2) == pytest.approx(np.array([[-1.0], [1.0]]))
    for n_classes in (3, 5):
        corners = class_corners(n_classes)
        assert corners.sum(axis=0) == pytest.approx(0.0)
        assert corners.T @ corners == pytest.approx(2.0 * np.eye(n_classes - 1))


@each("n_classes", [2, 3, 5])
def test_raw_weights_give_the_loss_that_scikit_learn_reckons(n_classes):
    X, labels, weights = table(n_classes)
    loss = MultinomialLoss.of_classes(X, labels, weights)
    w, b = anywhere(loss)
    odds = loss.odds(np.arange(loss.n_features), w, b)
    coef, intercept = loss.to_raw(w, b)
    scores = X @ coef.T + intercept
    shares = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
    exact = log_loss(labels, shares, sample_weight=weights)
    assert loss.value(odds) == pytest.approx(exact)
    assert loss.at(odds).value == pytest.approx(exact)
    assert loss.at(odds).beliefs == pytest.approx(shares)


def test_of_two_classes_it_is_the_logistic_loss():
    X, labels, weights = table(2)
    many = MultinomialLoss.of_classes(X, labels, weights)
    two = LogisticLoss.from_rows(X, 2.0 * labels - 1.0, weights)
    w, b = anywhere(many)
    odds = many.odds(np.arange(3), w, b)
    one = two.at(odds[:, 0])
    assert many.at(odds).value == pytest.approx(one.value)
    assert many.at(odds).slopes[:, 0] == pytest.approx(one.slopes)
    assert many.base_intercept == pytest.approx(two.base_intercept)


@each("n_classes", [2, 4])
def test_derivatives_are_those_of_differences(n_classes):
    X, labels, weights = table(n_classes)
    loss = MultinomialLoss.of_classes(X, labels, weights)
    w, b = anywhere(loss)
    everything = np.arange(loss.n_features)

    def at(flat):
        both = flat.reshape(-1, loss.n_outputs)
        return loss.at(loss.odds(everything, both[:-1], both[-1]))

    def gradient(flat):
        slopes = at(flat).slopes
        return np.vstack([loss.gradient(slopes), slopes.sum(axis=0)]).ravel()

    here, step = np.vstack([w, b]).ravel(), 1e-5
    ways = np.eye(len(here)) * step
    by_value = [(at(here + d).value - at(here - d).value) / (2 * step) for d in ways]
    assert gradient(here) == pytest.approx(np.array(by_value), abs=1e-9)
    by_slope = [(gradient(here + d) - gradient(here - d)) / (2 * step) for d in ways]
    exact = loss.hessian(at(here), everything)
    assert exact == pytest.approx(np.array(by_slope), abs=1e-9)
    bound = loss.curvature_bound(at(here), everything)
    above = np.kron(bound, np.eye(loss.n_outputs)) - exact
    assert np.linalg.eigvalsh(above)[0] > -1e-12


def test_no_gradient_is_larger_than_its_bound():
    X, labels, weights = table(3)
    loss = MultinomialLoss.of_classes(X, labels, weights)
    for seed in range(20):
        w, b = anywhere(loss, seed)
        point = loss.at(loss.odds(np.arange(3), 30.0 * w, 30.0 * b))
        assert (
            sizes(loss.gradient(point.slopes)) <= loss.gradient_bounds + 1e-12
        ).all()


def test_the_model_without_features_knows_the_shares_of_the_classes():
    X, labels, weights = table(3)
    loss = MultinomialLoss.of_classes(X, labels, weights)
    odds = np.tile(loss.base_intercept, (len(X), 1))
    wanted = np.bincount(labels, weights=weights) / weights.sum()
    assert loss.at(odds).beliefs[0] == pytest.approx(wanted)
    assert loss.at(odds).slopes.sum(axis=0) == pytest.approx(0.0)


def test_sparse_rows_are_as_dense_ones():
    X, labels, weights = table(3)
    X[np.abs(X) < 0.8] = 0.0
    dense = MultinomialLoss.of_classes(X, labels, weights)
    lazy = MultinomialLoss.of_classes(sparse.csr_array(X), labels, weights)
    w, b = anywhere(dense)
    odds = dense.odds(np.arange(3), w, b)
    assert lazy.odds(np.arange(3), w, b) == pytest.approx(odds)
    point = dense.at(odds)
    assert lazy.gradient(point.slopes) == pytest.approx(dense.gradient(point.slopes))
    chosen = np.array([0, 2])
    assert lazy.hessian(point, chosen) == pytest.approx(dense.hessian(point, chosen))
