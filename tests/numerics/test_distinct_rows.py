"""Rows that repeat are one row with the weight of all."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvers.numerics.distinct_rows import distinct_rows


def drawn(seed):
    rng = np.random.default_rng(seed)
    X = rng.integers(-1, 2, (12, 2)) * 1.0
    return X, rng.choice([-1.0, 1.0], 12), rng.integers(1, 4, 12) * 1.0


@given(st.integers(0, 10_000))
def test_weights_are_those_of_all_equal_rows(seed):
    X, signs, weights = drawn(seed)
    rows, labels, totals = distinct_rows(X, signs, weights)
    for row, label, total in zip(rows, labels, totals, strict=True):
        same = (row == X).all(axis=1) & (signs == label)
        expected = weights[same].sum() / weights.sum() * len(rows)
        assert total == pytest.approx(expected)


@given(st.integers(0, 10_000))
def test_repeats_and_weights_are_the_same_bits_in_any_order(seed):
    X, signs, weights = drawn(seed)
    repeated = np.repeat(np.arange(12), weights.astype(int))
    repeated = np.random.default_rng(seed).permutation(repeated)
    one = distinct_rows(X, signs, weights)
    other = distinct_rows(X[repeated], signs[repeated], np.ones(len(repeated)))
    for mine, theirs in zip(one, other, strict=True):
        assert np.array_equal(mine, theirs)


def test_rows_of_other_labels_are_other_rows():
    rows, signs, _ = distinct_rows(np.zeros((2, 1)), np.array([1.0, -1.0]), np.ones(2))
    assert len(rows) == len(signs) == 2


def test_minus_zero_is_zero():
    X = np.array([[0.0], [-0.0]])
    assert len(distinct_rows(X, np.ones(2), np.ones(2))[0]) == 1
