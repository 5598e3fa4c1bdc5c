"""The losses of the paper: duals, intercepts and conjugates by their definitions."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize_scalar

from solvers.methods.selective_ridge.losses import LOSSES
from tests.each import each

every_loss = each("name", sorted(LOSSES))
seeds = st.integers(0, 999)


def _rows(name, seed, n=8):
    rng = np.random.default_rng(seed)
    y = rng.standard_normal(n)
    if name != "squared":
        y = np.where(rng.random(n) < 0.5, 1.0, -1.0)
        y[:2] = 1.0, -1.0
    return y, rng.standard_normal(n), rng.uniform(0.2, 2.0, n)


@every_loss
@given(seed=seeds)
@settings(max_examples=20)
def test_no_intercept_has_less_loss(name, seed):
    y, decisions, capacity = _rows(name, seed)
    loss = LOSSES[name]

    def total(bias):
        return float(capacity @ loss.values(y, decisions + bias))

    found = total(loss.bias(y, decisions, capacity))
    best = minimize_scalar(total, bounds=(-20, 20), method="bounded").fun
    assert found <= best + 1e-6


@every_loss
@given(seed=seeds)
@settings(max_examples=20)
def test_the_conjugate_is_the_most_that_a_dual_gains_over_the_loss(name, seed):
    # φ(λ) = sup_z (λ z - c q(z)) for minus the dual, within the range that is scanned.
    y, _, capacity = _rows(name, seed, 3)
    loss = LOSSES[name]
    share = np.random.default_rng([seed, 1]).uniform(0.1, 0.9, 3)
    dual = capacity * (y * share if name != "squared" else 2 * share - 1)
    z = np.linspace(-30, 30, 60_001)
    wanted = 0.0
    for target, slope, weight in zip(y, dual, capacity, strict=True):
        values = loss.values(np.full_like(z, target), z)
        wanted += (-slope * z - weight * values).max()
    assert loss.conjugate(y, dual, capacity) == pytest.approx(wanted, abs=1e-3)


@every_loss
@given(seed=seeds)
@settings(max_examples=20)
def test_feasible_duals_sum_to_zero_within_their_bounds_and_stay(name, seed):
    y, wild, capacity = _rows(name, seed)
    loss = LOSSES[name]
    found = loss.feasible(y, 3 * wild, capacity)
    assert found.sum() == pytest.approx(0.0, abs=1e-9)
    if name != "squared":
        assert (y * found >= 0).all()
        assert (y * found <= capacity * (1 + 1e-12)).all()
    assert loss.feasible(y, found, capacity) == pytest.approx(found, abs=1e-12)


@every_loss
@given(seed=seeds)
@settings(max_examples=20)
def test_the_empty_model_s_dual_closes_the_gap_of_the_best_intercept(name, seed):
    y, decisions, capacity = _rows(name, seed)
    loss, nothing = LOSSES[name], np.zeros_like(decisions)
    dual = loss.empty_dual(y, capacity)
    bias = loss.bias(y, nothing, capacity)
    primal = float(capacity @ loss.values(y, nothing + bias))
    assert primal + loss.conjugate(y, dual, capacity) == pytest.approx(0.0, abs=1e-9)
    assert dual.sum() == pytest.approx(0.0, abs=1e-9)


@each("name", ["hinge", "logistic"])
@given(seed=seeds)
@settings(max_examples=20)
def test_a_dual_on_its_bounds_is_moved_inside_at_the_same_size(name, seed):
    y, _, capacity = _rows(name, seed)
    loss = LOSSES[name]
    at_bounds = loss.feasible(y, y * capacity, capacity)
    found = loss.inside(y, at_bounds, capacity)
    assert (y * found > 0).all()
    assert y @ found == pytest.approx(y @ at_bounds)
    assert found.sum() == pytest.approx(0.0, abs=1e-9)


def test_where_every_row_is_on_one_side_nothing_is_feasible_but_zero():
    y, capacity = np.array([1.0, 1.0, -1.0]), np.ones(3)
    found = LOSSES["hinge"].feasible(y, np.array([0.5, 0.5, 0.0]), capacity)
    assert (found == 0).all()
