"""Bundles and components of a problem say the same as the hypergraph."""

import numpy as np
import pytest

from solvers import FeatureHypergraph
from solvers.certify.problem import checked_budget, checked_number, make_problem
from solvers.errors import KnobError
from tests.certify.cases import random_instance

ROWS = np.random.default_rng(0).standard_normal((12, 4))
LABELS = np.arange(12) % 2


def _problem(incidence, costs, **options):
    hypergraph = FeatureHypergraph(incidence, costs)
    X = ROWS[:, : hypergraph.n_features]
    return make_problem(X, LABELS, hypergraph, 0.1, **options)


def test_columns_that_need_the_same_are_one_bundle():
    problem = _problem([[1, 1, 0], [0, 0, 1]], [1.0, 3.0])
    assert problem.bundle_of.tolist() == [0, 0, 1]
    assert problem.prices.tolist() == [0.25, 0.75]
    assert problem.unit == 4.0


def test_components_that_the_same_bundles_need_are_one():
    problem = _problem([[1, 1, 0], [1, 1, 0], [0, 0, 1]], [1.0, 2.0, 3.0])
    assert problem.n_components == 2
    assert (problem.prices * problem.unit).tolist() == [3.0, 3.0]
    assert [member.tolist() for member in problem.members] == [[0, 1], [2]]


def test_components_that_cost_nothing_or_serve_nobody_are_left_out():
    problem = _problem([[1, 0], [0, 1], [0, 0]], [2.0, 0.0, 5.0])
    assert problem.n_components == 1
    assert problem.available(np.zeros(1, dtype=bool)).tolist() == [False, True]


def test_columns_are_in_units_of_their_spread_about_their_mean():
    problem = _problem(np.eye(4), np.ones(4))
    assert problem.table.mean(axis=0) == pytest.approx(np.zeros(4), abs=1e-12)
    assert problem.table.std(axis=0) == pytest.approx(np.ones(4))


def test_what_needs_something_forbidden_is_no_column():
    problem = _problem([[1, 1, 0], [0, 1, 1]], [1.0, 3.0], without=["c0"])
    assert problem.columns.tolist() == [2]
    assert problem.without == (0,)


@pytest.mark.parametrize("seed", range(4))
def test_a_price_is_the_hypergraph_s_in_shares_of_everything(seed):
    instance = random_instance(seed)
    problem = make_problem(*instance.arguments, instance.ridge)
    costs = instance.hypergraph.component_costs
    for chosen, features in instance.selections().items():
        mask = np.isin(np.arange(instance.hypergraph.n_features), features)
        bundles = problem.bundles_within(mask)
        assert (problem.features(bundles) == mask).all()
        spent = problem.cost(problem.used(bundles)) * problem.unit
        assert spent == pytest.approx(costs[list(chosen)].sum())


@pytest.mark.parametrize("seed", range(4))
def test_a_bundle_is_live_where_the_rest_of_the_budget_pays_what_it_lacks(seed):
    instance = random_instance(seed)
    problem = make_problem(*instance.arguments, instance.ridge)
    rng = np.random.default_rng(seed)
    inside = rng.random(problem.n_components) < 0.3
    outside = ~inside & (rng.random(problem.n_components) < 0.3)
    budget = 0.6
    live = problem.live(inside, outside, budget)
    for bundle in range(problem.n_bundles):
        needed = problem.needs[bundle]
        fits = problem.cost(needed | inside) <= budget + 1e-9
        assert live[bundle] == (fits and not (needed & outside).any())


def test_budgets_come_in_rising_order_each_once():
    assert checked_budget([3, 1.0, 3.0]) == [1.0, 3.0]


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: checked_budget([]), "budgets is empty; give at least one"),
        (lambda: checked_budget([-1.0]), "A budget is -1.0; give a number from 0 up."),
        (lambda: checked_budget(3), "budgets is 3; give a list of numbers, or None"),
        (lambda: checked_budget("abc"), "budgets is 'abc'; give a list of numbers"),
        (lambda: checked_budget(["1"]), "A budget is '1'; give a number from 0 up."),
        (lambda: checked_number(None, "tol", least=1e-6), "tol is None; give a number"),
        (lambda: checked_number(np.nan, "ridge", least=1e-9), "ridge is nan"),
    ],
)
def test_numbers_that_make_no_sense_are_refused(call, sentence):
    with pytest.raises(KnobError) as refusal:
        call()
    assert sentence in str(refusal.value)
