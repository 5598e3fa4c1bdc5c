"""A node's bound holds for all that keeps its decisions; two children share that."""

from dataclasses import replace

import numpy as np
import pytest

from solvers.certify.bounding import Node, Tools, bounded, children
from solvers.certify.problem import make_problem
from solvers.certify.relaxation import NodePart, interior_steps
from tests.certify.cases import random_instance

SEEDS = range(4)


def _tools(seed):
    instance = random_instance(seed, n_features=6, n_components=6)
    return instance, Tools.of(make_problem(*instance.arguments, instance.ridge))


@pytest.mark.parametrize("seed", SEEDS)
def test_every_selection_belongs_to_one_child_alone(seed):
    _, tools = _tools(seed)
    problem = tools.problem
    node = Node.of_all(tools.problem)
    found = bounded(tools, node, 0.5, lambda: np.inf, np.inf)
    assert found is not None
    one, other = children(node, found)
    assert one.bound == other.bound == node.bound
    ((component, bought),) = one.decisions
    assert other.decisions == ((component, not bought),)
    inside, outside = one.masks(problem.n_components)
    assert np.flatnonzero(inside).tolist() == [component]
    assert not outside.any()


@pytest.mark.parametrize("seed", SEEDS)
def test_a_node_s_bound_holds_for_the_selections_that_keep_its_decisions(seed):
    instance, tools = _tools(seed)
    problem = tools.problem
    for bought in (True, False):
        node = replace(Node.of_all(problem), decisions=((0, bought),))
        bounded(tools, node, 0.6, lambda: np.inf, np.inf)
        for features in instance.selections().values():
            mask = np.isin(np.arange(instance.hypergraph.n_features), features)
            used = problem.used(problem.bundles_within(mask))
            if used[0] == bought and problem.allows(used, 0.6):
                assert node.bound <= instance.objective(features) + 1e-7


def test_decisions_that_the_budget_cannot_pay_hold_nothing():
    _, tools = _tools(0)
    every = tuple((c, True) for c in range(tools.problem.n_components))
    node = replace(Node.of_all(tools.problem), decisions=every)
    assert bounded(tools, node, 0.5, lambda: np.inf, np.inf) is None
    assert node.bound == np.inf


def test_where_all_is_affordable_one_fit_closes_the_node():
    instance, tools = _tools(0)
    node = Node.of_all(tools.problem)
    assert bounded(tools, node, 1.0, lambda: np.inf, np.inf) is None
    everything = tuple(range(instance.hypergraph.n_features))
    assert node.bound == pytest.approx(instance.objective(everything), abs=1e-4)


def test_a_node_is_split_on_what_is_most_undecided_and_stiff():
    _, tools = _tools(1)
    problem = tools.problem
    nothing = np.zeros(problem.n_components, dtype=bool)
    part = NodePart(problem, nothing, problem.live(nothing, nothing, 0.5), 0.5)
    *_, found = interior_steps(tools.oracle, part)
    whole = np.tril(found.factor) @ np.tril(found.factor).T
    stiff = 1.0 / np.diag(np.linalg.inv(whole))[len(part.bundles) :]
    u = found.point.bought[part.components]
    expected = part.components[np.argmax((u * (1.0 - u)) ** 2 * stiff)]
    one, _ = children(Node.of_all(problem), found)
    assert one.decisions[0][0] == expected
