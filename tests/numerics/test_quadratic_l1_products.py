"""By products alone a quadratic with absolute values comes as low as by its matrix."""

import numpy as np
import pytest
from scipy import sparse

from solvers.numerics import prox_newton, quadratic_l1_products
from solvers.numerics.absolute import WeightedL1
from solvers.numerics.logistic import LogisticLoss
from solvers.numerics.prox_newton import minimise, refit_on
from solvers.numerics.quadratic_l1 import minimise_quadratic_l1
from solvers.numerics.quadratic_l1_products import _proximal_gradient, _value
from tests.numerics.test_quadratic_l1 import problem, value


class Matrix:
    """A matrix that tells products only."""

    def __init__(self, Q):
        self.Q = Q

    def __matmul__(self, x):
        return self.Q @ x

    def diagonal(self):
        return np.diag(self.Q)


@pytest.mark.parametrize("tie", [0.0, 0.1, 1.0])
@pytest.mark.parametrize("seed", range(8))
def test_its_steps_end_at_the_minimiser(seed, tie):
    """Of columns that have more or less in common."""
    Q, c, slopes = problem(seed, 12)
    Q += tie * np.trace(Q) * np.ones((12, 12))
    x = np.random.default_rng(seed).standard_normal(12)
    reached = [value(Q, c, slopes, x)]
    for _ in range(20):
        x = quadratic_l1_products.descend_quadratic_l1(Matrix(Q), c, slopes, x)
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
    assert np.isclose(_value(x, c - Q @ x, c, slopes), value(Q, c, slopes, x))


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
