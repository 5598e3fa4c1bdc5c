"""Fits of many classes are those of cvxpy and scikit-learn; of two, the logistic."""

import cvxpy as cp
import numpy as np
import pytest
from sklearn.datasets import load_iris, load_wine
from sklearn.linear_model import LogisticRegression

from solvers.numerics import group_newton
from solvers.numerics.group_newton import minimise_groups, refitted
from solvers.numerics.logistic import LogisticLoss
from solvers.numerics.multinomial import MultinomialLoss, sizes
from solvers.numerics.prox_newton import WeightedL1, minimise, refit_on
from solvers.numerics.weighted_l1 import WeightedL1Fits
from tests.each import each


def loss_of(load):
    X, y = load(return_X_y=True)
    return MultinomialLoss.of_classes(X, y, np.ones(len(y)))


@pytest.fixture(scope="module")
def wine():
    return loss_of(load_wine)


def by_cvxpy(loss, prices):
    """The objective over scores of all classes, and the scores' weights."""
    n_classes = loss.n_outputs + 1
    labels = np.argmax(loss.signs @ loss.corners.T, axis=1)
    w, b = cp.Variable((loss.n_features, n_classes)), cp.Variable((1, n_classes))
    scores = loss.columns.T @ w + np.ones((loss.n_samples, 1)) @ b
    right = cp.sum(cp.multiply(scores, np.eye(n_classes)[labels]), axis=1)
    # Of two classes |w| is the root of two times the norm of (-w / 2, w / 2).
    paid = np.sqrt(2.0) * prices @ cp.norm(w, 2, axis=1)
    mean = loss.shares @ (cp.log_sum_exp(scores, axis=1) - right)
    problem = cp.Problem(cp.Minimize(mean + paid))
    problem.solve(solver="CLARABEL")
    return problem.value, w.value


@each("alpha", [0.05, 0.01, 0.002])
def test_priced_sizes_have_the_minimum_that_cvxpy_finds(wine, alpha):
    prices = alpha * np.linspace(0.2, 2.0, wine.n_features)
    fit = minimise_groups(wine, WeightedL1(prices), tol=1e-9)
    value, weights = by_cvxpy(wine, prices)
    assert fit.violation <= 1e-9
    assert fit.objective == pytest.approx(value, abs=1e-6)
    ours = wine.corners @ fit.weights.T / 2.0
    centred = weights.T - weights.T.mean(axis=0)
    assert ours == pytest.approx(centred, abs=2e-3)
    assert 0 < fit.used.sum() < wine.n_features


@each("alpha", [0.05, 0.005])
def test_of_two_classes_it_is_the_logistic_fit(alpha):
    X, y = load_wine(return_X_y=True)
    X, y = X[y != 2], y[y != 2]
    many = MultinomialLoss.of_classes(X, y, np.ones(len(y)))
    two = LogisticLoss.from_rows(X, 2.0 * y - 1.0, np.ones(len(y)))
    penalty = WeightedL1(alpha * np.ones(X.shape[1]))
    fit, exact = minimise_groups(many, penalty), minimise(two, penalty)
    assert fit.objective == pytest.approx(exact.objective, abs=1e-9)
    assert fit.weights[:, 0] == pytest.approx(exact.weights, abs=1e-3)
    support = exact.used
    assert refitted(two, support).loss == refit_on(two, support).loss


def test_without_a_penalty_it_is_scikit_learn_s_multinomial_regression():
    X, y = load_iris(return_X_y=True)
    loss = loss_of(load_iris)
    support = np.array([True, True, False, True])
    fit = refitted(loss, support)
    model = LogisticRegression(C=np.inf, tol=1e-10, max_iter=10_000)
    shares = model.fit(X[:, support], y).predict_proba(X[:, support])
    assert not fit.weights[2].any()
    assert loss.at(fit.odds).beliefs == pytest.approx(shares, abs=1e-4)


def test_a_refit_does_not_depend_on_its_start(wine):
    start = minimise_groups(wine, WeightedL1(0.01 * np.ones(wine.n_features)))
    fit, again = refitted(wine, start.used, start), refitted(wine, start.used)
    assert np.array_equal(fit.weights, again.weights)  # classes can be told apart
    assert fit.loss < 1e-4


def test_where_classes_can_be_told_apart_rounding_does_not_say_where_it_ends():
    X = np.random.default_rng(3).random((15, 30))[:, :2]
    y, counts = np.digitize(X @ [1.0, 0.3], [0.4, 0.8]), 1 + np.arange(15) % 4
    rows = np.repeat(np.arange(15), counts)[::-1]
    weighted = MultinomialLoss.of_classes(X, y, counts.astype(float))
    repeated = MultinomialLoss.of_classes(X[rows], y[rows], np.ones(len(rows)))
    fits = [refitted(loss, np.ones(2, dtype=bool)) for loss in (weighted, repeated)]
    assert fits[0].loss < 1e-6
    assert fits[0].weights == pytest.approx(fits[1].weights, rel=3e-8)


def test_a_bounded_hessian_ends_where_the_exact_one_does(wine, monkeypatch):
    penalty = WeightedL1(0.02 * np.ones(wine.n_features))
    exact = minimise_groups(wine, penalty, tol=1e-6)
    monkeypatch.setattr(group_newton, "_MOST_COORDINATES", 1)
    bounded = minimise_groups(wine, penalty, tol=1e-6)
    assert bounded.violation <= 1e-6
    assert bounded.n_iter > exact.n_iter
    assert bounded.objective == pytest.approx(exact.objective, abs=1e-8)


def test_classes_and_columns_in_another_order_are_the_same_problem():
    X, y = load_wine(return_X_y=True)
    order = np.arange(X.shape[1])[::-1]
    one = MultinomialLoss.of_classes(X, y, np.ones(len(y)))
    other = MultinomialLoss.of_classes(X[:, order], 2 - y, np.ones(len(y)))
    penalty = WeightedL1(0.01 * np.ones(len(order)))
    fits = [minimise_groups(loss, penalty, tol=1e-9) for loss in (one, other)]
    assert fits[0].objective == pytest.approx(fits[1].objective, abs=1e-10)
    found = sizes(fits[1].weights)[order]
    assert sizes(fits[0].weights) == pytest.approx(found, abs=1e-5)


def test_a_continuation_begins_where_nothing_is_worth_its_price(wine):
    fits = WeightedL1Fits(wine, np.linspace(0.5, 2.0, wine.n_features), tol=1e-9)
    assert not fits.fit(1.001 * fits.null_alpha).used.any()
    assert fits.fit(0.98 * fits.null_alpha).used.sum() == 1
