"""Interior steps prove bounds at every moment, and end at the relaxation."""

import numpy as np
import pytest

from solvers.certify.relaxation import interior_steps
from tests.certify.parts import node_part
from tests.each import each

SEEDS = range(4)


@each("seed", SEEDS)
@each("budget", [0.5, 0.7, 0.9])
def test_every_step_proves_a_bound_and_the_last_one_the_relaxation(seed, budget):
    instance, oracle, part = node_part(seed, budget)
    least = instance.best(budget * part.problem.unit)
    steps = list(interior_steps(oracle, part))
    for step in steps:
        assert step.bound <= least + 1e-9
        assert step.bound <= step.above + 1e-9
        assert step.multiplier >= 0
    assert steps[-1].above - steps[-1].bound < 1e-6


@each("seed", SEEDS)
def test_points_keep_to_the_budget_and_to_what_bundles_need(seed):
    _, oracle, part = node_part(seed, 0.6, bought=[0])
    problem = part.problem
    for step in interior_steps(oracle, part):
        assert step.point.bought[0] == 1.0
        assert problem.prices @ step.point.bought <= 0.6 + 1e-8
        assert step.point.shares.min() >= 0
        assert step.point.bought.max() <= 1
        for bundle, needed in enumerate(problem.needs):
            assert step.point.shares[bundle] <= step.point.bought[needed].min() + 1e-12


@each("seed", SEEDS)
def test_a_start_elsewhere_ends_at_the_same_relaxation(seed):
    _, oracle, whole = node_part(seed, 0.9)
    *_, first = interior_steps(oracle, whole)
    _, oracle, part = node_part(seed, 0.7)
    *_, plain = interior_steps(oracle, part)
    *_, warm = interior_steps(oracle, part, first.point)
    assert warm.bound == pytest.approx(plain.bound, abs=2e-6)
    assert warm.above - warm.bound < 1e-6


@each(("seed", "budget"), [(4, 0.4), (5, 0.3), (6, 0.6), (7, 0.8)])
def test_the_last_bound_is_the_relaxation_of_cvxpy(seed, budget):
    cp = pytest.importorskip("cvxpy")
    instance, oracle, part = node_part(seed, budget)
    problem, n_features = part.problem, instance.X.shape[1]
    *_, last = interior_steps(oracle, part)
    w, b, z = cp.Variable(n_features), cp.Variable(), cp.Variable(n_features)
    u = cp.Variable(problem.n_components)
    margins = cp.multiply(problem.signs, instance.table @ w + b)
    loss = cp.sum(cp.logistic(-margins)) / len(instance.y)
    ridge = sum(cp.quad_over_lin(w[j], z[j]) for j in range(n_features))
    rules = [u >= 0, u <= 1, z <= 1, problem.prices @ u <= budget]
    none = np.zeros(problem.n_components, dtype=bool)
    live = problem.live(none, none, budget)
    for place, column in enumerate(problem.columns):
        bundle = problem.bundle_of[place]
        if not live[bundle]:
            rules.append(w[column] == 0)
        rules += [z[column] <= u[c] for c in np.flatnonzero(problem.needs[bundle])]
    relaxed = cp.Problem(cp.Minimize(loss + instance.ridge / 2 * ridge), rules)
    relaxed.solve(solver="CLARABEL")
    assert last.bound == pytest.approx(relaxed.value, abs=1e-5)
