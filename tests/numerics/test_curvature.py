"""A Hessian is the matrix of second derivatives; a kept one serves while it may."""

import numpy as np
import pytest
from scipy import sparse

from solvers.numerics.curvature import HessianCache, HessianProducts, hessian
from solvers.numerics.logistic import LogisticLoss
from solvers.numerics.prox_newton import WeightedL1, minimise, refit_on
from tests.each import each

N_FEATURES = 4


@pytest.fixture
def loss():
    rng = np.random.default_rng(0)
    X, signs = rng.standard_normal((60, N_FEATURES)), np.resize([1.0, -1.0], 60)
    return LogisticLoss.from_rows(X, signs, rng.uniform(1, 2, 60))


def curvatures_at(loss, weights, intercept):
    return loss.at(weights @ loss.columns + intercept).curvatures


def test_it_is_what_gradients_differ_by(loss):
    """Central differences of the gradient of ``sum_i share_i log(1 + exp(-s o))``."""
    rng = np.random.default_rng(1)
    point = rng.standard_normal(N_FEATURES + 1)
    rows = np.vstack([loss.columns, np.ones(loss.n_samples)])

    def gradient(at):
        odds = at @ rows
        return rows @ (-loss.signs * loss.shares / (1 + np.exp(loss.signs * odds)))

    step = 1e-5 * np.eye(N_FEATURES + 1)
    expected = [(gradient(point + h) - gradient(point - h)) / 2e-5 for h in step]
    found = hessian(loss.columns, curvatures_at(loss, point[:-1], point[-1]))
    np.testing.assert_allclose(found, expected, atol=1e-9)


def test_a_part_is_that_part_of_the_whole(loss):
    curvatures = curvatures_at(loss, np.ones(N_FEATURES), 0.5)
    whole = hessian(loss.columns, curvatures)
    for exact in (True, False):
        cache = HessianCache(loss, exact=exact)
        for index in ([], [2], [0, 3], range(N_FEATURES)):
            places = [*index, N_FEATURES]
            found = cache.near(np.array(index, dtype=int), curvatures, 0.0)
            expected = whole[np.ix_(places, places)]
            np.testing.assert_allclose(found, expected, rtol=0, atol=1e-6)


def test_a_kept_hessian_serves_until_curvature_drifts(loss):
    index, cache = np.arange(N_FEATURES), HessianCache(loss)
    curvatures = curvatures_at(loss, np.zeros(N_FEATURES), 0.0)
    first = cache.near(index, curvatures, 0.1)
    # Growth that all rows share is a factor, and no drift.
    np.testing.assert_allclose(cache.near(index, 3 * curvatures, 1e-9), 3 * first)
    assert cache.n_computed == 1
    moved = curvatures * np.linspace(0.5, 1.5, loss.n_samples)
    cache.near(index, moved, 1.0)
    assert cache.n_computed == 1
    np.testing.assert_allclose(
        cache.near(index, moved, 0.01), hessian(loss.columns, moved), atol=1e-6
    )
    assert cache.n_computed == 2


def test_a_copy_begins_with_the_same_and_goes_its_own_way(loss):
    index, cache = np.arange(N_FEATURES), HessianCache(loss)
    curvatures = curvatures_at(loss, np.zeros(N_FEATURES), 0.0)
    cache.near(index, curvatures, 0.1)
    other = cache.copy()
    other.near(index, curvatures, 0.1)
    assert other.n_computed == 0
    other.near(index, curvatures**2, 0.0)
    assert (other.n_computed, cache.n_computed) == (1, 1)
    cache.near(index, curvatures**2, 1e-6)  # it does not know what its copy computed
    assert cache.n_computed == 2


@pytest.fixture(scope="module")
def long_loss():
    """More rows than are weighed at a time, more values than are held twice."""
    rng = np.random.default_rng(2)
    X = rng.standard_normal((82_000, 50), dtype=np.float32).astype(float)
    signs = np.sign(X[:, 0] - X[:, 7] + rng.standard_normal(len(X)))
    return LogisticLoss.from_rows(X, signs, np.ones(len(X)))


@each("index", [None, np.array([0, 7, 49])])
def test_rows_weighed_by_blocks_sum_to_the_whole(long_loss, index):
    curvatures = long_loss.at(3 * long_loss.columns[0]).curvatures
    rows = long_loss.columns if index is None else long_loss.columns[index]
    rows = np.vstack([rows, np.ones(long_loss.n_samples)])
    whole = (rows * curvatures) @ rows.T
    found = hessian(long_loss.columns, curvatures, index)
    np.testing.assert_allclose(found, whole, rtol=0, atol=1e-13)
    rough = hessian(long_loss.columns, curvatures, index, dtype=np.float32)
    np.testing.assert_allclose(rough, whole, rtol=0, atol=1e-6)


def test_an_exact_fit_of_a_long_table_ends_where_the_gradient_does(long_loss):
    """Hessians that hardly moved are reused; what is reached is as exact."""
    support = np.isin(np.arange(50), [0, 7, 20])
    fit = refit_on(long_loss, support)
    point = long_loss.at(fit.weights @ long_loss.columns + fit.intercept)
    assert np.flatnonzero(fit.weights).tolist() == [0, 7, 20]
    assert np.abs(long_loss.gradient(point.slopes)[support]).max() <= 1e-9
    assert abs(point.slopes.sum()) <= 1e-9


def test_descents_on_a_long_table_look_at_all_of_its_columns(long_loss):
    """Columns outside of the working set are copied only when they want to enter."""
    slopes = np.full(50, 0.01)
    fit = minimise(long_loss, WeightedL1(slopes))
    point = long_loss.at(fit.weights @ long_loss.columns + fit.intercept)
    pulls = long_loss.gradient(point.slopes)
    used = fit.weights != 0
    assert used[[0, 7]].all()
    assert np.abs(pulls + slopes * np.sign(fit.weights))[used].max() <= 2e-6
    assert (np.abs(pulls) - slopes)[~used].max() <= 2e-6


def test_products_of_sparse_columns_are_those_of_the_matrix():
    rng = np.random.default_rng(2)
    X = sparse.random_array((80, 12), density=0.3, format="csr", rng=rng)
    loss = LogisticLoss.from_rows(X, np.resize([1.0, -1.0], 80), np.ones(80))
    curvatures = loss.at(rng.standard_normal(80)).curvatures
    products, matrix = (
        HessianProducts(loss.columns, curvatures),
        hessian(loss.columns, curvatures),
    )
    v = rng.standard_normal(13)
    np.testing.assert_allclose(products @ v, matrix @ v, atol=1e-9)
    np.testing.assert_allclose(products.diagonal(), np.diag(matrix), atol=1e-9)
