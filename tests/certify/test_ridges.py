"""One pool of cuts for all ridges: valid at each, against brute force."""

import numpy as np
import pytest

from solvers.certify import CertifiedSearch, RidgeObjective
from solvers.certify.oracle import Oracle
from solvers.certify.pool import CutPool
from solvers.certify.problem import make_problem
from solvers.errors import ThriftscopeError
from tests.certify.cases import random_instance
from tests.each import each

RIDGES = (3e-3, 3e-2, 0.3)


def problem_of(instance):
    return make_problem(*instance.arguments, instance.ridge)


@each("seed", range(3))
@each("other", RIDGES)
def test_no_selection_is_below_what_cuts_of_another_ridge_say_of_it(seed, other):
    instance = random_instance(seed, ridge=other)
    problem = problem_of(instance)
    cuts = CutPool(problem.n_bundles)
    for ridge in RIDGES:  # the pool takes cuts from all of them
        here = problem_of(random_instance(seed, ridge=ridge))
        oracle = Oracle(here)
        rng = np.random.default_rng(seed)
        for _ in range(6):
            cuts.add(oracle(rng.random(here.n_bundles)), ridge)
    for features in instance.selections().values():
        mask = np.isin(np.arange(instance.hypergraph.n_features), features)
        said = cuts.value_at(problem.bundles_within(mask).astype(float), other)
        assert 0 < said <= instance.objective(features) + 1e-9


def test_a_cut_touches_its_own_selection_at_its_own_ridge_only():
    here, there = (problem_of(random_instance(1, ridge=one)) for one in (0.01, 0.1))
    pool, everything = CutPool(here.n_bundles), np.ones(here.n_bundles)
    own = Oracle(here)(everything)
    pool.add(own, here.ridge)
    assert pool.value_at(everything, here.ridge) == pytest.approx(
        own.objective, abs=1e-6
    )
    least = Oracle(there)(everything).objective
    assert own.objective < pool.value_at(everything, there.ridge) < least - 1e-4


@each("seed", range(3))
def test_bounds_of_a_search_at_another_ridge_hold_at_every_moment(seed):
    instance = random_instance(seed, ridge=0.01)
    shares = np.array([0.2, 0.5, 0.8])
    budgets = (shares * instance.hypergraph.total_cost).tolist()
    search = CertifiedSearch(*instance.arguments, ridge=0.01, tol=1e-5)
    before = {one.budget: one for one in search.stream(budgets)}
    other = random_instance(seed, ridge=0.2)
    best = {budget: other.best(budget) for budget in budgets}
    objective = RidgeObjective(*other.arguments, ridge=0.2)
    for one in search.at_ridge(0.2).stream(budgets):
        assert one.lower <= best[one.budget] + 1e-7
        # What was best is known at once, weighed by the new ridge.
        known = objective(before[one.budget].features)
        assert best[one.budget] - 1e-7 <= one.upper <= known + 1e-9
        assert one.certificate.ridge == 0.2
    assert one.proven


def test_a_ridge_that_makes_no_sense_is_refused():
    instance = random_instance(0)
    search = CertifiedSearch(*instance.arguments, ridge=0.01)
    with pytest.raises(ThriftscopeError):
        search.at_ridge(0.0)
