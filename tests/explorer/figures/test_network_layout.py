"""Variables stand apart, the same each time; parents above the middle of children."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer.figures.network_layout import network_places, tree_places
from tests.bayes.worlds import general_network, naive_network, named
from tests.each import each


@each("n", [1, 5, 14, 40])
@each("make", [naive_network, general_network])
def test_variables_stand_apart_within_the_frame_the_same_each_time(make, n):
    network = make(np.random.default_rng(n), n)
    places = network_places(network, "C")
    assert set(places) == set(network.variables)
    points = np.array([*places.values()])
    assert points.min() >= 0
    assert points.max() <= 1
    apart = np.hypot(*(points[:, np.newaxis] - points).transpose(2, 0, 1))
    assert (apart + 9 * np.eye(len(points))).min() > 0.02
    assert network_places(network, "C") == places


def test_a_class_of_independent_features_stands_amid_them():
    places = network_places(naive_network(np.random.default_rng(0), 6), "C")
    around = np.array([places[name] for name in named(6)])
    assert np.array(places["C"]) == pytest.approx(around.mean(axis=0), abs=0.05)


@st.composite
def trees(draw):
    """Parents of the nodes of a forest, as a depth-first search meets them."""
    parents, way = [], []
    for node in range(draw(st.integers(1, 25))):
        depth = draw(st.integers(0, len(way)))
        way = [*way[:depth], node]
        parents.append(way[-2] if depth else -1)
    return parents


@given(trees())
@settings(max_examples=60)
def test_leaves_stand_side_by_side_and_parents_above_their_middle(parents):
    places = tree_places(parents)
    children = {
        node: [k for k, parent in enumerate(parents) if parent == node]
        for node in range(len(parents))
    }
    leaves = [node for node, below in children.items() if not below]
    assert places.x[leaves].tolist() == list(range(len(leaves)))
    assert places.n_leaves == len(leaves)
    for node, below in children.items():
        if below:
            middle = (places.x[below].min() + places.x[below].max()) / 2
            assert places.x[node] == middle
        for child in below:
            assert places.depth[child] == places.depth[node] + 1


def test_a_tree_of_nothing_has_no_places():
    assert len(tree_places([]).x) == 0
