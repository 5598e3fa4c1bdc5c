"""`budget=` finds the best model within a budget, and says no more than it found."""

from itertools import product

import numpy as np
import pytest
from sklearn.base import clone

from solvers import FeatureHypergraph, split_dataset
from solvers.costs.budgets import room_of
from solvers.datasets import make_breast_cancer
from solvers.methods.acafh import ACAFHClassifier, ACAFHProblem, budget
from solvers.numerics.logistic import LogisticLoss
from solvers.numerics.prox_newton import refit_on
from tests.methods.tables import random_problem


def _exact(X, y, hypergraph):
    """Cost and least loss of every selection."""
    loss = LogisticLoss.from_rows(X, y.astype(float), np.ones(len(y)))
    chosen = np.array(list(product((False, True), repeat=X.shape[1])))
    costs = np.array([hypergraph.cost(support) for support in chosen])
    return costs, np.array([refit_on(loss, support).loss for support in chosen])


@pytest.mark.parametrize("seed", range(6))
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
    minimise = budget.minimise

    def counted(*args, **options):
        kept.append(None)
        return minimise(*args, **options)

    monkeypatch.setattr(budget, "minimise", counted)
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
