"""Greedy is near the floor until two features help only together."""

from itertools import combinations

import pytest

from explorer.pages.lessons.course import greedy
from solvers.certify import RidgeObjective


@pytest.mark.parametrize("at", [0, 1])
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
