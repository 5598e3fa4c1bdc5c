"""A node's bound holds for all that keeps its decisions; a search ends at the best."""

from dataclasses import replace

import numpy as np
import pytest

from solvers.certify import tree
from solvers.certify.problem import make_problem
from solvers.certify.relaxation import NodePart, interior_steps
from solvers.certify.tree import Node, SearchTree, Tools, bounded, children
from tests.certify.cases import random_instance
from tests.each import each

SEEDS = range(4)


def _tools(seed):
    instance = random_instance(seed, n_features=6, n_components=6)
    return instance, Tools.of(make_problem(*instance.arguments, instance.ridge))


@each("seed", SEEDS)
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


@each("seed", SEEDS)
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


@each("seed", SEEDS)
@each("budget", [0.25, 0.6])
def test_bounds_enclose_brute_force_at_every_step_and_meet(seed, budget):
    instance, tools = _tools(seed)
    best = instance.best(budget * tools.problem.unit)
    search = SearchTree(tools, budget)
    for _ in range(500):
        if search.done:
            break
        search.step(1e-6, np.inf)
        assert search.lower - 1e-7 <= best <= search.upper + 1e-7
    assert search.done
    assert search.upper == pytest.approx(best, abs=1e-6)
    assert search.lower >= search.upper - 2e-6


def test_slack_ends_a_search_sooner_and_its_gap_is_within_it():
    instance, tools = _tools(1)
    search = SearchTree(tools, 0.4)
    while not search.done:
        search.step(0.05, np.inf)
    best = instance.best(0.4 * tools.problem.unit)
    assert search.upper - 0.05 - 1e-9 <= search.lower <= best + 1e-9


def test_a_search_out_of_memory_keeps_the_bound_it_has(monkeypatch):
    instance, tools = _tools(2)
    monkeypatch.setattr(tree, "_MOST_OPEN_BYTES", 0)
    search = SearchTree(tools, 0.4)
    search.step(0.0, np.inf)
    assert search.full
    assert search.lower <= instance.best(0.4 * tools.problem.unit) + 1e-9


def test_leaves_that_take_too_much_room_leave_the_root_s_proof(monkeypatch):
    _, tools = _tools(3)
    monkeypatch.setattr(tree, "_MOST_LEAF_BYTES", 0)
    search = SearchTree(tools, 0.4)
    while not search.done:
        search.step(1e-6, np.inf)
    assert not search.keeps_proof
    assert search.certificate_leaves() == (search.root,)
