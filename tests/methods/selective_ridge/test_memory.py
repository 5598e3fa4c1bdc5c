"""Memory beside the table stays a few vectors of its width."""

import tracemalloc

import numpy as np
import pytest
from scipy import sparse

from solvers.methods.selective_ridge import maximum_selectivity, selective_ridge_stream
from tests.each import each
from tests.methods.selective_ridge_cases import LOSSES

# Enough for the solver to work on few features at a time.
N_SAMPLES, N_FEATURES = 80, 100_000


@pytest.fixture(scope="module")
def wide():
    rng = np.random.default_rng(0)
    X = np.asfortranarray(rng.standard_normal((N_SAMPLES, N_FEATURES)))
    return X, np.where(X[:, :5].sum(axis=1) > 0, 1.0, -1.0)


def peak(X, y, loss):
    """Bytes taken at most, beside the table, and the relative gap reached."""
    mu = 0.3 * maximum_selectivity(X, y, 1.0, loss)
    tracemalloc.start()
    *_, fit = selective_ridge_stream(X, y, mu=mu, loss=loss)
    taken = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return taken, fit.relative_gap


@each("loss", LOSSES)
def test_a_dense_table_is_never_copied(wide, loss):
    X, y = wide
    taken, gap = peak(X, y, loss)
    assert gap <= 1e-6
    assert taken < 0.75 * X.nbytes


def test_a_sparse_table_is_never_made_dense(wide):
    X, y = wide
    thin = sparse.csc_array(np.where(np.abs(X) > 2.0, X, 0.0))
    taken, gap = peak(thin, y, "hinge")
    assert gap <= 1e-6
    assert taken < 0.75 * X.nbytes
