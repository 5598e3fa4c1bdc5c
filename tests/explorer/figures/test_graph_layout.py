"""Which nodes of a graph are drawn, and where, whatever its links are."""

import numpy as np
import pytest

from explorer.figures import graph_layout
from explorer.figures.graph_layout import disc_places, force_places, sketch_graph
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
    monkeypatch.setattr(graph_layout, "MAX_DRAWN", 5)
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
