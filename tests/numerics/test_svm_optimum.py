"""The optimum of a support vector machine: its objective, its dual, its last digits."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solvers.numerics.svm_machines import solve_svms
from solvers.numerics.svm_optimum import (
    best_intercept,
    dual_objective,
    polish,
    primal_objective,
    relative_gap,
)
from tests.each import each
from tests.svm_cases import CASES


def _loss(intercept, scores, signs, caps):
    return float(caps @ np.maximum(0.0, 1.0 - signs * (scores + intercept)))


@given(st.lists(st.integers(-4, 4), min_size=2, max_size=9), st.integers(0, 99))
@settings(max_examples=50)
def test_no_intercept_has_less_loss_and_the_middle_one_is_given(values, seed):
    scores = np.array(values, dtype=float)
    rng = np.random.default_rng(seed)
    signs = np.where(rng.random(len(scores)) < 0.5, 1.0, -1.0)
    signs[:2] = 1.0, -1.0
    caps = rng.integers(1, 4, len(scores)).astype(float)
    found = best_intercept(scores, signs, caps)
    corners = np.unique(signs - scores)
    losses = np.array([_loss(b, scores, signs, caps) for b in corners])
    best = corners[losses <= losses.min() + 1e-9]
    assert _loss(found, scores, signs, caps) == pytest.approx(losses.min())
    assert found == pytest.approx((best[0] + best[-1]) / 2)


def test_the_gap_is_that_of_the_two_objectives():
    rng = np.random.default_rng(0)
    X, signs = rng.standard_normal((10, 3)), np.tile([1.0, -1.0], 5)
    caps, dual = np.ones(10), 0.1 * np.tile([1.0, -1.0], 5)
    coef = dual @ X
    upper = primal_objective(X, signs, caps, coef, 0.2)
    lower = dual_objective(X, signs, dual)
    assert lower < upper
    gap = relative_gap(X, signs, caps, coef, 0.2, dual)
    assert gap == pytest.approx((upper - lower) / upper)


def test_a_certified_solution_has_no_gap():
    # Two points one apart from the middle: w = 1, no losses, each dual 1/2.
    X, signs = np.array([[1.0], [-1.0]]), np.array([1.0, -1.0])
    caps, dual = np.full(2, 10.0), np.array([0.5, -0.5])
    assert relative_gap(X, signs, caps, np.array([1.0]), 0.0, dual) == 0.0


@each("roughness", [1e-6, 1e-4])
@each("C", [0.1, 1.0, 10.0])
@each("case", ["eight_against_392", "three_against_57"])
def test_nothing_to_learn_is_certified_from_a_rough_dual_point(case, C, roughness):
    """Of the many duals of no weights the one close by keeps its bounds."""
    X, y = CASES[case]
    X, caps = X - X.mean(axis=0), np.full(len(y), C)
    dual = solve_svms(X, y[np.newaxis], caps).dual[0]
    rng = np.random.default_rng(0)
    alpha = dual * y * (1 + roughness * rng.standard_normal(len(y)))
    machine = polish(X, y, caps, np.clip(alpha, 0.0, caps) * y)
    assert machine.gap <= 1e-12
    assert np.abs(machine.coef).max() <= 1e-12
