"""Interior steps prove bounds at every moment, and end at the relaxation."""

import numpy as np
import pytest

from solvers import FeatureHypergraph
from solvers.certify.interior import interior_steps
from solvers.certify.node_part import NodePart
from solvers.certify.oracle import Oracle
from solvers.certify.problem import make_problem
from solvers.certify.share_model import ShareModel
from tests.certify.cases import random_instance

SEEDS = range(4)


def _part(seed, budget, bought=()):
    instance = random_instance(seed)
    problem = make_problem(*instance.arguments, instance.ridge)
    inside = np.isin(np.arange(problem.n_components), bought)
    live = problem.live(inside, np.zeros_like(inside), budget)
    return instance, Oracle(problem), NodePart(problem, inside, live, budget)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("budget", [0.5, 0.7, 0.9])
def test_every_step_proves_a_bound_and_the_last_one_the_relaxation(seed, budget):
    instance, oracle, part = _part(seed, budget)
    least = instance.best(budget * part.problem.unit)
    steps = list(interior_steps(oracle, part))
    for step in steps:
        assert step.bound <= least + 1e-9
        assert step.bound <= step.above + 1e-9
        assert step.multiplier >= 0
    assert steps[-1].above - steps[-1].bound < 1e-6


@pytest.mark.parametrize("seed", SEEDS)
def test_points_keep_to_the_budget_and_to_what_bundles_need(seed):
    _, oracle, part = _part(seed, 0.6, bought=[0])
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
    _, oracle, whole = _part(seed, 0.9)
    *_, first = interior_steps(oracle, whole)
    _, oracle, part = _part(seed, 0.7)
    *_, plain = interior_steps(oracle, part)
    *_, warm = interior_steps(oracle, part, first.point)
    assert warm.bound == pytest.approx(plain.bound, abs=2e-6)
    assert warm.above - warm.bound < 1e-6


def _bundled_model(weights=None):
    """Two columns in one bundle, two bundles more, one of them paid for."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((60, 4))
    y = X @ [1.0, -1.0, 0.7, 0.4] + rng.standard_normal(60) > 0
    graph = FeatureHypergraph([[1, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]], [1, 1, 2])
    problem = make_problem(X, y, graph, 0.05, sample_weight=weights)
    inside = np.array([False, False, True])
    part = NodePart(problem, inside, np.ones(3, dtype=bool), 0.8)
    return ShareModel(Oracle(problem), part)


def test_gains_and_curvature_are_the_derivatives_of_the_objective():
    model, z, step = _bundled_model(), np.array([0.4, 0.7]), 1e-4
    cut = model.at(z, 1e-13)
    model.at(z, 1e-13)  # from its own end: the Hessian is the one there
    curvature = model.curvature()
    for k, change in enumerate(step * np.eye(2)):
        up, down = model.at(z + change, 1e-13), model.at(z - change, 1e-13)
        slope = (up.objective - down.objective) / (2 * step)
        assert slope == pytest.approx(-cut.gains[k], rel=1e-3)
        bend = (down.gains[:2] - up.gains[:2]) / (2 * step)
        assert bend == pytest.approx(curvature[k], rel=1e-3)


def test_constraints_and_their_transpose_agree():
    _, _, part = _part(1, 0.6)
    rng = np.random.default_rng(0)
    n = len(part.bundles) + len(part.components)
    x, move = rng.random((2, n))
    y = rng.random(len(part.slacks(x)))
    change = part.slacks(x + move) - part.slacks(x)
    assert y @ change == pytest.approx(part.transposed(y) @ move)
    curvature = np.eye(len(part.bundles))
    bent = curvature @ move[: len(part.bundles)] @ move[: len(part.bundles)]
    wanted = bent + y @ change**2
    assert move @ part.barred(curvature, y) @ move == pytest.approx(wanted)
