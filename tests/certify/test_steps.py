"""Floors at a few budgets, and what they say of all others."""

import itertools

import numpy as np
import pytest

from solvers import FeatureHypergraph
from solvers.certify import (
    NearOptimalSearch,
    RidgeObjective,
    certified_frontier,
    floor_steps,
    near_optimal,
)
from solvers.errors import ThriftscopeError
from tests.certify.cases import random_instance

ROUNDING = 1e-6


@pytest.fixture(scope="module")
def solved():
    case = random_instance(3, n_features=8, n_components=8)
    total = case.hypergraph.total_cost
    budgets = [0.0, 0.2 * total, 0.5 * total, 0.8 * total, total]
    return case, list(
        certified_frontier(*case.arguments, ridge=case.ridge, budgets=budgets, tol=1e-3)
    )


def test_the_staircase_encloses_the_best_objective_at_every_budget(solved):
    case, stream = solved
    total = case.hypergraph.total_cost
    steps = floor_steps(stream, case.hypergraph, tol=1e-3)
    assert steps[0].start == 0.0
    assert steps[-1].end == pytest.approx(total)
    for budget in np.linspace(0.0, 0.999 * total, 60):
        (step,) = [one for one in steps if one.start <= budget < one.end]
        least = case.best(float(budget))
        assert step.lower - ROUNDING <= least <= step.upper + ROUNDING
        if step.closed:
            assert step.upper - least <= 1e-3 * case.range + ROUNDING


def test_between_closed_budgets_a_step_can_be_open(solved):
    case, stream = solved
    assert all(one.proven for one in stream[-5:])
    steps = floor_steps(stream, case.hypergraph, tol=1e-3)
    assert {one.closed for one in steps} == {True, False}
    assert all(a.end == b.start for a, b in itertools.pairwise(steps))
    assert [one.lower for one in steps] == sorted(
        (one.lower for one in steps), reverse=True
    )


def test_a_selection_known_from_elsewhere_lowers_the_staircase_from_its_cost_on(solved):
    case, stream = solved
    first = {one.budget: one for one in stream[:5]}.values()
    plain = floor_steps(first, case.hypergraph)
    at = 0.35 * case.hypergraph.total_cost
    helped = floor_steps(first, case.hypergraph, known=[(at, case.best(at))])

    def upper(steps, budget):
        return next(s.upper for s in steps if s.start <= budget < s.end)

    assert upper(helped, at) == pytest.approx(case.best(at))
    assert upper(helped, 0.9 * at) == upper(plain, 0.9 * at)


def test_no_budget_has_no_staircase(solved):
    assert floor_steps([], solved[0].hypergraph) == ()


def test_the_objective_of_a_selection_is_that_of_an_independent_solver():
    case = random_instance(5)
    objective = RidgeObjective(*case.arguments, ridge=case.ridge)
    for features in [(), (0,), (2, 4, 5), tuple(range(7))]:
        assert objective(list(features)) == pytest.approx(
            case.objective(features), abs=1e-7
        )
    with pytest.raises(ThriftscopeError):
        RidgeObjective(case.X, case.y, case.hypergraph, ridge=0.0)


def test_gaps_are_shares_of_what_all_features_bring():
    case = random_instance(5)
    stream = certified_frontier(*case.arguments, ridge=case.ridge, budgets=[5.0])
    for one in stream:
        assert one.full_gain == pytest.approx(case.range, abs=ROUNDING)
        assert one.gap * one.full_gain == pytest.approx(
            one.upper - one.lower, abs=ROUNDING
        )


def test_the_list_of_near_optimal_selections_grows_to_what_is_returned():
    case = random_instance(4)
    budget = 0.7 * case.hypergraph.total_cost
    arguments = {"ridge": case.ridge, "budget": budget, "within": 0.3}
    stream = list(NearOptimalSearch(*case.arguments, **arguments).stream())
    whole = near_optimal(*case.arguments, **arguments)
    assert not any(one.complete for one in stream[:-1])
    assert stream[-1].complete
    assert (stream[-1].selections == whole.selections).all()


def test_columns_of_one_price_may_be_weighed_one_by_one():
    """A proof buys columns of one component together; a method need not."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((50, 2))
    y = X[:, 0] > 0
    shared = FeatureHypergraph([[1, 1]], [1.0])
    objective = RidgeObjective(X, y, shared, ridge=0.1)
    assert objective([0, 1]) < objective([0]) < objective([])


def test_cheap_selections_have_steps_of_their_own_where_others_are_dear():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((40, 3))
    y = X.sum(axis=1) + rng.standard_normal(40) > 0
    hypergraph = FeatureHypergraph.independent([1e-4, 2e-4, 1e6])
    budgets = [0.0, 1e-4, 3e-4, 1e6, 1e6 + 3e-4]
    stream = certified_frontier(X, y, hypergraph, ridge=0.1, budgets=budgets)
    steps = floor_steps(stream, hypergraph)
    objective = RidgeObjective(X, y, hypergraph, ridge=0.1)
    assert steps[0].upper == pytest.approx(objective([]))
    at_four = next(one for one in steps if one.start <= 4e-4 < one.end)
    assert at_four.upper == pytest.approx(objective([0, 1]))
