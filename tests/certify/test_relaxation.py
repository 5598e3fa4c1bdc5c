"""The relaxation's bound is that of a generic linear program, and always holds."""

import numpy as np
import pytest
from scipy.optimize import linprog

from solvers.certify import relaxation
from solvers.certify.oracle import Oracle
from solvers.certify.problem import make_problem
from solvers.certify.relaxation import Relaxation
from tests.certify.cases import random_instance

SEEDS = range(3)


def _filled(seed, n_cuts=8):
    instance = random_instance(seed)
    problem = make_problem(*instance.arguments, instance.ridge)
    oracle, pool = Oracle(problem), Relaxation(problem)
    rng = np.random.default_rng(seed)
    cuts = [oracle(rng.random(problem.n_bundles)) for _ in range(n_cuts)]
    for cut in cuts:
        pool.add(cut)
    return instance, problem, pool, cuts


def _generic(problem, cuts, inside, live, budget):
    """The same program by scipy: eta, shares of bundles, shares of components."""
    n, m = problem.n_bundles, problem.n_components
    rows, right = [], []
    for cut in cuts:
        rows.append(np.concatenate([[-1.0], -cut.gains, np.zeros(m)]))
        right.append(-cut.entropy)
    for bundle, component in np.argwhere(problem.needs):
        row = np.zeros(1 + n + m)
        row[1 + bundle], row[1 + n + component] = 1.0, -1.0
        rows.append(row)
        right.append(0.0)
    rows.append(np.concatenate([np.zeros(1 + n), problem.prices]))
    right.append(budget)
    bounds = [(0, None), *((0, float(is_live)) for is_live in live)]
    bounds += [(float(is_in), 1) for is_in in inside]
    cost = np.eye(1 + n + m)[0]
    return linprog(cost, A_ub=rows, b_ub=right, bounds=bounds).fun


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("budget", [0.2, 0.5, 0.9])
def test_the_bound_is_the_optimum_of_the_linear_program(seed, budget):
    _, problem, pool, cuts = _filled(seed)
    inside = np.zeros(problem.n_components, dtype=bool)
    live = problem.live(inside, inside, budget)
    found = pool.solve(inside, live, budget)
    wanted = _generic(problem, cuts, inside, live, budget)
    assert found.bound == pytest.approx(wanted, abs=1e-7)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_component_that_is_bought_is_paid_for(seed):
    _, problem, pool, cuts = _filled(seed)
    inside = np.arange(problem.n_components) == 0
    live = problem.live(inside, ~inside & False, 0.7)
    found = pool.solve(inside, live, 0.7)
    assert found.bought[0] == 1.0
    wanted = _generic(problem, cuts, inside, live, 0.7)
    assert found.bound == pytest.approx(wanted, abs=1e-7)


@pytest.mark.parametrize("seed", SEEDS)
def test_no_selection_within_the_budget_is_below_the_bound(seed):
    instance, problem, pool, _ = _filled(seed)
    nothing = np.zeros(problem.n_components, dtype=bool)
    for share in (0.0, 0.3, 1.0):
        live = problem.live(nothing, nothing, share)
        found = pool.solve(nothing, live, share)
        assert found.bound <= instance.best(share * problem.unit) + 1e-9


def test_more_budget_never_raises_the_bound_and_more_cuts_never_lower_it():
    _, problem, pool, cuts = _filled(0)
    nothing = np.zeros(problem.n_components, dtype=bool)
    everything = np.ones(problem.n_bundles, dtype=bool)
    bounds = [pool.solve(nothing, everything, b).bound for b in (0.1, 0.4, 0.8)]
    assert bounds == sorted(bounds, reverse=True)
    fewer = Relaxation(problem)
    for cut in cuts[:3]:
        fewer.add(cut)
    assert fewer.solve(nothing, everything, 0.4).bound <= bounds[1] + 1e-9


def test_an_empty_pool_knows_only_that_a_loss_is_not_below_0():
    _, problem, _, _ = _filled(0, 0)
    empty = Relaxation(problem)
    nothing = np.zeros(problem.n_components, dtype=bool)
    found = empty.solve(nothing, np.ones(problem.n_bundles, dtype=bool), 1.0)
    assert found.bound == pytest.approx(0.0, abs=1e-9)
    assert empty.value_at(np.ones(problem.n_bundles)) == 0.0


def test_a_full_pool_forgets_idle_cuts_and_its_bound_still_holds(monkeypatch):
    monkeypatch.setattr(relaxation, "_MOST_BYTES", 0)  # the least: 20 cuts
    instance, problem, pool, _ = _filled(1, 45)
    nothing = np.zeros(problem.n_components, dtype=bool)
    live = problem.live(nothing, nothing, 0.5)
    found = pool.solve(nothing, live, 0.5)
    assert len(found.weights) <= 20
    assert 0 < found.bound <= instance.best(0.5 * problem.unit) + 1e-9


def test_the_averaged_vector_has_no_more_than_the_weights_of_its_cuts():
    _, problem, pool, cuts = _filled(2)
    nothing = np.zeros(problem.n_components, dtype=bool)
    found = pool.solve(nothing, np.ones(problem.n_bundles, dtype=bool), 0.5)
    wanted = sum(w * cut.vector for w, cut in zip(found.weights, cuts, strict=True))
    assert pool.vector(found) == pytest.approx(wanted)
    assert found.weights.sum() <= 1 + 1e-12
    assert found.multiplier >= 0
