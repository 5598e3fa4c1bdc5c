"""Quadratic problems with weighted absolute values, small and by products."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from solvers.numerics import prox_newton
from solvers.numerics.logistic import LogisticLoss
from solvers.numerics.prox_newton import WeightedL1, minimise, refit_on
from solvers.numerics.quadratic_l1 import (
    _accelerated_gradient,
    _proximal_gradient,
    _sign_search,
    _value_at,
    descend_quadratic_l1,
    minimise_quadratic_l1,
)
from tests.each import each


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


class Matrix:
    """A matrix that tells products only."""

    def __init__(self, Q):
        self.Q = Q

    def __matmul__(self, x):
        return self.Q @ x

    def diagonal(self):
        return np.diag(self.Q)


@each("tie", [0.0, 0.1, 1.0])
@each("seed", range(8))
def test_its_steps_end_at_the_minimiser(seed, tie):
    """Of columns that have more or less in common."""
    Q, c, slopes = problem(seed, 12)
    Q += tie * np.trace(Q) * np.ones((12, 12))
    x = np.random.default_rng(seed).standard_normal(12)
    reached = [value(Q, c, slopes, x)]
    for _ in range(20):
        x = descend_quadratic_l1(Matrix(Q), c, slopes, x)
        reached.append(value(Q, c, slopes, x))
    assert np.all(np.diff(reached) <= 1e-9 * np.abs(reached[:-1]))
    best = minimise_quadratic_l1(Q, c, slopes, x)
    assert reached[-1] <= value(Q, c, slopes, best) + 1e-5 * abs(reached[0])


def test_the_gradient_that_it_falls_back_on_descends():
    Q, c, slopes = problem(3, 12)
    start = np.zeros(12)
    x = _proximal_gradient(Matrix(Q), c, slopes, start, np.diag(Q))
    best = value(Q, c, slopes, minimise_quadratic_l1(Q, c, slopes, start))
    assert value(Q, c, slopes, x) < 0.99 * best
    assert np.isclose(_value_at(x, c - Q @ x, c, slopes), value(Q, c, slopes, x))


def test_a_fit_of_sparse_rows_is_the_same_by_products(monkeypatch):
    rng = np.random.default_rng(0)
    X = sparse.random_array((500, 300), density=0.05, format="csr", rng=rng)
    odds = X @ np.where(np.arange(300) < 40, rng.normal(size=300), 0.0)
    signs = np.where(odds + 0.5 * rng.normal(size=500) > 0, 1.0, -1.0)
    loss = LogisticLoss.from_rows(X, signs, np.ones(500))
    fits = []
    for most in (10_000, 5):
        monkeypatch.setattr(prox_newton, "_MANY", most)
        fit = minimise(loss, WeightedL1(np.full(300, 1e-2)), tol=1e-8)
        fits.append((fit, refit_on(loss, fit.weights != 0, fit)))
    (fit, refit), (by_products, refit_by_products) = fits
    assert 20 < np.count_nonzero(fit.weights) < 150
    assert np.allclose(by_products.weights, fit.weights, atol=1e-4)
    assert np.allclose(refit_by_products.weights, refit.weights, atol=1e-4)
    assert by_products.violation <= 1e-8
