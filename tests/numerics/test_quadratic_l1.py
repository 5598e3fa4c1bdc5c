"""One step of prox-Newton is the best of all patterns of signs."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvers.numerics.quadratic_l1 import (
    _accelerated_gradient,
    _sign_search,
    minimise_quadratic_l1,
)


def problem(seed, k, tied=False):
    """A positive definite problem; `tied`: of columns that say nearly the same."""
    rng = np.random.default_rng(seed)
    factor = rng.standard_normal((2 * k, k))
    if tied:
        factor[:, 1:] = factor[:, :1] + 1e-3 * factor[:, 1:]
    slopes = rng.uniform(0.0, 3.0, k) * (rng.random(k) < 0.8)
    return factor.T @ factor, 3.0 * rng.standard_normal(k), slopes


def value(Q, c, slopes, x):
    return x @ Q @ x / 2 - c @ x + slopes @ np.abs(x)


def enumerated(Q, c, slopes):
    """The minimum over every pattern of signs whose own minimiser has these signs."""
    best, at = 0.0, np.zeros(len(c))
    for signs in product((-1, 0, 1), repeat=len(c)):
        signs = np.array(signs)
        on, x = np.flatnonzero(signs), np.zeros(len(c))
        if len(on):
            x[on] = np.linalg.solve(Q[np.ix_(on, on)], (c - slopes * signs)[on])
        if np.all((x * signs >= 0) | (slopes == 0)) and value(Q, c, slopes, x) < best:
            best, at = value(Q, c, slopes, x), x
    return best, at


@given(st.integers(0, 10_000), st.integers(1, 5), st.booleans(), st.booleans())
def test_it_is_the_best_of_all_patterns_of_signs(seed, k, tied, is_far):
    Q, c, slopes = problem(seed, k, tied)
    start = 10.0 * np.random.default_rng(seed).standard_normal(k) * is_far
    found = minimise_quadratic_l1(Q, c, slopes, start)
    best, at = enumerated(Q, c, slopes)
    # Of columns that say nearly the same, both references lose digits.
    digits = 1e-6 if tied else 1e-9
    assert value(Q, c, slopes, found) == pytest.approx(best, rel=digits, abs=1e-9)
    if not tied:
        np.testing.assert_allclose(found, at, atol=1e-9)


@given(st.integers(0, 10_000), st.integers(1, 5))
def test_what_stands_in_where_signs_cycle_finds_it_too(seed, k):
    Q, c, slopes = problem(seed, k)
    best, at = enumerated(Q, c, slopes)
    found = _sign_search(Q, c, slopes, np.zeros(k))
    np.testing.assert_allclose(found, at, atol=1e-6)
    # A hundred gradients come near, and never end above where they began.
    near = _accelerated_gradient(Q, c, slopes, np.zeros(k))
    assert best - 1e-9 <= value(Q, c, slopes, near) <= 0.0


def test_slopes_that_outweigh_every_gradient_leave_nothing():
    Q, c, _ = problem(0, 4)
    found = minimise_quadratic_l1(Q, c, np.abs(c) * (1 + 1e-9), np.ones(4))
    assert not found.any()
