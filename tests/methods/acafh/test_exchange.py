"""What exchanges are predicted to give is what the quadratic gives."""

import numpy as np
import pytest
from scipy import sparse

from solvers.methods.acafh.exchange import exchanges
from solvers.methods.acafh.filling import ComponentCosts, fills
from solvers.methods.acafh.quadratic import Quadratic

_FEATURES = 9
_CHOSEN = np.isin(np.arange(_FEATURES), [0, 2, 3, 7])


@pytest.fixture(scope="module")
def quadratic():
    rng = np.random.default_rng(0)
    table = rng.standard_normal((40, _FEATURES)) + rng.standard_normal((40, 1))
    return table.T @ table / 40, rng.standard_normal(_FEATURES)


@pytest.fixture(scope="module")
def prices():
    rng = np.random.default_rng(1)
    needs = np.hstack([np.eye(_FEATURES), rng.random((_FEATURES, 4)) < 0.4])
    costs = rng.uniform(0.2, 1.0, needs.shape[1])
    return ComponentCosts(sparse.csr_array(needs), costs, 0.6 * costs.sum())


def _least(matrix, target, support):
    """The least value of the quadratic with weights on a support alone."""
    weights = np.linalg.solve(matrix[np.ix_(support, support)], target[support])
    return -0.5 * float(weights @ target[support])


def _cost(prices, support):
    return prices.costs[prices.needs.toarray()[support].any(axis=0)].sum()


def test_sets_of_several_sizes_are_dropped_together_as_one_by_one(quadratic):
    matrix, target = quadratic
    model = Quadratic(matrix, target, _CHOSEN)
    dropped = np.zeros((4, _FEATURES), dtype=bool)
    dropped[1, 2] = dropped[2, [0, 7]] = True
    dropped[3] = _CHOSEN
    left = model.without(dropped)
    gains, covariances = left.gains(), left.covariances()
    before = _least(matrix, target, _CHOSEN)
    for i, gone in enumerate(dropped):
        kept = _CHOSEN & ~gone
        after = _least(matrix, target, kept)
        assert left.harm[i] == pytest.approx(after - before, abs=1e-8)
        assert np.allclose(np.diag(covariances[i]), left.variance[i])
        for j in np.flatnonzero(~_CHOSEN):
            one_more = kept | (np.arange(_FEATURES) == j)
            gain = after - _least(matrix, target, one_more)
            assert gains[i, j] == pytest.approx(gain, abs=1e-8)


@pytest.mark.parametrize("propose", [exchanges, fills], ids=["exchanges", "fills"])
def test_a_proposal_gives_what_it_says_within_the_budget(propose, quadratic, prices):
    matrix, target = quadratic
    model = Quadratic(matrix, target, _CHOSEN)
    outs = np.eye(len(prices.costs), dtype=bool)[[0, 9, 11]]
    proposals = propose(model, prices, *([outs] if propose is fills else []))
    assert len(proposals.changes) > 3
    before = _least(matrix, target, _CHOSEN)
    for change, chosen in zip(proposals.changes, proposals.chosen, strict=True):
        assert change == pytest.approx(
            _least(matrix, target, chosen) - before, abs=1e-8
        )
        assert _cost(prices, chosen) <= prices.budget * (1 + 1e-12)


def test_a_fill_ends_where_nothing_more_can_be_bought(quadratic, prices):
    matrix, target = quadratic
    model = Quadratic(matrix, target, _CHOSEN)
    for out in np.eye(len(prices.costs), dtype=bool):
        needing = prices.needs.toarray()[:, out].any(axis=1)
        for chosen in fills(model, prices, out[np.newaxis]).chosen:
            for j in np.flatnonzero(~chosen & ~needing):
                one_more = chosen | (np.arange(_FEATURES) == j)
                gain = _least(matrix, target, chosen) - _least(matrix, target, one_more)
                assert gain < 1e-6 or _cost(prices, one_more) > prices.budget
