"""What a list of selections shares, and what stands for what in it."""

import numpy as np

from solvers.certify.nearly import NearOptimal


def listed(selections, objectives, **said):
    usual = {"best": 1.0, "lower": 0.9, "threshold": 1.2, "complete": False}
    rows = np.array(selections, dtype=bool)
    costs = rows @ np.arange(1.0, rows.shape[1] + 1)
    told = {**usual, **said}
    return NearOptimal(rows, np.array(objectives), costs, **told, nodes=7, seconds=0.1)


# Component 0 is in all, 3 in none; 1 and 2 stand for each other.
THREE = listed([[1, 1, 0, 0], [1, 0, 1, 0], [1, 1, 1, 0]], [1.0, 1.05, 1.15])


def test_what_all_buy_and_what_none_buys():
    assert np.flatnonzero(THREE.in_all).tolist() == [0]
    assert np.flatnonzero(THREE.in_none).tolist() == [3]


def test_only_what_is_near_the_best_there_may_be_is_sure():
    assert (THREE.count, THREE.count_sure) == (3, 2)
    assert listed(THREE.selections, THREE.objectives, lower=1.0).count_sure == 3


def test_one_stands_for_another_where_a_pair_differs_by_just_that():
    assert THREE.exchanges() == {((1,), (2,)): 1}


def test_components_that_come_together_stand_for_others_together():
    bundled = listed([[1, 1, 0], [0, 0, 1]], [1.0, 1.1])
    assert bundled.exchanges() == {((0, 1), (2,)): 1}
