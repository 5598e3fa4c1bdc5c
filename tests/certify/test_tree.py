"""Branch and bound encloses the best selection at every moment and ends at it."""

import numpy as np
import pytest

from solvers.certify import tree
from solvers.certify.bounding import Tools
from solvers.certify.problem import make_problem
from solvers.certify.tree import SearchTree
from tests.certify.cases import random_instance

SEEDS = range(4)


def _tools(seed):
    instance = random_instance(seed, n_features=6, n_components=6)
    return instance, Tools.of(make_problem(*instance.arguments, instance.ridge))


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("budget", [0.25, 0.6])
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
