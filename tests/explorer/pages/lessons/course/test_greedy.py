"""Greedy is near the floor until two features help only together."""

from itertools import combinations

import pytest

from explorer.pages.lessons.course import greedy
from explorer.pages.proof.questions import open_data
from explorer.session.link import asked_by
from solvers.certify import RidgeObjective, certified_frontier
from solvers.methods.forward_selection import ForwardSelectionClassifier
from tests.each import each


@each("at", [0, 1])
def test_greedy_is_within_a_hundredth_where_features_help_one_by_one(at):
    assert greedy.compared(at).excess <= greedy.SMALL
    assert greedy.compared(at).best - greedy.compared(at).floor < 1e-5


def test_greedy_is_far_above_the_floor_where_two_help_only_together():
    found = greedy.compared(greedy.ASKED)
    assert found.excess > greedy.LARGE
    assert {6, 7} <= set(found.wanted)
    assert not {6, 7} <= set(found.bought)


def test_greedy_is_right_again_where_nothing_is_left_of_the_difference():
    last = greedy.compared(len(greedy.CORRELATIONS) - 1)
    assert last.excess <= greedy.SMALL
    assert not {6, 7} <= set(last.wanted)


def test_the_floor_of_the_greedy_lesson_is_below_every_three_features():
    (X, y), graph = greedy.rows(0.8), greedy.world()
    objective = RidgeObjective(X, y, graph, ridge=greedy.RIDGE)
    least = min(map(objective, map(list, combinations(range(greedy.N_FEATURES), 3))))
    assert greedy.compared(greedy.ASKED).floor == pytest.approx(least, abs=1e-5)


def test_the_lesson_opens_real_data_on_which_greedy_is_far_above_the_floor():
    asked = asked_by(greedy.LESSON.visit.query)
    data = open_data(asked["table"], None)
    graph, ridge = data.hypergraph, float(asked["ridge"])
    budget = float(asked["share"]) * graph.total_cost
    objective = RidgeObjective(data.X, data.y, graph, ridge=ridge)
    path = ForwardSelectionClassifier(hypergraph=graph).path(data.X, data.y)
    within = [m.support_ for m in path if graph.cost(m.support_) <= budget]
    *_, proven = certified_frontier(
        data.X, data.y, graph, ridge=ridge, budgets=[budget], tol=0.05
    )
    above = min(map(objective, within)) - proven.upper
    assert 100 * above / proven.full_gain > greedy.LARGE
