"""The real digits, with costs that say that they are illustrative."""

import numpy as np
import pytest
from sklearn.datasets import load_digits

from solvers.datasets import make_digits
from solvers.methods.grouped import resolve_groups


@pytest.fixture(scope="module")
def table():
    return make_digits()


def test_rows_are_those_of_scikit_learn(table):
    original = load_digits()
    assert np.array_equal(table.X, original.data)
    assert np.array_equal(table.y.astype(int), original.target)


def test_there_are_ten_classes_and_none_counts_as_positive(table):
    assert len(table.classes) == 10
    assert table.positive is None


def test_the_four_pixels_of_a_block_come_together(table):
    groups = resolve_groups(None, table.hypergraph)
    assert sorted(len(group) for group in groups) == [4] * 16
    # The block at the top left: rows 0 and 1, columns 0 and 1.
    assert [0, 1, 8, 9] in [group.tolist() for group in groups]


def test_the_middle_costs_less_than_an_edge_and_a_corner_most(table):
    hypergraph = table.hypergraph
    middle, edge, corner = "pixel 3 3", "pixel 0 3", "pixel 7 7"
    costs = [hypergraph.cost([name]) for name in (middle, edge, corner)]
    assert costs == [2.0, 3.0, 4.0]
    assert hypergraph.total_cost == 4 * 2.0 + 8 * 3.0 + 4 * 4.0


def test_costs_are_said_to_be_illustrative(table):
    assert "llustrative" in table.costs_note
    assert table.unit == "ms"
