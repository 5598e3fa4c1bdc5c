"""A quadratic with norms of blocks is minimised: its conditions of optimality hold."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solvers.numerics.quadratic_group import minimise_quadratic_group, outside_of


def problem(seed, n_blocks, size):
    rng = np.random.default_rng(seed)
    n = n_blocks * size
    root = rng.standard_normal((n + 2, n))
    slopes = rng.uniform(0.0, 3.0, n_blocks) * rng.integers(0, 2, n_blocks)
    return root.T @ root / n, rng.standard_normal((n_blocks, size)), slopes, rng


def value(Q, c, slopes, x):
    flat = x.ravel()
    norms = np.sqrt((x**2).sum(axis=1))
    return flat @ Q @ flat / 2 - (c * x).sum() + slopes @ norms


@settings(deadline=None, max_examples=25)
@given(st.integers(0, 10_000), st.integers(1, 6), st.integers(1, 4))
def test_it_is_stationary_and_no_higher_than_the_start(seed, n_blocks, size):
    Q, c, slopes, rng = problem(seed, n_blocks, size)
    start = rng.standard_normal(c.shape) * rng.integers(0, 2, (n_blocks, 1))
    x = minimise_quadratic_group(Q, c, slopes, start, 1e-9)
    pull = c - (Q @ x.ravel()).reshape(x.shape)
    assert outside_of(x, pull, slopes).max() <= 1e-6
    assert value(Q, c, slopes, x) <= value(Q, c, slopes, start) + 1e-12


def test_one_matrix_for_all_coordinates_is_the_same_problem():
    G, _, slopes, rng = problem(3, 5, 1)
    c = rng.standard_normal((5, 3))
    start = np.zeros((5, 3))
    shared = minimise_quadratic_group(G, c, slopes, start, 1e-9)
    spelt = minimise_quadratic_group(np.kron(G, np.eye(3)), c, slopes, start, 1e-9)
    assert shared == pytest.approx(spelt, abs=1e-6)


def test_distance_is_to_the_subdifferential_of_a_norm():
    x = np.array([[3.0, 4.0], [0.0, 0.0], [0.0, 0.0]])
    pull = np.array([[0.6, 0.8], [3.0, 4.0], [0.1, 0.0]])
    assert outside_of(x, pull, np.ones(3)) == pytest.approx([0.0, 4.0, 0.0])
