"""What is classified: grown graphs, sensors, and what people bring."""

import numpy as np
import pytest

from explorer.pages.structured.scenes import (
    MAX_BYTES,
    graph_of,
    make_world,
    own_graph,
    own_sensors,
    text_of,
)
from explorer.session.own_files import opened_file
from solvers.errors import DataError, InterchangeError
from solvers.markov import simulate_lab
from solvers.markov.growth import grow_graph
from tests.explorer.pages.structured.asked import fitted, state_of


def test_exact_inference_on_a_forest_ends_in_a_certificate_or_a_cycle():
    state = fitted("small", method="CSMN (exact)")
    method, trace = state.run.inference("CSMN (exact)", 0)
    assert method == "CSMN (exact)"
    assert trace.exact
    assert trace.certificate in ("exact", "none")
    assert (trace.period == 1) <= (trace.certificate == "exact")


def test_snapshots_are_in_the_order_of_time_and_each_is_tested_once():
    world = make_world(state_of("sensors").setting())
    assert len(set(world.tests)) == len(world.tests) == len(world.titles) == 12
    names = [world.graph(k).node_names for k in range(12)]
    assert all(len(name) >= 50 for name in names)


def test_own_sensors_stand_in_for_the_made_up_ones():
    own = own_sensors(simulate_lab(3, random_state=5), "lab.txt")
    state = state_of("sensors")
    state.use_sensors(own)
    assert state.setting().own is own
    assert len(make_world(state.setting()).tests) == len(own.snapshots)


def test_own_graphs_without_labels_are_refused():
    graph = grow_graph(30, random_state=0).with_labels(None)
    with pytest.raises(DataError, match="have no labels"):
        own_graph(graph, "mine.csv")


def test_own_graphs_that_cannot_be_learned_from_are_refused():
    graph = grow_graph(30, random_state=0)
    labels = np.zeros(30, dtype=int)
    labels[0] = 1
    with pytest.raises(DataError, match="have one label"):
        own_graph(graph.with_labels(labels), "mine.csv")


def test_own_links_are_inside_parts_or_counted_as_lost():
    graph = grow_graph(90, random_state=0)
    own = own_graph(graph, "mine.csv")
    assert sum(part.n_edges for part in own.parts) + own.n_lost == graph.n_edges
    assert [len(place) for place in own.places] == [30, 30, 30]


def test_uploads_are_capped_and_must_be_text():
    with pytest.raises(InterchangeError, match="give at most 16"):
        text_of(b"x" * (MAX_BYTES + 1), "nodes.csv")
    with pytest.raises(InterchangeError, match="not text in UTF-8"):
        text_of(b"\xff\xfe\x00", "nodes.csv")
    assert text_of("id,é\n".encode(), "n.csv").read() == "id,é\n"


def test_a_number_that_may_be_read_in_two_ways_is_told_with_what_to_write():
    nodes = b"id,label,age\na,one,1.230\nb,two,950\n"
    files = [
        opened_file(role, f"{role}.csv", content)
        for role, content in [("nodes", nodes), ("edges", b"source,target\na,b\n")]
    ]
    told = r"'1\.230' may be 1\.23 or 1230; write the numbers of its column"
    with pytest.raises(InterchangeError, match=told):
        graph_of(files)
