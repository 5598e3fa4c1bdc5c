"""Nodes stand apart, and where the nodes alone say."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer.figures import layout
from explorer.figures.layout import (
    disc_places,
    force_places,
    network_places,
    sketch_graph,
    tree_places,
)
from tests.bayes.worlds import general_network, naive_network, named
from tests.each import each
from tests.markov.reference import random_graph


def test_each_label_has_a_disc_of_its_own():
    labels = np.random.default_rng(0).integers(0, 4, 300)
    places = disc_places(labels, 4)
    centres = [places[labels == k].mean(axis=0) for k in range(4)]
    for k, centre in enumerate(centres):
        away = np.hypot(*(places[labels == k] - centre).T)
        assert away.max() < 1.15
        others = np.array([c for j, c in enumerate(centres) if j != k])
        assert np.hypot(*(others - centre).T).min() > 2.0


def test_the_place_of_a_node_does_not_depend_on_those_that_come_later():
    labels = np.array([0, 1, 0, 1, 0, 1])
    more = disc_places(np.append(labels, [0, 1]), 2)
    fewer = disc_places(labels, 2)
    # Discs are filled from the middle: only their scale changes.
    scale = np.sqrt(3 / 4)
    assert more[:6:2] == pytest.approx(scale * fewer[::2])


def test_links_change_no_place():
    one, other = random_graph(3, 12, 2, 0), random_graph(3, 12, 2, 9)
    labels = one.truth
    drawn = [sketch_graph(g.with_labels(labels)).places for g in (one, other)]
    assert (drawn[0] == drawn[1]).all()


def test_of_too_many_nodes_the_first_are_drawn_and_it_is_told(monkeypatch):
    monkeypatch.setattr(layout, "MAX_DRAWN", 5)
    graph = random_graph(1, 9, 2, 6)
    sketch = sketch_graph(graph)
    assert sketch.nodes.tolist() == [0, 1, 2, 3, 4]
    assert (sketch.ends < 5).all()
    inside = (graph.edges < 5).all(axis=1)
    assert sketch.edges.tolist() == np.flatnonzero(inside).tolist()
    assert sketch.note.startswith("Drawn: the first 5 of 9 nodes and the")
    assert force_places(graph) is None


def test_all_of_a_small_graph_is_drawn_without_a_note():
    graph = random_graph(2, 9, 3, 2)
    sketch = sketch_graph(graph)
    assert len(sketch.nodes) == 9
    assert (sketch.ends == graph.edges).all()
    assert sketch.note == ""


def test_given_places_are_kept():
    graph = random_graph(2, 6)
    places = np.arange(12.0).reshape(6, 2)
    assert (sketch_graph(graph, places).places == places).all()


def test_forces_give_the_same_places_each_time():
    graph = random_graph(4, 10, 2, 3)
    assert (force_places(graph) == force_places(graph)).all()


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
@settings(max_examples=30)
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
