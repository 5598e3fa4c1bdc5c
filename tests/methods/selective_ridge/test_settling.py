"""A problem solved by hand, and copies that share: the last step is exact."""

import numpy as np
import pytest

from tests.methods.selective_ridge.solved import solve


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(7)
    X = rng.standard_normal((40, 15))
    y = X[:, :4] @ [2.0, -1.0, 1.0, 0.5] + 0.5 * rng.standard_normal(40)
    return X, y, np.where(y > 0, 1, -1)


@pytest.mark.parametrize(
    ("mu", "expected"), [(0.2, 2 / 3), (0.65, 2 / 3), (0.9, 0.55), (2.0, 0.0)]
)
def test_one_feature_two_rows_by_hand(mu, expected):
    """a = 2t / (2 + gamma) if that is above mu, else max(0, t - gamma mu / 2)."""
    fit = solve([[1.0], [-1.0]], [1.0, -1.0], mu, loss="squared", tol=1e-12)
    assert fit.coef[0] == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("mu", [1e-3, 3.0])
def test_a_duplicated_feature_shares_its_coefficient(table, mu):
    X, y, _ = table
    alone = solve(X, y, mu, loss="squared", gamma=5.0)
    twice = solve(np.hstack([X, X[:, :1]]), y, mu, loss="squared", gamma=5.0)
    if alone.states[0] == "boundary":
        total = twice.coef[0] + twice.coef[-1]
        assert total == pytest.approx(alone.coef[0], abs=1e-5)
    else:
        assert twice.coef[0] == pytest.approx(twice.coef[-1], abs=1e-6)
