"""Machines on more columns than rows, by their active set, beside the other solver."""

import numpy as np
import pytest

from solvers.numerics.svm_active_set import active_set_dual
from solvers.numerics.svm_machines import solve_svms
from solvers.numerics.svm_objective import best_intercept, dual_objective
from tests.svm_cases import noisy


def _centred(n_samples=30, n_features=80, seed=0):
    X, signs = noisy(n_samples, n_features, seed)
    return X - X.mean(axis=0), signs


@pytest.mark.parametrize("C", [0.01, 0.02, 1.0])
@pytest.mark.parametrize("seed", range(3))
def test_a_dual_point_is_that_of_the_certified_machine(C, seed):
    X, signs = _centred(seed=seed)
    caps = np.full(30, C)
    dual = active_set_dual(X @ X.T, signs, caps, None)
    solved = solve_svms(X, signs[np.newaxis], caps)
    assert solved.gap[0] < 1e-8
    assert dual_objective(X, signs, dual) == pytest.approx(
        dual_objective(X, signs, solved.dual[0]), rel=1e-8
    )
    alpha = dual * signs
    assert (alpha >= 0).all()
    assert (alpha <= caps).all()
    assert dual.sum() == pytest.approx(0.0, abs=1e-9)


def test_a_good_guess_and_none_end_at_the_same_point():
    X, signs = _centred()
    caps, gram = np.full(30, 0.02), X @ X.T
    cold = active_set_dual(gram, signs, caps, None)
    near = active_set_dual(X[:, :70] @ X[:, :70].T, signs, caps, None)
    warm = active_set_dual(gram, signs, caps, near)
    assert warm == pytest.approx(cold, abs=1e-8)


def test_where_no_row_falls_short_those_with_a_dual_are_on_the_margin():
    X, signs = _centred()
    caps = np.full(30, 1e3)
    dual = active_set_dual(X @ X.T, signs, caps, None)
    scores = X @ (dual @ X)
    margins = signs * (scores + best_intercept(scores, signs, caps))
    assert margins.min() >= 1 - 1e-6
    assert margins[dual != 0] == pytest.approx(np.ones((dual != 0).sum()), abs=1e-6)


def test_where_no_row_can_be_held_there_is_no_answer():
    # Without a row between its bounds there is no system to solve.
    signs, caps = np.tile([1.0, -1.0], 5), np.ones(10)
    everybody_short = caps * signs
    assert active_set_dual(np.eye(10), signs, caps, everybody_short) is None
