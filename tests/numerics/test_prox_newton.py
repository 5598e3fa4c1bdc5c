"""Weighted l1 logistic regression, refits and their quadratic steps are exact."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from scipy.optimize import approx_fprime
from sklearn.linear_model import LogisticRegression

from solvers.costs.hypergraph import FeatureHypergraph
from solvers.methods.acafh.penalties import Lp, SharedPenalty, Sharing
from solvers.numerics.curvature import HessianCache, hessian
from solvers.numerics.logistic import LogisticLoss
from solvers.numerics.prox_newton import Restriction, WeightedL1, minimise, refit_on
from solvers.numerics.quadratic_l1 import _accelerated_gradient, minimise_quadratic_l1
from solvers.numerics.weighted_l1 import WeightedL1Fits
from tests.each import each

MAGNITUDES = np.array([0.5, 0.0, 2.0])


def test_a_weighted_l1_norm_rises_by_its_weights_and_does_not_bend():
    penalty = WeightedL1(np.array([1.0, 2.0, 0.5]))
    assert penalty.value(MAGNITUDES) == 1.5
    slopes = approx_fprime(MAGNITUDES, penalty.value)
    assert penalty.slopes(MAGNITUDES) == pytest.approx(slopes)
    assert penalty.second_derivative(MAGNITUDES, np.arange(3)) is None


def test_a_restriction_is_free_on_its_support_and_locks_all_others():
    penalty = Restriction(np.array([True, False, True]))
    assert penalty.value(MAGNITUDES) == 0.0
    assert penalty.slopes(MAGNITUDES).tolist() == [0.0, np.inf, 0.0]


def test_a_locked_weight_stays_at_zero_whatever_it_would_gain():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((80, 3))
    signs = np.where(X[:, 1] + 0.5 * rng.standard_normal(80) > 0, 1.0, -1.0)
    loss = LogisticLoss.from_rows(X, signs, np.ones(80))
    support = np.array([True, False, True])
    fit = minimise(loss, Restriction(support), tol=1e-8, max_iter=100)
    assert fit.weights[1] == 0.0
    gradient = loss.gradient(loss.at(fit.odds).slopes)
    assert gradient[support] == pytest.approx([0, 0], abs=1e-6)
    assert abs(gradient[1]) > 0.1


pytestmark = pytest.mark.kernels


def _loss(seed=0, n_samples=200, n_features=8, weights=None):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n_samples, n_features)) + rng.uniform(-1, 1, n_features)
    scores = X @ rng.standard_normal(n_features) + 2 * rng.standard_normal(n_samples)
    signs = np.where(scores > 0.5, 1.0, -1.0)
    weights = np.ones(n_samples) if weights is None else weights
    return LogisticLoss.from_rows(X, signs, weights), X


def _reference(loss, prices):
    """The same problem by scikit-learn's solver on columns divided by their price."""
    model = LogisticRegression(
        l1_ratio=1,
        solver="saga",
        C=1.0 / len(loss.signs),
        tol=1e-9,
        max_iter=100_000,
        random_state=0,
    )
    model.fit((loss.columns / prices[:, np.newaxis]).T, loss.signs)
    return model.coef_[0] / prices, model.intercept_[0]


@each("seed", range(3))
def test_weighted_l1_is_that_of_scikit_learn(seed):
    loss, _ = _loss(seed)
    prices = 0.02 * np.random.default_rng(seed).uniform(0.3, 2, 8)
    fit = minimise(loss, WeightedL1(prices), tol=1e-9)
    weights, intercept = _reference(loss, prices)
    assert 0 < np.count_nonzero(fit.weights) < 8
    assert fit.weights == pytest.approx(weights, abs=1e-5)
    assert fit.intercept == pytest.approx(intercept, abs=1e-5)


def test_weighted_l1_is_that_of_a_convex_solver():
    import cvxpy as cp

    loss, _ = _loss(5, n_samples=80, n_features=5)
    prices = np.array([0.01, 0.02, 0.0, 0.05, 0.03])
    w, b = cp.Variable(5), cp.Variable()
    margins = cp.multiply(loss.signs, loss.columns.T @ w + b)
    total = cp.sum(cp.logistic(-margins)) / 80 + prices @ cp.abs(w)
    exact = cp.Problem(cp.Minimize(total)).solve(solver=cp.CLARABEL)
    fit = minimise(loss, WeightedL1(prices), tol=1e-9)
    assert fit.objective == pytest.approx(exact, abs=1e-7)
    assert fit.weights == pytest.approx(w.value, abs=1e-3)


def test_more_features_than_rows_meets_its_optimality_conditions():
    loss, _ = _loss(4, n_samples=60, n_features=800)
    alpha = 0.1 * WeightedL1Fits(loss, np.ones(800)).null_alpha
    fit = minimise(loss, WeightedL1(np.full(800, alpha)), tol=1e-8)
    gradient = loss.gradient(loss.at(fit.odds).slopes)
    used = fit.weights != 0
    assert 0 < used.sum() < 60
    assert np.abs(gradient[~used]).max() <= alpha + 1e-7
    assert gradient[used] == pytest.approx(
        -alpha * np.sign(fit.weights[used]), abs=1e-7
    )


def test_path_starts_where_the_first_feature_enters():
    loss, _ = _loss(5)
    fits = WeightedL1Fits(loss, np.ones(8), tol=1e-9)
    assert not fits.fit(fits.null_alpha * 1.0001).weights.any()
    assert np.count_nonzero(fits.fit(fits.null_alpha * 0.99).weights) == 1


def test_warm_fits_are_cold_fits():
    loss, _ = _loss(6)
    warm = WeightedL1Fits(loss, np.ones(8), tol=1e-9)
    for alpha in warm.alphas(12, 1e-3):
        cold = minimise(loss, WeightedL1(np.full(8, alpha)), tol=1e-9)
        assert warm.fit(alpha).weights == pytest.approx(cold.weights, abs=1e-5)


def test_refit_is_maximum_likelihood():
    loss, X = _loss(7)
    support = np.arange(8) % 2 == 0
    fit = refit_on(loss, support)
    exact = LogisticRegression(C=np.inf, tol=1e-10, max_iter=1000)
    exact.fit(X[:, support], loss.signs)
    weights, intercept = loss.to_raw(fit.weights, fit.intercept)
    assert weights[support] == pytest.approx(exact.coef_[0], rel=1e-4)
    assert intercept == pytest.approx(exact.intercept_[0], rel=1e-4, abs=1e-5)
    assert not fit.weights[~support].any()


def test_refit_of_separable_classes_is_finite():
    X = np.linspace(-1, 1, 20)[:, np.newaxis]
    loss = LogisticLoss.from_rows(X, np.sign(X[:, 0]), np.ones(20))
    fit = refit_on(loss, np.array([True]))
    assert np.isfinite(fit.weights).all()
    assert fit.loss < 1e-6


def test_refit_uses_all_of_a_support_though_rare_columns_tell_the_class():
    """Rare columns of one class have no finite weight; no refit ends with them."""
    rng = np.random.default_rng(0)
    table = sparse.random_array((2000, 2400), density=0.005, format="csr", rng=rng)
    signs = np.where(table[:, :90].sum(axis=1) > rng.random(2000), 1.0, -1.0)
    loss = LogisticLoss.from_rows(table, signs, np.ones(2000))
    fits = WeightedL1Fits(loss, np.ones(2400))
    fit = fits.fit(fits.null_alpha / 4.0)
    support = fit.weights != 0
    assert support.sum() > 60
    refit = refit_on(loss, support, fit)
    np.testing.assert_array_equal(refit.weights != 0, support)
    assert refit.loss < fit.loss
    assert refit.violation < 1e-8


def test_columns_that_repeat_each_other_are_survived():
    _, X = _loss(8)
    twice = np.column_stack([X, X, X[:, :1] + X[:, 1:2]])
    signs = np.where(X[:, 0] + np.sin(7 * X[:, 1]) > 0, 1.0, -1.0)
    loss = LogisticLoss.from_rows(twice, signs, np.ones(200))
    once = LogisticLoss.from_rows(X, signs, np.ones(200))
    everything = refit_on(loss, np.ones(17, dtype=bool))
    assert everything.loss == pytest.approx(refit_on(once, np.ones(8, bool)).loss)


@given(st.integers(0, 10_000), st.integers(1, 9))
def test_quadratic_step_is_optimal(seed, k):
    rng = np.random.default_rng(seed)
    root = rng.standard_normal((k, k + 3))
    Q, c = root @ root.T / k + 0.01 * np.eye(k), rng.standard_normal(k)
    slopes = rng.exponential(0.5, k) * (rng.random(k) < 0.8)
    x = minimise_quadratic_l1(Q, c, slopes, rng.standard_normal(k))
    pull = c - Q @ x
    assert np.abs(pull[x == 0]).max(initial=0) <= slopes[x == 0].max(initial=0) + 1e-6
    assert pull[x != 0] == pytest.approx((slopes * np.sign(x))[x != 0], abs=1e-6)


@given(st.integers(0, 10_000))
def test_quadratic_step_is_optimal_where_columns_hardly_differ(seed):
    rng = np.random.default_rng(seed)
    basis, _ = np.linalg.qr(rng.standard_normal((30, 30)))
    Q = (basis * np.geomspace(1e-7, 1, 30)) @ basis.T
    c, slopes = Q @ rng.standard_normal(30), np.full(30, 1e-4)
    x = minimise_quadratic_l1(Q, c, slopes, rng.standard_normal(30))
    pull = c - Q @ x
    assert np.abs(pull[x == 0]).max(initial=0) <= 1e-4 + 1e-9
    assert pull[x != 0] == pytest.approx(1e-4 * np.sign(x[x != 0]), abs=1e-9)


def test_descent_ends_where_columns_hardly_differ():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((300, 1)) + 0.01 * rng.standard_normal((300, 20))
    signs = np.where(X.sum(axis=1) + rng.standard_normal(300) > 0, 1.0, -1.0)
    loss = LogisticLoss.from_rows(X, signs, np.ones(300))
    fit = minimise(loss, WeightedL1(np.full(20, 1e-5)), tol=1e-8)
    assert fit.violation <= 1e-8
    assert fit.n_iter < 50


def test_fallback_of_the_quadratic_step_comes_near():
    rng = np.random.default_rng(0)
    root = rng.standard_normal((6, 9))
    Q, c, slopes = root @ root.T, rng.standard_normal(6), np.full(6, 0.3)
    exact = minimise_quadratic_l1(Q, c, slopes, np.zeros(6))
    slow = _accelerated_gradient(Q, c, slopes, np.zeros(6))
    assert slow == pytest.approx(exact, abs=1e-3)


def test_gradient_and_hessian_are_finite_differences():
    loss, _ = _loss(9, n_features=4)
    w, b, everything = np.array([0.3, -0.2, 0.5, 0.1]), 0.2, np.arange(4)

    def slopes(step):
        point = loss.at(loss.odds(everything, w + step[:4], b + step[4]))
        return np.append(loss.gradient(point.slopes), point.slopes.sum()), point

    gradient, point = slopes(np.zeros(5))
    matrix = hessian(loss.columns, point.curvatures)
    for j, step in enumerate(1e-6 * np.eye(5)):
        up, high = slopes(step)
        down, low = slopes(-step)
        assert gradient[j] == pytest.approx((high.value - low.value) / 2e-6, abs=1e-8)
        assert matrix[j] == pytest.approx((up - down) / 2e-6, abs=1e-7)


def test_extreme_odds_have_finite_losses():
    loss, _ = _loss(10)
    point = loss.at(np.where(np.arange(200) % 2, 1e6, -1e6))
    assert np.isfinite(point.value)
    assert np.isfinite(point.slopes).all()
    assert (point.curvatures >= 0).all()


def test_weights_of_rows_are_repeats():
    times = np.random.default_rng(0).integers(1, 4, 200).astype(float)
    weighed, X = _loss(11, weights=times)
    repeated = LogisticLoss.from_rows(
        np.repeat(X, times.astype(int), axis=0),
        np.repeat(weighed.signs, times.astype(int)),
        np.ones(int(times.sum())),
    )
    prices = WeightedL1(np.full(8, 0.01))
    one, other = (minimise(loss, prices, tol=1e-9) for loss in (weighed, repeated))
    assert one.weights == pytest.approx(other.weights, abs=1e-7)


def test_constant_columns_are_not_selectable():
    X = np.column_stack(
        [np.arange(5.0), np.zeros(5), np.full(5, 0.1), np.full(5, 1e300)]
    )
    loss = LogisticLoss.from_rows(X, np.array([1.0, -1, 1, -1, 1]), np.ones(5))
    assert loss.selectable.tolist() == [True, False, False, False]
    assert not loss.columns[1:].any()


def test_hessian_from_nearby_is_reused():
    loss, _ = _loss(12)
    cache = HessianCache(loss)
    curvatures = loss.at(np.zeros(200)).curvatures
    everything = np.arange(8)
    cache.near(everything, curvatures, 0.1)
    cache.near(everything[:3], 1.01 * curvatures, 0.1)
    assert cache.n_computed == 1
    exact = hessian(loss.columns[:3], 2.0 * curvatures)
    assert cache.near(everything[:3], 2 * curvatures, 0.1) == pytest.approx(
        exact, rel=1e-4, abs=1e-7
    )


def test_what_a_shortened_step_leaves_of_a_weight_is_dropped():
    """The slope of l_p there is 1e31: it would be the distance from stationarity."""
    loss, _ = _loss()
    sharing = Sharing(FeatureHypergraph.independent(np.ones(8)))
    penalty = SharedPenalty(1e-3, Lp(0.5), sharing)
    weights = np.array([1.0, -0.5, 1e-62, 0, 0, 0, -1e-62, 0])
    untouched = minimise(loss, penalty, weights, max_iter=0)
    assert np.flatnonzero(untouched.weights).tolist() == [0, 1]
    assert untouched.violation < 1.0
    odds = untouched.weights @ loss.columns + untouched.intercept
    assert untouched.odds == pytest.approx(odds, abs=1e-14)
    assert untouched.penalty == penalty.value(np.abs(untouched.weights))
    assert minimise(loss, penalty, weights).violation <= 1e-6
