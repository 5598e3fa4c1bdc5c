"""Ridge fits read off sums are those of scikit-learn on the rows themselves."""

import numpy as np
import pytest
from sklearn.linear_model import Ridge

from solvers.methods.hypergraph_cascade.routing import (
    Moments,
    ridge_error,
    standardised,
    total_spread,
)
from solvers.methods.hypergraph_cascade.rows import WeightedRows


def _rows(n_classes=2, n=120):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((n, 4)) * [1.0, 100.0, 0.01, 1.0] + [0.0, 1e4, 0.0, 0.0]
    labels = rng.integers(0, n_classes, n)
    X[:, 0] += labels
    X[:, 3] = np.arange(n) >= n // 2  # constant in the first half
    return WeightedRows(X, labels, rng.uniform(0.5, 2.0, n), n_classes)


def _moments(rows, chosen):
    table = standardised(rows)[chosen]
    return Moments.of(table, rows.weights[chosen], rows.X.shape[1])


def _by_rows(rows, train, test):
    """The same error by scikit-learn, columns of variance one in training."""
    table, codes = standardised(rows)[:, :4], np.eye(rows.n_classes)[rows.labels]
    w = rows.weights[train]
    centre = np.average(table[train], axis=0, weights=w)
    scale = np.sqrt(np.average((table[train] - centre) ** 2, axis=0, weights=w))
    scaled = (table - centre) / np.where(scale > 1e-6, scale, np.inf)
    fitted = Ridge(alpha=1e-3 * w.sum())
    fitted.fit(scaled[train], codes[train], sample_weight=w)
    errors = ((codes[test] - fitted.predict(scaled[test])) ** 2).sum(axis=1)
    return rows.weights[test] @ errors


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("part", ["all", "half"])
def test_the_error_of_a_ridge_fit_is_that_of_scikit_learn(n_classes, part):
    rows = _rows(n_classes)
    here = np.arange(len(rows.labels)) < (120 if part == "all" else 60)
    test = np.arange(len(rows.labels)) % 3 == 0
    found = ridge_error(_moments(rows, here & ~test), _moments(rows, here & test))
    assert found == pytest.approx(_by_rows(rows, here & ~test, here & test))


def test_what_is_left_of_all_rows_are_the_moments_of_the_others():
    rows = _rows()
    here = rows.X[:, 0] > 0
    left = _moments(rows, slice(None)) - _moments(rows, here)
    others = _moments(rows, ~here)
    assert left.mass == pytest.approx(others.mass)
    assert left.mean == pytest.approx(others.mean)
    assert left.products == pytest.approx(others.products)


def test_the_spread_is_the_error_of_the_shares_of_the_classes():
    rows = _rows(3)
    codes = np.eye(3)[rows.labels]
    distances = (codes - rows.shares @ codes) ** 2
    wanted = rows.weights @ distances.sum(axis=1)
    assert total_spread(_moments(rows, slice(None))) == pytest.approx(wanted)


def test_a_constant_column_is_none_of_use():
    rows = _rows()
    rows.X[:, 1] = 1e4 / 3  # a mean of it is rounded
    assert np.abs(standardised(rows)[:, 1]).max() < 1e-6
