"""Interior steps prove bounds at every moment, and end at the relaxation."""

import pytest

from solvers.certify.interior import interior_steps
from tests.certify.parts import node_part

SEEDS = range(4)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("budget", [0.5, 0.7, 0.9])
def test_every_step_proves_a_bound_and_the_last_one_the_relaxation(seed, budget):
    instance, oracle, part = node_part(seed, budget)
    least = instance.best(budget * part.problem.unit)
    steps = list(interior_steps(oracle, part))
    for step in steps:
        assert step.bound <= least + 1e-9
        assert step.bound <= step.above + 1e-9
        assert step.multiplier >= 0
    assert steps[-1].above - steps[-1].bound < 1e-6


@pytest.mark.parametrize("seed", SEEDS)
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


@pytest.mark.parametrize("seed", SEEDS)
def test_a_start_elsewhere_ends_at_the_same_relaxation(seed):
    _, oracle, whole = node_part(seed, 0.9)
    *_, first = interior_steps(oracle, whole)
    _, oracle, part = node_part(seed, 0.7)
    *_, plain = interior_steps(oracle, part)
    *_, warm = interior_steps(oracle, part, first.point)
    assert warm.bound == pytest.approx(plain.bound, abs=2e-6)
    assert warm.above - warm.bound < 1e-6
