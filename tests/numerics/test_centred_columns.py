"""Sparse columns that are centred as they are used are those that are centred."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from solvers.numerics.centred_columns import CentredColumns


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


@pytest.mark.parametrize("chosen", [[3, 0], [2], []])
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
