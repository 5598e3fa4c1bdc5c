"""The machine's objective and intercept, beside scans of everything there is."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solvers.numerics.svm_objective import (
    best_intercept,
    dual_objective,
    primal_objective,
    relative_gap,
)


def _loss(intercept, scores, signs, caps):
    return float(caps @ np.maximum(0.0, 1.0 - signs * (scores + intercept)))


@given(st.lists(st.integers(-4, 4), min_size=2, max_size=9), st.integers(0, 99))
@settings(max_examples=100)
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
