"""`budget=` finds the best model within a budget, and what the rest of it buys."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from sklearn.base import clone

from solvers import FeatureHypergraph, split_dataset
from solvers.costs.budgets import room_of
from solvers.datasets import make_breast_cancer
from solvers.methods.acafh import ACAFHClassifier, ACAFHProblem, budget
from solvers.methods.acafh.budget import ComponentCosts, exchanges, fills
from solvers.methods.acafh.quadratic import Quadratic
from solvers.numerics.logistic import LogisticLoss
from solvers.numerics.prox_newton import refit_on
from tests.each import each
from tests.methods.acafh.quadratics import CHOSEN, N_FEATURES, least
from tests.methods.tables import random_problem
from tests.strategies import hypergraphs


def _exact(X, y, hypergraph):
    """Cost and least loss of every selection."""
    loss = LogisticLoss.from_rows(X, y.astype(float), np.ones(len(y)))
    chosen = np.array(list(product((False, True), repeat=X.shape[1])))
    costs = np.array([hypergraph.cost(support) for support in chosen])
    return costs, np.array([refit_on(loss, support).loss for support in chosen])


@each("seed", range(6))
def test_no_selection_within_the_budget_is_better(seed):
    X, y, hypergraph = random_problem(seed, n_features=6, n_samples=120, density=0.35)
    costs, losses = _exact(X, y, hypergraph)
    problem = ACAFHProblem(X, y.astype(float), np.ones(len(y)), hypergraph)
    for share in (0.15, 0.3, 0.45, 0.6, 0.8):
        limit = share * hypergraph.total_cost
        found = problem.within(limit)
        assert hypergraph.cost(found.support) <= room_of(limit)
        assert found.fit.loss <= losses[costs <= room_of(limit)].min() + 1e-6


def test_a_block_whose_features_count_only_together_is_bought():
    rng = np.random.default_rng(0)
    noise = rng.standard_normal(300)
    signal = rng.standard_normal(300)
    # The difference of the first two tells nearly all; each alone tells nearly nothing.
    X = np.column_stack([signal + 8 * noise, 8 * noise, signal + rng.normal(0, 2, 300)])
    y = signal + 0.3 * rng.standard_normal(300) > 0
    hypergraph = FeatureHypergraph(
        [[1, 1, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], [2.0, 0.5, 0.5, 2.5]
    )
    model = ACAFHClassifier(hypergraph, budget=3.0).fit(X, y)
    assert model.support_.tolist() == [True, True, False]


def test_more_budget_never_fits_worse():
    X, y, hypergraph = random_problem(3, n_features=25, n_samples=200, density=0.15)
    problem = ACAFHProblem(X, y.astype(float), np.ones(len(y)), hypergraph)
    shares = np.linspace(0.0, 1.0, 6) * hypergraph.total_cost
    losses = [problem.within(share).fit.loss for share in shares]
    # Classes that are told apart have no least loss: fits end anywhere below 1e-5.
    assert (np.diff(np.maximum(losses, 1e-5)) <= 1e-9).all()
    assert not problem.within(0.0).support.any()
    dense = refit_on(problem.loss, np.ones(25, dtype=bool))
    assert losses[-1] == pytest.approx(dense.loss, abs=1e-5)


def test_the_number_of_fits_is_bounded(monkeypatch):
    X, y, hypergraph = random_problem(4, n_features=40, n_samples=150, density=0.1)
    kept = []
    descended = budget.descended

    def counted(*args, **options):
        kept.append(None)
        return descended(*args, **options)

    monkeypatch.setattr(budget, "descended", counted)
    monkeypatch.setattr(budget, "_MOST_FITS", 10)
    ACAFHClassifier(hypergraph, budget=0.4 * hypergraph.total_cost).fit(X, y)
    assert len(kept) < 10 + 4 * 4


def test_permuted_columns_buy_the_same():
    X, y, hypergraph = random_problem(5, n_features=15, n_samples=200, density=0.2)
    order = np.random.default_rng(0).permutation(15)
    turned = FeatureHypergraph(
        hypergraph.incidence.toarray()[:, order], hypergraph.component_costs
    )
    limit = 0.4 * hypergraph.total_cost
    one = ACAFHClassifier(hypergraph, budget=limit).fit(X, y)
    other = ACAFHClassifier(turned, budget=limit).fit(X[:, order], y)
    assert np.array_equal(other.support_, one.support_[order])


def test_a_prepared_problem_gives_what_fit_gives():
    X, y, hypergraph = random_problem(6, n_features=15, n_samples=200, density=0.2)
    limit = 0.5 * hypergraph.total_cost
    prepared = ACAFHClassifier(hypergraph).prepare(X, y)
    list(prepared.path(n_alphas=4))
    quick = prepared.at(budget=limit)
    fresh = ACAFHClassifier(hypergraph, budget=limit).fit(X, y)
    assert np.array_equal(quick.coef_, fresh.coef_)
    assert fresh.cost_ <= room_of(limit)


def test_a_budget_that_separates_the_classes_is_searched_to_the_end():
    # Dropping one of several huge weights leaves rows wrong at odds of ten thousands.
    data = make_breast_cancer()
    split = split_dataset(data, random_state=2)
    X, y = split.X("train"), split.y("train")
    model = ACAFHClassifier(data.hypergraph, budget=24.65)
    assert model.fit(X, y).score(X, y) == 1.0


def test_a_model_of_a_path_is_found_again_whatever_budget_the_path_was_asked_with():
    X, y, hypergraph = random_problem(6, n_features=8, n_samples=150, density=0.2)
    asked = ACAFHClassifier(hypergraph, budget=0.3 * hypergraph.total_cost, n_alphas=6)
    for model in asked.path(X, y):
        again = clone(model).fit(X, y)
        assert np.array_equal(again.support_, model.support_)


def _independent(costs, budget):
    needs = sparse.csr_array(np.eye(len(costs)))
    return ComponentCosts(needs, np.array(costs, dtype=float), budget)


def _nothing_chosen(target):
    """A quadratic of uncorrelated features, each worth half its squared target."""
    target = np.array(target, dtype=float)
    return Quadratic(np.eye(len(target)), target, np.zeros(len(target), dtype=bool))


@given(hypergraphs(), st.floats(0, 1), st.integers(0, 99))
@settings(max_examples=25)
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
@settings(max_examples=25)
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


@each(("target", "budget"), [([0.9, 0.8], 0.5), ([0.0, 1e-5], 2.0)])
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


@each("propose", [exchanges, fills], ids=["exchanges", "fills"])
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
