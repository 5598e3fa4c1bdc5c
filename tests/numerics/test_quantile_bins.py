"""Bins of equal weight."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvers.numerics.quantile_bins import QuantileBins, weighted_median


def test_distinct_values_are_cut_into_equal_parts():
    X = np.arange(20.0)[::-1, np.newaxis]
    binned = QuantileBins.fit(X, np.ones(20), 5).transform(X)
    assert np.bincount(binned[:, 0]).tolist() == [4, 4, 4, 4, 4]


def test_a_constant_column_has_one_bin():
    bins = QuantileBins.fit(np.ones((6, 1)), np.ones(6), 5)
    assert bins.n_bins == 1
    assert bins.transform(np.array([[-9.0], [9.0]])).tolist() == [[0], [0]]


@given(st.integers(2, 30), st.integers(2, 6), st.integers(0, 10_000))
def test_a_weight_of_two_is_a_row_written_twice(n_samples, n_bins, seed):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 9, (n_samples, 2)).astype(float)
    times = rng.integers(1, 4, n_samples)
    weighed = QuantileBins.fit(X, times.astype(float), n_bins)
    written = QuantileBins.fit(np.repeat(X, times, axis=0), np.ones(sum(times)), n_bins)
    for ours, theirs in zip(weighed.edges, written.edges, strict=True):
        assert ours.tolist() == theirs.tolist()


@given(st.integers(1, 20), st.integers(0, 10_000))
def test_a_weighted_median_is_that_of_rows_written_out(n_samples, seed):
    rng = np.random.default_rng(seed)
    column, times = rng.integers(0, 9, n_samples), rng.integers(1, 5, n_samples)
    written = np.median(np.repeat(column.astype(float), times))
    assert weighted_median(column, times) == written
    # Thirds of rows differ by rounding where they are summed.
    assert weighted_median(column, times / 3.0) == written


@given(st.integers(2, 30), st.integers(0, 10_000))
def test_no_bin_of_the_fitted_rows_is_empty(n_samples, seed):
    X = np.random.default_rng(seed).integers(0, 5, (n_samples, 1)).astype(float)
    bins = QuantileBins.fit(X, np.ones(n_samples), 5)
    counts = np.bincount(bins.transform(X)[:, 0], minlength=bins.n_bins)
    assert counts.min() > 0
    assert counts.sum() == pytest.approx(n_samples)
