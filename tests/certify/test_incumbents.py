"""Selections that a search knows are within their budget and never get worse."""

import numpy as np
import pytest

from solvers.certify import incumbents
from solvers.certify.problem import make_problem
from solvers.certify.tree import Tools
from solvers.costs.budgets import room_of
from tests.certify.cases import random_instance
from tests.each import each

SEEDS = range(4)


def _tools(seed):
    instance = random_instance(seed)
    return instance, Tools.of(make_problem(*instance.arguments, instance.ridge))


@each("seed", SEEDS)
def test_greedy_buying_keeps_the_budget_until_nothing_fits(seed):
    _, tools = _tools(seed)
    problem = tools.problem
    for budget in (0.2, 0.5):
        bought = tools.best.greedy(budget)
        assert problem.allows(bought, budget)
        for bundle in np.flatnonzero(~problem.available(bought)):
            assert not problem.allows(bought | problem.needs[bundle], budget)


@each("seed", SEEDS)
def test_the_best_known_is_never_better_than_the_best_there_is(seed):
    instance, tools = _tools(seed)
    for budget in (0.0, 0.3, 0.6, 1.0):
        tools.best.greedy(budget)
        found = tools.best.best(budget)
        assert found.cost <= room_of(budget)
        assert found.objective >= instance.best(budget * tools.problem.unit) - 1e-7


@each("seed", SEEDS)
def test_an_exchange_says_whether_it_helped(seed):
    _, tools = _tools(seed)
    tools.best.greedy(0.5)
    before = tools.best.best(0.5).objective
    helped = tools.best.exchange(0.5)
    after = tools.best.best(0.5).objective
    assert after <= before
    assert helped == (after < before - 1e-9)


def test_a_selection_is_kept_with_its_own_price_and_objective():
    instance, tools = _tools(0)
    problem = tools.problem
    for chosen, features in list(instance.selections().items())[::9]:
        mask = np.isin(np.arange(instance.hypergraph.n_features), features)
        bundles = problem.bundles_within(mask)
        tools.best.evaluate(bundles)
        kept = tools.best.known[bundles.tobytes()]
        costs = instance.hypergraph.component_costs[list(chosen)]
        assert kept.cost * problem.unit == pytest.approx(costs.sum())
        assert kept.objective == pytest.approx(instance.objective(features), abs=1e-7)


def test_what_cuts_rule_out_is_not_fitted(monkeypatch):
    _, tools = _tools(1)
    everything = np.ones(tools.problem.n_bundles, dtype=bool)
    tools.best.evaluate(everything)
    monkeypatch.setattr(tools.best, "evaluate", None)  # whoever calls it fails
    tools.best.offer(everything, 1.0)
    # Less than everything cannot be better where the budget pays for all.
    tools.best.offer(
        tools.problem.available(np.zeros(tools.problem.n_components, bool)), 1.0
    )


def test_what_is_forgotten_was_dominated(monkeypatch):
    instance, tools = _tools(2)
    monkeypatch.setattr(incumbents, "_MOST_KNOWN", 10)
    seen = []
    for features in instance.selections().values():
        mask = np.isin(np.arange(instance.hypergraph.n_features), features)
        bundles = tools.problem.bundles_within(mask)
        tools.best.evaluate(bundles)
        seen.append(tools.best.known[bundles.tobytes()])
    for budget in (0.0, 0.25, 0.5, 1.0):
        least = min(one.objective for one in seen if one.cost <= room_of(budget))
        assert tools.best.best(budget).objective == least
