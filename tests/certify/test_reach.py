"""Secants bound the loss from below, and no good model is out of reach."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import expit

from solvers.certify.reach import curvature_within, hessian_of, reach_around
from tests.each import each


def divergence(margin, t):
    change = np.logaddexp(0, -margin - t) - np.logaddexp(0, -margin)
    return change + expit(-margin) * t


@given(st.floats(-15, 15), st.floats(0.05, 20))
def test_the_loss_bends_at_least_as_much_anywhere_within_reach(margin, reach):
    (least,) = curvature_within(np.array([margin]), np.array([reach]))
    t = np.linspace(-reach, reach, 401)
    assert (divergence(margin, t) >= 0.5 * least * t**2 - 1e-12).all()


@given(st.floats(-15, 15), st.floats(0.005, 0.03))
def test_the_loss_bends_no_less_within_a_smaller_reach(margin, reach):
    reaches = reach * np.linspace(1.0, 0.5, 20)
    least = curvature_within(np.full(20, margin), reaches)
    assert (np.diff(least) >= -1e-10).all()


def _rows(seed=0, n=200):
    rng = np.random.default_rng(seed)
    design = np.vstack([rng.standard_normal((3, n)), np.ones(n)])
    return rng, design, np.full(n, 1 / n), rng.standard_normal(n)


def test_models_of_little_divergence_are_within_reach():
    rng, design, weights, margins = _rows()
    room, nothing = 2e-3, np.zeros(4)
    reach = reach_around(design, weights, margins, room, nothing, np.zeros(200))
    tried = 0
    for _ in range(300):
        t = (rng.standard_normal(4) * 0.1) @ design
        if weights @ divergence(margins, t) <= room:
            assert (np.abs(t) <= reach).all()
            tried += 1
    assert tried > 20


@each("room", [1e-3, 2e-6, 1e-6, 1e-8])
def test_the_reach_is_enough_for_the_curvature_that_it_leaves(room):
    _, design, weights, margins = _rows(1)
    reach = reach_around(design, weights, margins, room, np.zeros(4), np.zeros(200))
    whole = hessian_of(design, weights * curvature_within(margins, reach))
    spread = np.einsum("ij,ij->j", design, np.linalg.solve(whole, design))
    assert (np.sqrt(2 * room * spread) <= reach).all()


def test_with_much_room_there_is_no_reach():
    _, design, weights, margins = _rows(2)
    found = reach_around(design, weights, margins, 5.0, np.zeros(4), np.zeros(200))
    assert found is None
