"""Rows go through trees as a person would walk them."""

import numpy as np

from solvers.numerics.tree_ensemble import DecisionTree, TreeEnsemble
from tests.each import each

# x0 <= 1 ? (x2 <= 0 ? 10 : 20) : 30
DEEP = DecisionTree(
    np.array([0, 2, -1, -1, -1]),
    np.array([1.0, 0.0, 0.0, 0.0, 0.0]),
    np.array([1, 2, 0, 0, 0]),
    np.array([4, 3, 0, 0, 0]),
    np.array([0.0, 0.0, 10.0, 20.0, 30.0]),
)
# x1 <= 5 ? 1 : 2
STUMP = DecisionTree(
    np.array([1, -1, -1]), np.array([5.0, 0.0, 0.0]), np.array([1, 0, 0]),
    np.array([2, 0, 0]), np.array([0.0, 1.0, 2.0]),
)  # fmt: skip
LEAF = DecisionTree(
    np.array([-1]), np.zeros(1), np.zeros(1, int), np.zeros(1, int), np.array([0.5])
)
ROWS = np.array([[1.0, 5.0, 0.0], [0.0, 6.0, 0.1], [2.0, 0.0, 0.0]])
ENSEMBLE = TreeEnsemble.of([DEEP, STUMP, LEAF])


def test_leaves_of_all_trees_are_added_up():
    assert ENSEMBLE.sums(ROWS).tolist() == [11.5, 22.5, 31.5]


def test_a_row_sees_what_it_is_asked_for():
    expected = [[True, True, True], [True, True, True], [True, True, False]]
    assert ENSEMBLE.visited(ROWS).tolist() == expected


@each(
    ("n_trees", "sums", "used"),
    [(1, [10.0, 20.0, 30.0], [0, 2]), (2, [11.0, 22.0, 31.0], [0, 1, 2])],
)
def test_the_first_trees_are_an_ensemble_of_their_own(n_trees, sums, used):
    first = ENSEMBLE.first(n_trees)
    assert first.sums(ROWS).tolist() == sums
    assert np.flatnonzero(first.used(3)).tolist() == used


def test_a_tree_that_asks_nothing_uses_nothing():
    alone = TreeEnsemble.of([LEAF])
    assert not alone.visited(ROWS).any()
    assert not alone.used(3).any()


def test_no_rows_are_no_trouble():
    assert ENSEMBLE.sums(np.empty((0, 3))).shape == (0,)
