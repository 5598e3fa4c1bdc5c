"""The logistic loss, on dense columns and on sparse ones that act as if centred."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from scipy.optimize import approx_fprime
from sklearn.metrics import log_loss

from solvers.numerics import logistic
from solvers.numerics.logistic import CentredColumns, LogisticLoss
from tests.each import each


def _both(seed=0, n_features=5, n_samples=9):
    rng = np.random.default_rng(seed)
    dense = rng.standard_normal((n_features, n_samples))
    dense[rng.random(dense.shape) < 0.6] = 0.0
    shift = rng.standard_normal(n_features)
    lazily = CentredColumns(sparse.csr_array(dense), shift)
    return lazily, dense - shift[:, np.newaxis]


@given(st.integers(0, 999))
@settings(max_examples=25)
def test_products_from_both_sides_are_those_of_the_dense_columns(seed):
    lazily, dense = _both(seed)
    rng = np.random.default_rng([seed, 1])
    right, left = rng.standard_normal(9), rng.standard_normal(5)
    assert lazily @ right == pytest.approx(dense @ right, abs=1e-12)
    assert left @ lazily == pytest.approx(left @ dense, abs=1e-12)


@each("chosen", [[3, 0], [2], []])
def test_a_choice_of_columns_is_that_of_the_dense_ones(chosen):
    lazily, dense = _both()
    chosen = np.array(chosen, dtype=int)
    right = np.arange(9.0)
    assert lazily[chosen] @ right == pytest.approx(dense[chosen] @ right)
    assert lazily[chosen].shape == (len(chosen), 9)


def test_moments_are_weighed_by_the_shares_of_the_rows():
    lazily, _ = _both()
    scaled = lazily.scaled.toarray()
    shares = np.random.default_rng(1).dirichlet(np.ones(9))
    centred = CentredColumns(lazily.scaled, scaled @ shares)
    away = scaled - (scaled @ shares)[:, np.newaxis]
    assert centred.variances(shares) == pytest.approx(away**2 @ shares)
    assert centred.absolute_means(shares) == pytest.approx(np.abs(away) @ shares)


def test_size_counts_what_would_be_stored():
    lazily, dense = _both()
    assert lazily.size == dense.size
    assert lazily.shape == dense.shape


def test_single_precision_is_asked_for_and_kept():
    lazily, dense = _both()
    single = lazily.astype(np.float32, copy=False)
    assert single.dtype == np.float32
    found = single @ np.ones(9, dtype=np.float32)
    assert found == pytest.approx(dense.sum(axis=1), abs=1e-4)


def _table(seed=0, n_samples=30):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n_samples, 4)) * [1.0, 50.0, 1e-3, 1.0] + [0, 7, 0, 1e3]
    signs = np.where(rng.random(n_samples) < 0.4, 1.0, -1.0)
    return X, signs, rng.uniform(0.1, 2.0, n_samples)


@pytest.fixture(params=["dense", "sparse"])
def loss(request):
    X, signs, weights = _table()
    rows = X if request.param == "dense" else sparse.csr_array(X)
    return LogisticLoss.from_rows(rows, signs, weights)


def test_the_value_is_the_log_loss_of_scikit_learn(loss):
    X, signs, weights = _table()
    odds = np.linspace(-3, 3, len(X))
    chances = 1 / (1 + np.exp(-odds))
    wanted = log_loss(signs, chances, sample_weight=weights)
    assert loss.value(odds) == pytest.approx(wanted)
    assert loss.at(odds).value == pytest.approx(wanted)


def test_slopes_and_curvatures_are_derivatives_of_the_value(loss):
    odds = np.linspace(-3, 3, loss.n_samples)
    point = loss.at(odds)
    assert point.slopes == pytest.approx(approx_fprime(odds, loss.value), abs=1e-7)
    step = 1e-5
    ahead, behind = loss.at(odds + step).slopes, loss.at(odds - step).slopes
    assert point.curvatures == pytest.approx((ahead - behind) / (2 * step), abs=1e-9)


def test_the_gradient_is_that_of_the_weights(loss):
    every = np.arange(4)
    weights = np.array([0.3, -0.7, 1.1, 0.2])

    def value(w):
        return loss.value(loss.odds(every, w, 0.4))

    slopes = loss.at(loss.odds(every, weights, 0.4)).slopes
    wanted = approx_fprime(weights, value)
    assert loss.gradient(slopes) == pytest.approx(wanted, abs=1e-6)
    assert loss.gradient(slopes, np.array([2, 0])) == pytest.approx(
        wanted[[2, 0]], abs=1e-6
    )


def test_raw_weights_decide_on_raw_rows_as_scaled_ones_on_columns(loss):
    X = _table()[0]
    weights = np.array([0.3, -0.7, 1.1, 0.2])
    raw, intercept = loss.to_raw(weights, 0.4)
    odds = loss.odds(np.arange(4), weights, 0.4)
    assert X @ raw + intercept == pytest.approx(odds, abs=1e-8)


def test_columns_are_centred_and_of_half_range_one():
    X, signs, weights = _table()
    loss = LogisticLoss.from_rows(X, signs, weights)
    assert np.ptp(loss.columns, axis=1) == pytest.approx(np.full(4, 2.0))
    assert loss.columns @ (weights / weights.sum()) == pytest.approx(
        np.zeros(4), abs=1e-12
    )


def test_without_features_the_intercept_is_the_best_one(loss):
    best = np.full(loss.n_samples, loss.base_intercept)
    assert loss.at(best).slopes.sum() == pytest.approx(0.0, abs=1e-15)
    assert loss.odds(np.zeros(0, dtype=int), np.zeros(0), loss.base_intercept).tolist()
    assert loss.value(best) < min(loss.value(best + 0.1), loss.value(best - 0.1))


def test_no_gradient_exceeds_its_bound(loss):
    rng = np.random.default_rng(1)
    for scale in (0.1, 1.0, 100.0):
        odds = scale * rng.standard_normal(loss.n_samples)
        gradient = loss.gradient(loss.at(odds).slopes)
        assert (np.abs(gradient) <= loss.gradient_bounds * (1 + 1e-12)).all()


def test_variances_are_weighted_mean_squares(loss):
    X, _, weights = _table()
    shares = weights / weights.sum()
    scaled = X / (np.ptp(X, axis=0) / 2)
    wanted = shares @ (scaled - shares @ scaled) ** 2
    assert loss.variances == pytest.approx(wanted)


@each("sign", [1.0, -1.0])
def test_odds_beyond_the_exponential_s_range_overflow_nowhere(sign):
    X, signs, weights = _table()
    loss = LogisticLoss.from_rows(X, signs, weights)
    point = loss.at(sign * signs * 1e5)
    assert point.value == pytest.approx(0.0 if sign > 0 else 1e5)
    assert np.abs(point.slopes).sum() == pytest.approx(0.0 if sign > 0 else 1.0)
    assert (point.curvatures == 0).all()


def test_a_constant_column_is_not_selectable_and_counts_nothing():
    X, signs, weights = _table()
    X[:, 1] = 5.0
    loss = LogisticLoss.from_rows(X, signs, weights)
    assert loss.selectable.tolist() == [True, False, True, True]
    odds = loss.odds(np.array([1]), np.array([3.0]), 0.2)
    assert (odds == 0.2).all()


def test_the_range_of_huge_values_does_not_overflow():
    X, signs, weights = _table()
    X[:, 0] = np.where(X[:, 0] > 0, 1.7e308, -1.7e308)
    loss = LogisticLoss.from_rows(X, signs, weights)
    assert np.isfinite(loss.columns).all()
    assert loss.scale[0] == pytest.approx(1.7e308)


def test_a_large_table_is_summed_in_parts_of_its_rows(monkeypatch):
    loss = LogisticLoss.from_rows(*_table())
    chosen = np.array([0, 2, 3])
    models = np.array([[0.5, 0.0, -2.0, 1.0], [0.0, 0.0, 0.0, -1.0]])
    whole = [model[:-1] @ loss.columns[chosen] + model[-1] for model in models]
    monkeypatch.setattr(logistic, "_LARGE", 0)
    monkeypatch.setattr(logistic, "_BLOCK", 7)
    found = list(loss.odds_of_each(chosen, models))
    np.testing.assert_allclose(found, whole, rtol=0, atol=1e-12)
