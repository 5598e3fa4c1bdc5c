"""Proximal operators find the global minimum over m >= 0."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvers.numerics.prox import (
    lp_prox,
    lp_threshold,
    mcp_prox,
    scad_prox,
    scad_value,
)
from tests.each import each


def _mcp_value(m, gamma):
    bent = np.minimum(m, gamma)
    return bent - bent**2 / (2 * gamma)


POINTS = st.floats(-3, 12)
PRICES = st.floats(0, 6)
GRID = np.concatenate([[0.0], np.geomspace(1e-9, 1, 4000), np.linspace(0, 15, 40_001)])


def _no_grid_point_is_lower(found, a, t, value):
    def total(m):
        return (m - a) ** 2 / 2 + t * value(m)

    assert found >= 0
    assert total(found) <= total(GRID).min() + 1e-9


@given(POINTS, PRICES, st.sampled_from([0.05, 0.3, 0.5, 2 / 3, 0.9, 0.99, 1.0]))
def test_lp_is_never_above_a_grid(a, t, p):
    _no_grid_point_is_lower(float(lp_prox(a, t, p)), a, t, lambda m: m**p)


@given(POINTS, PRICES, st.floats(1.1, 8))
def test_mcp_is_never_above_a_grid(a, t, gamma):
    found = float(mcp_prox(a, t, gamma))
    _no_grid_point_is_lower(found, a, t, lambda m: _mcp_value(m, gamma))


@given(POINTS, PRICES, st.floats(1.1, 8))
def test_scad_is_never_above_a_grid(a, t, gamma):
    found = float(scad_prox(a, t, gamma))
    _no_grid_point_is_lower(found, a, t, lambda m: scad_value(m, gamma))


@each("p", [0.5, 2 / 3])
def test_closed_forms_are_newton(p):
    rng = np.random.default_rng(0)
    t = rng.uniform(0, 5, 20_000)
    a = lp_threshold(t, p) * rng.uniform(1.0001, 5, t.size)
    exact = lp_prox(a, t, p)
    assert lp_prox(a, t, p + 1e-15 * p + 1e-12) == pytest.approx(exact, rel=1e-8)


@each(
    ("p", "jump_at", "jump_to"), [(0.5, 1.5, 1.0), (2 / 3, 1.475576, (2 / 3) ** 0.75)]
)
def test_jump_is_where_it_was_derived(p, jump_at, jump_to):
    assert float(lp_threshold(1.0, p)) == pytest.approx(jump_at, abs=1e-6)
    assert float(lp_prox(jump_at - 1e-5, 1.0, p)) == 0.0
    assert float(lp_prox(jump_at + 1e-5, 1.0, p)) == pytest.approx(jump_to, abs=1e-3)


@given(st.floats(0.05, 1), st.floats(1e-6, 5))
def test_zero_exactly_up_to_the_threshold(p, t):
    edge = float(lp_threshold(t, p))
    assert float(lp_prox(edge * (1 - 1e-9), t, p)) == 0.0
    assert float(lp_prox(edge * (1 + 1e-6), t, p)) > 0.0


@given(st.floats(0.05, 1), st.floats(0, 5))
def test_never_decreasing(p, t):
    values = lp_prox(np.linspace(-1, 10, 500), t, p)
    assert np.diff(values).min() >= -1e-12


def test_no_price_keeps_what_is_positive():
    a = np.array([-1.0, 0.0, 2.5])
    for found in (
        lp_prox(a, 0.0, 0.5),
        lp_prox(a, 0.0, 2 / 3),
        lp_prox(a, 0.0, 0.3),
        mcp_prox(a, 0.0, 3.0),
        scad_prox(a, 0.0, 3.7),
    ):
        assert found.tolist() == [0.0, 0.0, 2.5]


def test_one_feature_jumps_where_it_was_derived():
    """x = y = +-1: log(1 + e^-w) + c w^p; 0 overtakes at c = .40293362 for p = 1/2."""
    from scipy.optimize import minimize_scalar

    for p, c, w in ((0.5, 0.40293362, 1.6994), (2 / 3, 0.38088733, 1.1333)):
        found = minimize_scalar(
            lambda u, c=c, p=p: np.log1p(np.exp(-u)) + c * u**p,
            bounds=(0.5, 5),
            method="bounded",
        )
        assert found.fun == pytest.approx(np.log(2), abs=1e-7)
        assert found.x == pytest.approx(w, abs=1e-3)
