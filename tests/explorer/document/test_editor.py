"""What a browser sends: the drawing stays what a plain model says, in parts too."""

import json

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer.document.drawing import Drawing
from explorer.document.editor import (
    EditorState,
    neighbourhood,
    part_places,
    with_newcomers,
)
from explorer.document.hypergraph_layout import STEP
from explorer.document.operations import MAX_NAME, OPERATIONS
from explorer.pages.problem.hypergraph_editor import graph_message
from tests.explorer.document.tiny import TINY
from tests.strategies import hypergraphs

NAMES = st.sampled_from(
    ["a", "b", "x1", "<b>bold</b>", "a  b", "", "é", "\x00", "q" * 500]
)

COSTS = st.one_of(
    st.floats(allow_nan=True),
    st.sampled_from(["3", "0.5 ms", "2,5", "-1", "1 banana", "", None, True, 10**400]),
)

ODD = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=5),
    st.lists(st.integers(), max_size=3),
    st.dictionaries(st.text(max_size=3), st.integers(), max_size=2),
)


@st.composite
def messages(draw, drawing):
    """One message about a drawing, sensible or not quite."""
    known = [*drawing.component_ids, *drawing.feature_ids, 10_000]
    nodes = st.lists(st.sampled_from(known), max_size=3)
    fields = {
        "name": NAMES,
        "cost": COSTS,
        "kind": st.sampled_from(["generation", "utilisation", "free"]),
        "node": st.sampled_from(known),
        "nodes": nodes,
        "features": nodes,
        "components": nodes,
        "place": st.tuples(st.floats(-9, 9), st.floats(-9, 9)).map(list),
        "places": st.lists(st.just([1.0, 2.0]), max_size=3),
    }
    name = draw(st.sampled_from([*OPERATIONS, "undo", "redo", "look", "replace"]))
    allowed = sorted(OPERATIONS[name][1]) if name in OPERATIONS else ["nodes"]
    given_fields = (
        draw(st.lists(st.sampled_from(allowed), unique=True)) if allowed else []
    )
    return {"op": name, **{key: draw(fields[key]) for key in given_fields}}


def as_plain(drawing):
    """The drawing as names and sets: what people mean by it."""
    graph = drawing.hypergraph
    needs = graph.incidence.toarray()
    return {
        "features": {
            drawing.feature_ids[j]: (
                name,
                frozenset(
                    drawing.component_ids[i] for i in np.flatnonzero(needs[:, j])
                ),
            )
            for j, name in enumerate(graph.features)
        },
        "components": {
            drawing.component_ids[i]: (name, graph.component_costs[i], graph.kinds[i])
            for i, name in enumerate(graph.components)
        },
        "places": (
            drawing.component_places.round(9).tolist(),
            drawing.feature_places.round(9).tolist(),
        ),
    }


def check_invariants(drawing):
    graph = drawing.hypergraph
    ids = [*drawing.component_ids, *drawing.feature_ids]
    assert len(set(ids)) == len(ids)
    assert all(i < drawing.next_id for i in ids)
    assert (np.asarray(graph.incidence.sum(axis=0)) > 0).all()
    assert np.isfinite(graph.component_costs).all()
    assert (graph.component_costs >= 0).all()
    assert len(set(graph.features)) == graph.n_features
    assert drawing.component_places.shape == (graph.n_components, 2)
    assert drawing.feature_places.shape == (graph.n_features, 2)
    assert all(len(n) <= MAX_NAME and n.isprintable() for n in graph.features)


class TestRandomSequences:
    @given(hypergraphs(), st.data())
    @settings(max_examples=30)
    def test_drawing_in_browser_is_the_graph_in_the_model(self, graph, data):
        state = EditorState(graph)
        for _ in range(data.draw(st.integers(1, 8))):
            state.receive(data.draw(messages(state.drawing)))
            check_invariants(state.drawing)
            sent = graph_message(state)
            json.dumps(sent, allow_nan=False)
            names = {
                node: needs
                for node, (_, needs) in as_plain(state.drawing)["features"].items()
            }
            drawn = {row[0]: set() for row in sent["features"]}
            for component, feature in sent["links"]:
                drawn[feature].add(component)
            assert drawn == names
            costs = {row[0]: tuple(row[1:4]) for row in sent["components"]}
            assert costs == as_plain(state.drawing)["components"]

    @given(hypergraphs(), st.data())
    @settings(max_examples=30)
    def test_undo_gives_back_every_earlier_graph_and_redo_every_later(
        self, graph, data
    ):
        state = EditorState(graph)
        past = [state.drawing]
        for _ in range(data.draw(st.integers(1, 8))):
            message = data.draw(messages(state.drawing))
            if message["op"] in ("undo", "redo"):
                continue
            state.receive(message)
            if state.drawing is not past[-1]:
                past.append(state.drawing)
        for before in reversed(past[:-1]):
            state.undo()
            assert state.drawing.hypergraph.equals(before.hypergraph)
            assert as_plain(state.drawing) == as_plain(before)
        for after in past[1:]:
            state.redo()
            assert as_plain(state.drawing) == as_plain(after)

    @given(hypergraphs(), st.data())
    def test_refused_message_changes_nothing_and_says_why(self, graph, data):
        state = EditorState(graph)
        before = state.drawing
        state.receive(data.draw(messages(before)))
        if state.refused:
            assert state.drawing is before
            assert state.refused.endswith(".")

    @given(
        st.dictionaries(st.sampled_from(["op", "nodes", "node", "cost", "places"]), ODD)
    )
    @settings(max_examples=200)
    def test_anything_at_all_is_refused_with_a_sentence_or_done(self, message):
        state = EditorState(TINY)
        state.receive(message)
        check_invariants(state.drawing)

    @settings(max_examples=50)
    @given(ODD)
    def test_what_is_no_mapping_is_refused(self, message):
        state = EditorState(TINY)
        state.receive(message)
        assert state.refused
        assert state.drawing.hypergraph is TINY


class TestNeighbourhood:
    @given(hypergraphs(), st.data())
    def test_features_come_with_all_that_they_need(self, graph, data):
        drawing = Drawing.of(graph)
        node = data.draw(
            st.sampled_from([*drawing.component_ids, *drawing.feature_ids])
        )
        near = neighbourhood(drawing, node)
        assert node in near
        needs = as_plain(drawing)["features"]
        assert all(needs[other][1] <= near for other in near if other in needs)

    def test_part_is_laid_out_by_itself_and_moved_without_the_whole(self):
        state = EditorState(TINY)
        node = state.drawing.feature_ids[2]
        near = neighbourhood(state.drawing, node)
        state.look_at(near, by_itself=True)
        before = state.drawing
        state.receive({"op": "move", "nodes": [node], "places": [[7.0, 8.0]]})
        assert state.drawing is before
        (shown,) = graph_message(state)["features"]
        assert shown[4:6] == [7.0, 8.0]

    def test_node_that_is_added_to_a_window_is_drawn_in_it(self):
        state = EditorState(TINY)
        state.look_at(neighbourhood(state.drawing, state.drawing.feature_ids[0]))
        state.receive({"op": "add_component"})
        assert state.focus[0] in state.window


def test_old_drawings_are_let_go_when_they_grow_heavy(monkeypatch):
    monkeypatch.setattr("explorer.document.undo_stack.MAX_STEPS", 5)
    state = EditorState(TINY)
    for _ in range(20):
        state.receive({"op": "add_component"})
    for _ in range(20):
        state.undo()
    assert state.drawing.hypergraph.n_components == TINY.n_components + 16


@settings(max_examples=25)
@given(hypergraphs(), st.data())
def test_a_part_has_a_place_for_each_of_its_nodes_that_is_drawn(hypergraph, data):
    drawing = Drawing.of(hypergraph)
    whole = [*drawing.component_ids, *drawing.feature_ids]
    part = frozenset(data.draw(st.sets(st.sampled_from(whole))))
    found = part_places(drawing, part)
    assert found.keys() <= part
    assert found.keys() >= part & set(drawing.component_ids)
    assert len({tuple(place) for place in found.values()}) == len(found)


def test_a_newcomer_stands_below_what_it_needs_or_where_it_was_put():
    before = Drawing.of(TINY)
    fft, other = before.component_ids[:2]
    part = {fft: [10.0, 20.0]}
    after = before.add_feature("top", [fft]).add_feature("bottom", [other])
    found = with_newcomers(part, before, after)
    below = 20.0 - 1.6 * STEP[1]
    assert found == {fft: [10.0, 20.0], after.feature_ids[-2]: [10.0, below]}
    assert np.isfinite(after.feature_places).all()
