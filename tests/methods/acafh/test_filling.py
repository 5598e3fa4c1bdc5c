"""What selections pay and need, and what is bought with the rest of a budget."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from solvers.costs.budgets import room_of
from solvers.methods.acafh.filling import ComponentCosts, exchanges, fills
from solvers.methods.acafh.quadratic import Quadratic
from tests.methods.acafh.quadratics import CHOSEN, N_FEATURES, least
from tests.strategies import hypergraphs


def _independent(costs, budget):
    needs = sparse.csr_array(np.eye(len(costs)))
    return ComponentCosts(needs, np.array(costs, dtype=float), budget)


def _nothing_chosen(target):
    """A quadratic of uncorrelated features, each worth half its squared target."""
    target = np.array(target, dtype=float)
    return Quadratic(np.eye(len(target)), target, np.zeros(len(target), dtype=bool))


@given(hypergraphs(), st.floats(0, 1), st.integers(0, 99))
@settings(max_examples=50)
def test_a_marginal_price_is_the_increment_or_infinite_beyond_the_budget(
    hypergraph, share, seed
):
    budget = share * hypergraph.total_cost
    needs = sparse.csr_array(hypergraph.incidence.T, dtype=float)
    prices = ComponentCosts(needs, hypergraph.component_costs, budget)
    chosen = np.random.default_rng(seed).random((3, hypergraph.n_features)) < 0.4
    found = prices.marginal(chosen)
    for row, mask in zip(found, chosen, strict=True):
        before = hypergraph.cost(mask)
        for j, price in enumerate(row):
            after = hypergraph.cost(mask | (np.arange(len(mask)) == j))
            if after < budget * (1 - 1e-9):
                assert price == pytest.approx(after - before, abs=1e-9)
            elif after > budget * (1 + 1e-9):
                assert price == np.inf


@given(hypergraphs(), st.integers(0, 99))
@settings(max_examples=50)
def test_what_is_paid_is_what_is_needed_and_who_leans_on_it_needs_it(hypergraph, seed):
    needs = sparse.csr_array(hypergraph.incidence.T, dtype=float)
    prices = ComponentCosts(needs, hypergraph.component_costs, 1.0)
    rng = np.random.default_rng(seed)
    chosen = rng.random((2, hypergraph.n_features)) < 0.5
    for mask, paid in zip(chosen, prices.paid(chosen), strict=True):
        assert (paid == hypergraph.required_components(mask)).all()
    out = rng.random((2, hypergraph.n_components)) < 0.5
    for mask, leaning in zip(out, prices.leaning(out), strict=True):
        wanted = [
            (hypergraph.required_components([j]) & mask).any()
            for j in range(hypergraph.n_features)
        ]
        assert leaning.tolist() == wanted


def test_of_equal_prices_the_most_telling_features_are_bought():
    nothing_out = np.zeros((1, 4), dtype=bool)
    found = fills(
        _nothing_chosen([0.1, 0.9, 0.5, 0.7]), _independent([1] * 4, 2.0), nothing_out
    )
    best = found.changes.argmin()
    assert np.flatnonzero(found.chosen[best]).tolist() == [1, 3]
    assert found.changes[best] == pytest.approx(-(0.9**2 + 0.7**2) / 2)


def test_a_free_feature_is_in_every_filled_set():
    prices = _independent([1.0, 0.0, 1.0], 1.0)
    found = fills(_nothing_chosen([0.9, 0.1, 0.5]), prices, np.zeros((1, 3), bool))
    assert found.chosen[:, 1].all()


def test_a_feature_of_a_component_that_is_out_is_never_bought_back():
    model, prices = _nothing_chosen([0.9, 0.8, 0.7]), _independent([1.0] * 3, 3.0)
    outs = np.eye(3, dtype=bool)
    found = fills(model, prices, outs)
    assert sorted(set(map(tuple, found.chosen.tolist()))) == [
        (False, True, True),
        (True, False, True),
        (True, True, False),
    ]


@pytest.mark.parametrize(("target", "budget"), [([0.9, 0.8], 0.5), ([0.0, 1e-5], 2.0)])
def test_where_nothing_is_affordable_or_worth_it_nothing_is_proposed(target, budget):
    found = fills(
        _nothing_chosen(target),
        _independent([1.0, 1.0], budget),
        np.zeros((1, 2), bool),
    )
    assert len(found.changes) == 0


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
        assert _cost(prices, chosen) <= room_of(prices.budget)


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
