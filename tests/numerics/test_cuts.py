"""Cuts between numbers and at quantiles, of dense columns and sparse ones."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from solvers.numerics.cuts import (
    QuantileBins,
    columns_of,
    midway,
    row_blocks,
    weighted_median,
)
from tests.each import each

numbers = st.floats(allow_nan=False)


def neighbours(number):
    """Numbers one after the other, from the smallest step that there is on."""
    return number, math.nextafter(number, math.inf)  # NumPy's warns at the largest


pairs = st.one_of(st.tuples(numbers, numbers), numbers.map(neighbours)).filter(
    lambda pair: pair[0] < pair[1]
)


@given(pairs)
def test_it_parts_the_lower_from_the_higher(pair):
    low, high = pair
    assert low < midway(low, high, inclusive=True) <= high
    assert low <= midway(low, high, inclusive=False) < high


@given(st.lists(st.floats(-1e6, 1e6, width=32), min_size=2, max_size=9, unique=True))
def test_it_is_halfway_where_that_is_between(found):
    ranked = np.sort(found)
    halfway = (ranked[:-1] + ranked[1:]) / 2
    for inclusive in (True, False):
        between = midway(ranked[:-1], ranked[1:], inclusive=inclusive)
        assert np.array_equal(between, halfway)


TABLE = np.arange(21.0).reshape(7, 3) * (np.arange(21).reshape(7, 3) % 2)


@each("form", [np.asarray, sparse.csr_array, sparse.csc_array])
def test_columns_are_dense_and_in_order(form):
    column = columns_of(form(TABLE))
    for j in range(3):
        assert column(j).tolist() == TABLE[:, j].tolist()


@each("form", [np.asarray, sparse.csr_array, sparse.csc_array])
@each("size", [1, 3, 7, 100])
def test_blocks_of_rows_follow_each_other_to_the_end(form, size):
    blocks = list(row_blocks(form(TABLE), size))
    assert all(isinstance(block, np.ndarray) for block in blocks)
    assert all(len(block) == size for block in blocks[:-1])
    assert (np.concatenate(blocks) == TABLE).all()


def test_no_rows_are_no_blocks():
    assert list(row_blocks(np.zeros((0, 3)), 5)) == []


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
