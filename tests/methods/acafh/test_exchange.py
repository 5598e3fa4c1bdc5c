"""What exchanges are predicted to give is what the quadratic gives."""

import numpy as np
import pytest
from scipy import sparse

from solvers.methods.acafh.exchange import exchanges
from solvers.methods.acafh.filling import ComponentCosts, fills
from solvers.methods.acafh.quadratic import Quadratic
from tests.methods.acafh.quadratics import CHOSEN, N_FEATURES, least


@pytest.fixture(scope="module")
def prices():
    rng = np.random.default_rng(1)
    needs = np.hstack([np.eye(N_FEATURES), rng.random((N_FEATURES, 4)) < 0.4])
    costs = rng.uniform(0.2, 1.0, needs.shape[1])
    return ComponentCosts(sparse.csr_array(needs), costs, 0.6 * costs.sum())


def _cost(prices, support):
    return prices.costs[prices.needs.toarray()[support].any(axis=0)].sum()


@pytest.mark.parametrize("propose", [exchanges, fills], ids=["exchanges", "fills"])
def test_a_proposal_gives_what_it_says_within_the_budget(propose, quadratic, prices):
    matrix, target = quadratic
    model = Quadratic(matrix, target, CHOSEN)
    outs = np.eye(len(prices.costs), dtype=bool)[[0, 9, 11]]
    proposals = propose(model, prices, *([outs] if propose is fills else []))
    assert len(proposals.changes) > 3
    before = least(matrix, target, CHOSEN)
    for change, chosen in zip(proposals.changes, proposals.chosen, strict=True):
        assert change == pytest.approx(least(matrix, target, chosen) - before, abs=1e-8)
        assert _cost(prices, chosen) <= prices.budget * (1 + 1e-12)


def test_a_fill_ends_where_nothing_more_can_be_bought(quadratic, prices):
    matrix, target = quadratic
    model = Quadratic(matrix, target, CHOSEN)
    for out in np.eye(len(prices.costs), dtype=bool):
        needing = prices.needs.toarray()[:, out].any(axis=1)
        for chosen in fills(model, prices, out[np.newaxis]).chosen:
            for j in np.flatnonzero(~chosen & ~needing):
                one_more = chosen | (np.arange(N_FEATURES) == j)
                gain = least(matrix, target, chosen) - least(matrix, target, one_more)
                assert gain < 1e-6 or _cost(prices, one_more) > prices.budget
