"""Elimination knows its width, and when not to start."""

import numpy as np
import pytest

from solvers.errors import DataError
from solvers.markov import PairwiseModel, exact_marginals
from solvers.markov.engines import eliminate
from solvers.markov.growth import grow_graph
from tests.each import each


def complete(n):
    return np.array([(i, j) for i in range(n) for j in range(i + 1, n)])


def width_of(scopes):
    return max(map(len, scopes.values())) - 1


@each(
    ("edges", "n", "width"),
    [
        (np.zeros((0, 2), int), 3, 0),
        (np.array([[0, 1], [1, 2], [1, 3]]), 4, 1),
        (np.array([[0, 1], [1, 2], [2, 3], [3, 0]]), 4, 2),
        (complete(5), 5, 4),
    ],
)
def test_width_is_that_of_the_graph(edges, n, width):
    assert width_of(eliminate(n, edges)) == width


def test_every_node_goes_once():
    graph = grow_graph(80, extra_links=0.3, random_state=1)
    assert sorted(eliminate(80, graph.edges)) == list(range(80))


def test_a_grid_has_the_width_of_its_side():
    cells = np.arange(25).reshape(5, 5)
    across = np.stack([cells[:, :-1].ravel(), cells[:, 1:].ravel()], 1)
    down = np.stack([cells[:-1].ravel(), cells[1:].ravel()], 1)
    assert width_of(eliminate(25, np.concatenate([across, down]))) == 5


def test_too_wide_a_graph_is_refused_with_a_sentence():
    model = PairwiseModel(np.zeros((25, 2)), complete(25), np.zeros((300, 2, 2)))
    with pytest.raises(DataError, match=r"tables of 3\.36e\+07 entries .* use belief"):
        exact_marginals(model)
