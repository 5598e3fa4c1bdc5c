"""Selective ridge against cvxpy, its limits, closed forms and invariances."""

import itertools

import numpy as np
import pytest
from scipy import sparse
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.svm import SVC

from solvers.methods.selective_ridge import (
    SelectiveRidgeClassifier,
    SelectiveRidgeRegressor,
    maximum_selectivity,
)
from tests.each import each
from tests.methods.selective_ridge.solved import every_loss, solve, solve_case
from tests.methods.selective_ridge_cases import Case, optimum, random_case


@pytest.mark.kernels
@every_loss
@each("seed", range(5))
def test_objective_is_the_optimum_of_cvxpy(loss, seed):
    case = random_case(seed, loss)
    fit = solve_case(case, tol=1e-7)
    least, is_exact = optimum(case)
    assert fit.objective <= least * (1 + 1e-6) + 1e-9
    if is_exact:
        assert fit.objective == pytest.approx(least, rel=1e-6, abs=1e-9)


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(7)
    X = rng.standard_normal((40, 15))
    y = X[:, :4] @ [2.0, -1.0, 1.0, 0.5] + 0.5 * rng.standard_normal(40)
    return X, y, np.where(y > 0, 1, -1)


@each("gamma", [0.01, 1.0, 30.0])
def test_without_selectivity_it_is_ridge(table, gamma):
    X, y, _ = table
    ours = SelectiveRidgeRegressor(gamma=gamma, mu=0.0, standardise=False).fit(X, y)
    theirs = Ridge(gamma).fit(X, y)
    assert ours.coef_ == pytest.approx(theirs.coef_, abs=1e-7)
    assert ours.intercept_ == pytest.approx(theirs.intercept_, abs=1e-7)


@each("gamma", [0.01, 1.0, 30.0])
def test_without_selectivity_it_is_logistic_regression(table, gamma):
    X, _, y = table
    ours = SelectiveRidgeClassifier(
        gamma=gamma, mu=0.0, loss="logistic", standardise=False
    ).fit(X, y)
    theirs = LogisticRegression(C=1 / (2 * gamma), tol=1e-10, max_iter=10_000)
    assert ours.coef_ == pytest.approx(theirs.fit(X, y).coef_, abs=1e-5)


@each("gamma", [0.01, 1.0, 30.0])
def test_without_selectivity_it_is_a_support_vector_machine(table, gamma):
    X, _, y = table
    ours = SelectiveRidgeClassifier(gamma=gamma, mu=0.0, standardise=False).fit(X, y)
    theirs = SVC(C=1 / (2 * gamma), kernel="linear", tol=1e-9).fit(X, y)
    assert ours.coef_ == pytest.approx(theirs.coef_, abs=1e-5)
    assert ours.decision_function(X) == pytest.approx(
        theirs.decision_function(X), abs=1e-4
    )


@every_loss
@each("seed", range(2))
def test_no_feature_is_left_at_the_largest_selectivity(loss, seed):
    case = random_case(seed, loss)
    largest = maximum_selectivity(case.X, case.y, **case.options)
    at = solve(case.X, case.y, largest * (1 + 1e-7), tol=1e-10, **case.options)
    below = solve(case.X, case.y, 0.999 * largest, tol=1e-11, **case.options)
    assert not at.support.any()
    assert below.support.any()


def test_coefficients_below_mu_are_the_lasso_s(table):
    X, y, _ = table
    mu = 0.9 * maximum_selectivity(X, y, 10.0, "squared")
    fit = solve(X, y, mu, loss="squared", gamma=10.0)
    assert set(fit.states) == {"zero", "boundary"}
    residual = y - X @ fit.coef - fit.intercept
    # The lasso's own condition: abs(x_i' r) = gamma mu where a_i is not zero.
    assert np.abs(X.T @ residual)[fit.support] == pytest.approx(10.0 * mu, rel=1e-5)


@every_loss
def test_bound_on_the_problem_that_counts_features(loss):
    """The dual bounds ridge plus gamma mu² for each feature in use, by enumeration."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((14, 3))
    y = X[:, 0] - X[:, 1] + 0.3 * rng.standard_normal(14)
    if loss != "squared":
        y = np.where(y > 0, 1.0, -1.0)
    mu = 0.3 * maximum_selectivity(X, y, 1.0, loss)
    fit = solve(X, y, mu, loss=loss)
    best = np.inf
    for chosen in itertools.product([False, True], repeat=3):
        used = np.flatnonzero(chosen)
        columns = X[:, used] if len(used) else np.zeros((14, 1))
        ridge = solve(columns, y, 0.0, loss=loss)
        best = min(best, ridge.objective + len(used) * mu**2)
    assert fit.objective - fit.duality_gap <= best * (1 + 1e-9)
    if "boundary" not in fit.states:
        assert fit.objective == pytest.approx(best, rel=1e-7)


@every_loss
@each("seed", [3, 5])
def test_order_and_sign_of_the_columns_do_not_matter(loss, seed):
    case = random_case(seed, loss)
    rng = np.random.default_rng(0)
    order = rng.permutation(case.X.shape[1])
    sign = rng.choice([-1.0, 1.0], case.X.shape[1])
    turned = Case(
        case.X[:, order] * sign,
        case.y,
        loss,
        case.gamma,
        case.mu,
        case.feature_weights[order],
    )
    assert solve_case(turned).objective == pytest.approx(
        solve_case(case).objective, rel=1e-8
    )


@every_loss
@each("seed", [3, 5])
def test_scale_of_the_table(loss, seed):
    case, factor = random_case(seed, loss), 7.0
    scaled = Case(
        factor * case.X,
        case.y,
        loss,
        factor**2 * case.gamma,
        case.mu / factor,
        case.feature_weights,
    )
    assert solve_case(scaled).objective == pytest.approx(
        solve_case(case).objective, rel=1e-7
    )


@each("loss", ["hinge", "logistic"])
def test_swapped_classes_turn_the_signs(table, loss):
    X, _, y = table
    one = solve(X, y, 1.0, loss=loss)
    other = solve(X, -y, 1.0, loss=loss)
    assert one.coef == pytest.approx(-other.coef, abs=1e-6)
    assert one.intercept == pytest.approx(-other.intercept, abs=1e-5)


def test_moved_and_stretched_targets(table):
    X, y, _ = table
    one = solve(X, y, 1.0, loss="squared")
    other = solve(X, 2 * y + 5, 2.0, loss="squared")
    assert other.coef == pytest.approx(2 * one.coef, abs=1e-6)
    assert other.intercept == pytest.approx(2 * one.intercept + 5, abs=1e-6)


@every_loss
def test_sparse_dense_and_single_precision_agree(loss):
    case = random_case(11, loss)
    X = np.where(np.abs(case.X) > 1.0, case.X, 0.0).astype(np.float32)
    tables = [X.astype(float), X, sparse.csr_array(X), sparse.csc_matrix(X)]
    found = [
        solve(table, case.y, case.mu, tol=1e-8, **case.options).objective
        for table in tables
    ]
    assert found == pytest.approx([found[0]] * 4, rel=1e-7)
