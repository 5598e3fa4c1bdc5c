"""The decision is the pair of least expected cost."""

import numpy as np

from explorer.pages.lessons.course import together
from tests.each import each


def test_a_dear_link_makes_the_likely_pair_the_better_decision():
    alone = together.one_by_one()
    assert together.decision(0.0) == alone
    dear = together.decision(together.LINK_COSTS[-1])
    assert dear != alone
    assert together.beliefs()[dear] == together.beliefs().max()


@each("cost", [0.0, 0.4, 0.5, 1.2])
def test_the_decision_is_the_pair_of_least_expected_cost(cost):
    costs = together.charges(cost)
    best = together.PAIRS[int(np.argmin(costs))]
    assert together.decision(cost) == best


def test_independent_rooms_are_decided_room_by_room_at_every_cost():
    assert together.turning_point(is_correlated=False) is None
