"""Columns in units of their spread: rows of weight two are rows written twice."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvers.numerics.column_scale import ColumnScale


def table(seed, n=20):
    rng = np.random.default_rng(seed)
    return rng.standard_normal((n, 3)) * [1.0, 1e-6, 1e9] + [0.0, 5.0, -1e9]


@given(st.integers(0, 10_000))
def test_weights_count_rows(seed):
    X = table(seed)
    times = np.random.default_rng(seed).integers(0, 4, len(X))
    times[0] = 1
    scale = ColumnScale.of(X, times.astype(float))
    written = np.repeat(X, times, axis=0)
    np.testing.assert_allclose(scale.centre, written.mean(axis=0), rtol=1e-12)
    np.testing.assert_allclose(scale.spread, written.std(axis=0), rtol=1e-7)


def test_columns_come_out_with_mean_0_and_spread_1():
    X = table(0)
    scaled = ColumnScale.of(X, np.ones(len(X))).standardised(X)
    np.testing.assert_allclose(scaled.mean(axis=0), 0.0, atol=1e-9)
    np.testing.assert_allclose(scaled.std(axis=0), 1.0, rtol=1e-9)


@pytest.mark.parametrize("value", [0.0, 0.1, -3e300, 1e-310])
def test_a_constant_column_comes_out_as_zeros_whatever_its_value(value):
    X = np.column_stack([np.full(7, value), np.arange(7.0)])
    scale = ColumnScale.of(X, np.linspace(1, 2, 7))
    assert scale.is_constant.tolist() == [True, False]
    assert not scale.standardised(X)[:, 0].any()
    assert scale.spread[0] == 1.0


def test_values_whose_squares_overflow_have_a_spread():
    X = np.array([[-1e300], [1e300]])
    assert ColumnScale.of(X, np.ones(2)).spread == pytest.approx([1e300])


@given(st.integers(0, 10_000))
def test_raw_weights_say_of_raw_rows_what_scaled_ones_say_of_scaled(seed):
    X, rng = table(seed), np.random.default_rng(seed)
    scale = ColumnScale.of(X, rng.uniform(0.5, 2, len(X)))
    coef, intercept = rng.standard_normal((2, 3)), rng.standard_normal(2)
    said = scale.standardised(X) @ coef.T + intercept
    raw_coef, raw_intercept = scale.raw(coef, intercept)
    np.testing.assert_allclose(X @ raw_coef.T + raw_intercept, said, atol=1e-6)


def test_a_scale_that_changes_nothing_gives_back_the_same_numbers():
    X = table(1)
    assert np.array_equal(ColumnScale.unchanged(3).standardised(X), X)
