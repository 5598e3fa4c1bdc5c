"""Newton systems solve, through every side, the equations that they stand for."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from scipy.linalg import LinAlgError

from solvers.methods.selective_ridge.newton import (
    AcrossFeatures,
    AcrossRows,
    Extended,
)
from tests.each import each


def _system(seed, n_rows, n_features, spread=1.0, with_gram=False):
    """Columns, curvature, resistance and a folded Gram matrix."""
    rng = np.random.default_rng(seed)
    block = rng.standard_normal((n_rows, n_features))
    curvature = 10 ** rng.uniform(-spread, spread, n_features)
    resistance = 10 ** rng.uniform(-spread, spread, n_rows)
    folded = rng.standard_normal((n_rows, 3))
    return block, curvature, resistance, folded @ folded.T if with_gram else None


def _left(block, curvature, resistance, gram, dual, intercept):
    """The equations' left side: (K + X D X' + E) dual + intercept, and the sum."""
    rows = block @ (curvature * (block.T @ dual)) + resistance * dual + intercept
    return (rows if gram is None else rows + gram @ dual), dual.sum()


def _check(solver, parts, seed, tolerance=1e-9):
    rng = np.random.default_rng([seed, 1])
    residual, imbalance = rng.standard_normal(len(parts[2])), 0.7
    rows, total = _left(*parts, *solver.solve(residual, imbalance))
    assert np.abs(rows - residual).max() <= tolerance * max(1, np.abs(rows).max())
    assert total == pytest.approx(imbalance, abs=tolerance)


@given(st.integers(0, 999), st.integers(2, 12), st.integers(1, 12), st.booleans())
@settings(max_examples=30)
def test_the_rows_side_solves_the_equations(seed, n_rows, n_features, with_gram):
    parts = _system(seed, n_rows, n_features, with_gram=with_gram)
    _check(AcrossRows(*parts), parts, seed)


@given(st.integers(0, 999), st.integers(2, 12), st.integers(1, 12))
@settings(max_examples=30)
def test_the_features_side_solves_the_equations(seed, n_rows, n_features):
    parts = _system(seed, n_rows, n_features)
    _check(AcrossFeatures(*parts[:3]), parts, seed)


@given(st.integers(0, 999), st.integers(2, 12), st.integers(1, 12), st.booleans())
@settings(max_examples=30)
def test_the_extended_system_solves_the_equations(seed, n_rows, n_features, with_gram):
    parts = _system(seed, n_rows, n_features, with_gram=with_gram)
    _check(Extended(*parts), parts, seed)


@each("n_features", [4, 30])
def test_rows_next_to_no_resistance_lose_no_digits_in_the_extended_system(n_features):
    # Near the optimum resistance and curvature go to zero at different rows.
    block, curvature, resistance, _ = _system(5, 12, n_features)
    resistance[:3], curvature[:2] = 1e-13, 1e-13
    parts = block, curvature, resistance, None
    _check(Extended(*parts), parts, 5, tolerance=1e-8)


@each("kind", [AcrossRows, AcrossFeatures, Extended])
def test_a_sparse_block_gives_the_directions_of_a_dense_one(kind):
    block, curvature, resistance, _ = _system(2, 8, 5)
    block[np.abs(block) < 0.7] = 0.0
    more = () if kind is AcrossFeatures else (None,)
    dense = kind(block, curvature, resistance, *more)
    thin = kind(sparse.csc_array(block), curvature, resistance, *more)
    residual = np.arange(8.0)
    one, other = dense.solve(residual, 0.3), thin.solve(residual, 0.3)
    assert other[0] == pytest.approx(one[0])
    assert other[1] == pytest.approx(one[1])


@each("kind", [AcrossRows, AcrossFeatures, Extended])
def test_a_system_that_is_not_finite_is_refused(kind):
    block, curvature, resistance, _ = _system(2, 8, 5)
    curvature[1] = np.nan
    more = () if kind is AcrossFeatures else (None,)
    with pytest.raises(LinAlgError, match="not finite"):
        kind(block, curvature, resistance, *more)
