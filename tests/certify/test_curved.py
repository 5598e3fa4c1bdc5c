"""The curved loss is below the loss wherever a model is good enough."""

import numpy as np
import pytest

from solvers.certify import Certificate, Leaf, check_certificate
from solvers.certify.curved import curved_loss, polished_centre
from solvers.certify.oracle import LogisticFit, Oracle
from solvers.certify.problem import make_problem
from solvers.certify.relaxation import NodePart, interior_steps
from solvers.certify.tree import Node, Tools, bounded
from tests.certify.cases import random_instance
from tests.each import each

BUDGET = 0.5


def curved_root(seed, room=0.004):
    """What a root proves of a value a little above its relaxation."""
    instance = random_instance(seed, n_features=8, n_components=8, n=150, ridge=0.02)
    _, oracle, part = instance_part(instance)
    *_, plain = interior_steps(oracle, part)
    tools, node = Tools.of(part.problem), Node.of_all(part.problem)
    beat = plain.bound + room
    bounded(tools, node, BUDGET, lambda: beat, np.inf)
    return instance, part.problem, plain, node


def instance_part(instance):
    problem = make_problem(*instance.arguments, instance.ridge)
    nothing = np.zeros(problem.n_components, dtype=bool)
    live = problem.live(nothing, nothing, BUDGET)
    return problem, Oracle(problem), NodePart(problem, nothing, live, BUDGET)


@each("seed", range(6))
def test_no_selection_is_below_the_bound(seed):
    instance, problem, _, node = curved_root(seed)
    assert node.bound <= instance.best(BUDGET * problem.unit) + 1e-9


def test_it_proves_more_than_the_relaxation_of_the_loss():
    raised = 0
    for seed in range(6):
        _, _, plain, node = curved_root(seed)
        raised += node.leaf.region is not None and node.bound > plain.bound + 1e-4
    assert raised >= 3


def loss_near_the_best(seed=0, room=1e-3):
    """The quadratic around the best model of all columns."""
    instance = random_instance(seed, n=300, ridge=0.02)
    problem = make_problem(*instance.arguments, instance.ridge)
    columns = np.arange(len(problem.columns))
    fit = LogisticFit(problem.table.T[columns], problem, np.zeros(len(columns) + 1))
    fit.minimise(np.full(len(columns), problem.ridge), 1e-12)
    centre = polished_centre(problem, columns, fit.slopes, float(fit.weights[-1]))
    proven = (fit.value, 0.0)
    curved = curved_loss(problem, centre, (), proven, fit.value + room)
    return problem, columns, fit, centre, curved


def objective(problem, weights, intercept):
    margins = problem.signs * (problem.table @ weights + intercept)
    loss = problem.row_weights @ np.logaddexp(0, -margins)
    return loss + 0.5 * problem.ridge * weights @ weights


def test_a_centre_has_the_best_intercept_and_its_cut_is_tight():
    problem, _, fit, centre, _ = loss_near_the_best()
    balance = problem.row_weights @ (centre.cut.vector * problem.signs)
    assert balance == pytest.approx(0, abs=1e-12)
    assert centre.cut.entropy - centre.cut.gains.sum() == pytest.approx(fit.value)


def test_the_quadratic_is_below_the_loss_for_models_that_are_good_enough():
    problem, columns, _, centre, curved = loss_near_the_best()
    quadratic = curved.model_of(columns)
    rng, tried = np.random.default_rng(0), 0
    for _ in range(200):
        change = 0.05 * rng.standard_normal(len(columns))
        weights = centre.weights + change
        value = objective(problem, weights, centre.intercept)
        if value <= curved.region.beat:
            bent = quadratic.matrix + np.diag(curved.strengths)
            below = quadratic.value - quadratic.linear @ weights
            assert below + 0.5 * weights @ bent @ weights <= value + 1e-9
            tried += 1
    assert tried > 20


def test_where_all_is_bought_the_tangent_has_no_gap():
    _, columns, fit, _, curved = loss_near_the_best()
    quadratic = curved.model_of(columns)
    quadratic.minimise(curved.strengths[columns], 0.0)
    cut = curved.answer(columns, quadratic)
    assert cut.entropy - cut.gains.sum() == pytest.approx(quadratic.value, abs=1e-8)
    assert quadratic.value == pytest.approx(fit.value, abs=1e-6)


def test_there_is_no_quadratic_where_good_models_may_be_anywhere():
    *_, curved = loss_near_the_best(room=3.0)
    assert curved is None


@each("room", [1e-9, 1e-8, 1e-7, 1e-6])
def test_a_checker_finds_the_reach_enough_however_small_the_room(room):
    problem, _, fit, _, curved = loss_near_the_best(room=room)
    leaf = Leaf((), curved.region.weights, 0.0, curved.region)
    instance = random_instance(0, n=300, ridge=problem.ridge)
    claimed = Certificate(problem.unit, problem.ridge, fit.value, (), (leaf,))
    assert check_certificate(claimed, *instance.arguments) >= fit.value - 1e-6
