"""Dual points of the interior-point method, beside a generic convex solver."""

import cvxpy as cp
import numpy as np
import pytest

from solvers.numerics.svm_interior_point import interior_duals
from tests.each import each
from tests.svm_cases import CASES, noisy


def _duals(X, signs, caps, widths):
    """The last dual point of each problem, times its signs."""
    last = {}

    def is_enough(number, dual):
        last[number] = dual.copy()
        return False

    interior_duals(X, np.atleast_2d(signs), caps, np.asarray(widths), is_enough)
    return [last[k] for k in range(len(widths))]


def _value(X, dual, signs):
    weights = dual @ X
    return dual @ signs - 0.5 * weights @ weights


def _optimum(X, signs, caps):
    """The least primal objective: by strong duality the largest dual one."""
    weights, intercept = cp.Variable(X.shape[1]), cp.Variable()
    hinge = cp.pos(1 - cp.multiply(signs, X @ weights + intercept))
    problem = cp.Problem(cp.Minimize(cp.sum_squares(weights) / 2 + caps @ hinge))
    return problem.solve(solver=cp.CLARABEL)


@each("case", [*CASES])
@each("C", [0.01, 10.0])
def test_the_dual_value_is_the_least_primal_one(case, C):
    X, signs = CASES[case]
    X = X - X.mean(axis=0)
    caps = np.full(len(X), C)
    (dual,) = _duals(X, signs, caps, [X.shape[1]])
    wanted = _optimum(X, signs, caps)
    assert _value(X, dual, signs) == pytest.approx(wanted, rel=1e-6)


@each("n_features", [4, 40])
def test_a_dual_point_keeps_its_constraints(n_features):
    X, signs = noisy(n_features=n_features)
    X = X - X.mean(axis=0)
    caps = np.random.default_rng(0).uniform(0.5, 2.0, len(X))
    (dual,) = _duals(X, signs, caps, [n_features])
    alpha = dual * signs
    assert alpha.min() >= 0
    assert (alpha <= caps * (1 + 1e-12)).all()
    assert dual.sum() == pytest.approx(0.0, abs=1e-9 * caps.sum())


def test_each_problem_of_a_batch_sees_its_own_signs_and_columns():
    X, signs = noisy(n_features=6)
    X = X - X.mean(axis=0)
    both = np.array([signs, np.where(X[:, 0] > 0.2, 1.0, -1.0), signs])
    caps, widths = np.ones(len(X)), [6, 4, 2]
    together = _duals(X, both, caps, widths)
    for dual, own, width in zip(together, both, widths, strict=True):
        wanted = _optimum(X[:, :width], own, caps)
        assert _value(X[:, :width], dual, own) == pytest.approx(wanted, rel=1e-6)


def test_many_columns_are_solved_one_by_one_to_the_same_value():
    # Above 24 columns each system is factorised by itself, over the rows that count.
    X, signs = noisy(n_samples=80, n_features=30)
    X = X - X.mean(axis=0)
    caps = np.full(80, 0.1)
    for dual, width in zip(
        _duals(X, [signs] * 2, caps, [30, 27]), (30, 27), strict=True
    ):
        wanted = _optimum(X[:, :width], signs, caps)
        assert _value(X[:, :width], dual, signs) == pytest.approx(wanted, rel=1e-6)


def test_points_get_better_and_no_more_are_asked_for_once_one_is_enough():
    X, signs = noisy()
    X = X - X.mean(axis=0)
    caps, values = np.ones(len(X)), []

    def is_enough(_, dual):
        values.append(_value(X, dual, signs))
        return len(values) == 2

    interior_duals(X, signs[np.newaxis], caps, np.array([5]), is_enough)
    wanted = _optimum(X, signs, caps)
    assert len(values) == 2
    assert abs(values[1] - wanted) <= abs(values[0] - wanted) + 1e-9 * wanted
