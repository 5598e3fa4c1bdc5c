"""Newton's method on a few columns, against scikit-learn and differences."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from solvers.certify.oracle import LogisticFit
from solvers.certify.problem import make_problem
from tests.certify.cases import random_instance


@pytest.fixture(scope="module")
def problem():
    return make_problem(*random_instance(1).arguments, 0.05)


def fitted(problem, penalty, tol=1e-12):
    n = len(penalty)
    fit = LogisticFit(problem.table.T[:n], problem, np.zeros(n + 1))
    fit.minimise(np.asarray(penalty, dtype=float), tol)
    return fit


def test_the_minimum_is_scikit_learn_s(problem):
    fit = fitted(problem, [0.05] * 4)
    model = LogisticRegression(
        C=1 / (len(problem.signs) * 0.05), tol=1e-12, solver="newton-cholesky"
    ).fit(problem.table[:, :4], problem.signs)
    assert fit.weights[:4] == pytest.approx(model.coef_[0], abs=1e-5)
    assert fit.weights[4] == pytest.approx(model.intercept_[0], abs=1e-5)


def test_each_column_may_have_its_own_penalty(problem):
    weights = fitted(problem, [1e-3, 1e6, 1e-3]).weights
    assert abs(weights[1]) < 1e-5 < abs(weights[0])


def test_no_penalty_on_columns_written_twice_still_ends(problem):
    twice = np.vstack([problem.table.T[:2], problem.table.T[:2]])
    fit = LogisticFit(twice, problem, np.zeros(5))
    fit.minimise(np.full(4, 1e-12), 1e-10)
    once = fitted(problem, [1e-12, 1e-12])
    assert fit.value == pytest.approx(once.value, abs=1e-7)


def test_a_warm_start_at_another_penalty_ends_where_a_cold_one_does(problem):
    fit = fitted(problem, [1e-3] * 3)
    fit.minimise(np.full(3, 0.5), 1e-12)
    assert fit.weights == pytest.approx(fitted(problem, [0.5] * 3).weights, abs=1e-6)


def test_curvature_says_how_weights_move_with_their_penalties(problem):
    """With M = L - L (L + P)^-1 L: dw / dP_k = -(P^-1 - P^-1 M P^-1) e_k w_k."""
    penalty = np.array([0.02, 0.3, 0.1])
    # Begun at the minimum, it has the Hessian of the minimum.
    least = fitted(problem, penalty).weights
    fit = LogisticFit(problem.table.T[:3], problem, least)
    fit.minimise(penalty, 1e-12)
    inverse = np.diag(1 / penalty) - fit.curvature() / np.outer(penalty, penalty)
    for k in range(3):
        move = 0.01 * penalty[k] * np.eye(3)[k]
        ahead, behind = (fitted(problem, penalty + s * move) for s in (1, -1))
        moved = (ahead.weights - behind.weights)[:3] / (2 * move[k])
        assert moved == pytest.approx(-inverse[:, k] * least[k], rel=2e-3, abs=1e-4)
