"""What a matrix can spare on its diagonal, and no more."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solvers.certify.curved import dividing_diagonal


def least(matrix):
    return np.linalg.eigvalsh(matrix)[0]


@given(st.integers(0, 2**32 - 1), st.integers(1, 8))
@settings(max_examples=30, deadline=None)
def test_the_rest_stays_semidefinite(seed, n):
    half = np.random.default_rng(seed).standard_normal((n, n + 2))
    matrix = half @ half.T
    d = dividing_diagonal(matrix)
    assert (d >= 0).all()
    assert least(matrix - np.diag(d)) >= -1e-9 * np.trace(matrix)


def test_more_is_found_than_the_least_eigenvalue_everywhere():
    half = np.random.default_rng(0).standard_normal((20, 60))
    matrix = half @ half.T
    assert dividing_diagonal(matrix).sum() > 1.1 * 20 * least(matrix)


def test_a_diagonal_is_spared_whole():
    values = np.array([1.0, 2.0, 5.0])
    assert dividing_diagonal(np.diag(values)) == pytest.approx(values, rel=0.1)


def test_a_column_written_twice_spares_nothing_and_the_others_do():
    half = np.random.default_rng(1).standard_normal((5, 40))
    half[1] = half[0]
    matrix = half @ half.T
    d = dividing_diagonal(matrix)
    assert d[:2] == pytest.approx(0, abs=1e-6)
    assert (d[2:] > 1).all()
    assert least(matrix - np.diag(d)) >= -1e-9 * np.trace(matrix)
