"""Whatever a browser sends, the drawing stays what a plain model of it says."""

import json
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer.document.drawing import Drawing
from explorer.document.editor import EditorState, neighbourhood
from explorer.document.operations import MAX_NAME, OPERATIONS, apply
from explorer.pages.problem.hypergraph_editor import graph_message
from solvers import FeatureHypergraph
from solvers.errors import HypergraphError

from ...strategies import hypergraphs

TINY = FeatureHypergraph(
    [[1, 1, 0], [0, 0, 1]],
    [3.0, 0.5],
    ("peak", "centroid", "mean"),
    ("fft", "mean"),
)
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


def tiny():
    return Drawing.of(TINY)


def refused(message, words, drawing=None):
    with pytest.raises(HypergraphError, match=words):
        apply(drawing or tiny(), message)


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
    @settings(max_examples=60)
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
    @settings(max_examples=60)
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

    @given(ODD)
    def test_what_is_no_mapping_is_refused(self, message):
        state = EditorState(TINY)
        state.receive(message)
        assert state.refused
        assert state.drawing.hypergraph is TINY


class TestOperations:
    def test_new_feature_without_components_gets_one_of_its_own_at_no_cost(self):
        edit = apply(tiny(), {"op": "add_feature", "name": "new"})
        graph = edit.drawing.hypergraph
        assert graph.cost("new") == 0
        assert graph.kinds[-1] == "utilisation"

    def test_new_feature_needs_the_components_that_are_named(self):
        drawing = tiny()
        fft = drawing.component_ids[0]
        edit = apply(drawing, {"op": "add_feature", "components": [fft]})
        assert edit.drawing.hypergraph.cost(edit.drawing.name(edit.focus[0])) == 3.0
        assert edit.drawing.hypergraph.n_components == 2

    def test_component_that_held_a_place_goes_with_the_first_connection(self):
        drawing = apply(tiny(), {"op": "add_feature", "name": "new"}).drawing
        message = {
            "op": "connect",
            "features": [drawing.feature_ids[-1]],
            "components": [drawing.component_ids[0]],
        }
        assert apply(drawing, message).drawing.hypergraph.components == ("fft", "mean")

    def test_last_connection_of_a_feature_cannot_go(self):
        drawing = tiny()
        ends = {
            "features": [drawing.feature_ids[0]],
            "components": [drawing.component_ids[0]],
        }
        refused({"op": "disconnect", **ends}, "'peak' needs at least one component")

    def test_component_that_a_feature_cannot_do_without_cannot_go(self):
        drawing = tiny()
        refused(
            {"op": "delete", "nodes": [drawing.component_ids[0]]},
            "'peak' would be left",
        )

    def test_component_goes_together_with_its_features(self):
        drawing = tiny()
        nodes = [drawing.component_ids[0], *drawing.feature_ids[:2]]
        left = apply(drawing, {"op": "delete", "nodes": nodes}).drawing.hypergraph
        assert left.features == ("mean",)
        assert left.components == ("mean",)

    def test_toggle_connects_all_pairs_and_then_disconnects_them(self):
        drawing = tiny()
        ends = {
            "features": list(drawing.feature_ids[:2]),
            "components": [drawing.component_ids[1]],
        }
        joined = apply(drawing, {"op": "toggle", **ends}).drawing
        assert joined.hypergraph.cost("peak") == 3.5
        parted = apply(joined, {"op": "toggle", **ends}).drawing
        assert parted.hypergraph.equals(TINY)

    def test_cost_may_carry_another_unit_of_time(self):
        drawing = tiny()
        message = {"op": "set", "node": drawing.component_ids[0], "cost": "0.3 ms"}
        assert apply(drawing, message).drawing.hypergraph.cost("peak") == pytest.approx(
            300
        )

    def test_cost_in_a_unit_that_is_no_time_is_refused(self):
        drawing = tiny()
        refused(
            {"op": "set", "node": drawing.component_ids[0], "cost": "3 euros"},
            "cannot be put beside",
        )

    @pytest.mark.parametrize(
        "cost", [-1, math.nan, math.inf, "", "one", True, None, [1]]
    )
    def test_cost_that_is_no_cost_is_refused(self, cost):
        drawing = tiny()
        refused({"op": "set", "node": drawing.component_ids[0], "cost": cost}, "cost")

    def test_feature_has_no_cost_of_its_own(self):
        drawing = tiny()
        refused(
            {"op": "set", "node": drawing.feature_ids[0], "cost": 1},
            "its components cost",
        )

    def test_name_that_is_taken_is_refused(self):
        drawing = tiny()
        refused({"op": "set", "node": drawing.feature_ids[0], "name": "mean"}, "'mean'")

    def test_name_with_markup_stays_text(self):
        drawing = tiny()
        name = "<img src=x onerror=alert(1)>"
        edit = apply(
            drawing, {"op": "set", "node": drawing.feature_ids[0], "name": name}
        )
        assert edit.drawing.hypergraph.features[0] == name

    @pytest.mark.parametrize("op", ["replace", "restore", "__class__", "", "Undo"])
    def test_operation_that_is_not_allowed_is_refused(self, op):
        refused({"op": op}, "There is no operation")

    def test_unknown_field_is_refused(self):
        refused({"op": "arrange", "hypergraph": {}}, "takes no 'hypergraph'")

    @pytest.mark.parametrize("place", [[1e9, 0], [math.nan, 0], [1], "ab", [True, 0]])
    def test_place_off_the_drawing_is_refused(self, place):
        drawing = tiny()
        refused(
            {"op": "move", "nodes": [drawing.feature_ids[0]], "places": [place]},
            "place",
        )

    def test_clear_leaves_nothing(self):
        cleared = apply(tiny(), {"op": "clear"}).drawing
        assert (cleared.hypergraph.n_features, cleared.hypergraph.n_components) == (
            0,
            0,
        )


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


def test_a_component_that_holds_a_feature_s_place_goes_with_its_name():
    before = tiny()
    drawing = before.add_feature("mode")
    node = drawing.feature_ids[-1]
    own = drawing.hypergraph.components[-1]
    assert own == "mode"
    renamed = drawing.rename(node, "median")
    assert renamed.hypergraph.features[-1] == "median"
    assert renamed.hypergraph.components == (*before.hypergraph.components, "median")
    # One that costs something is a computation, with a name of its own.
    priced = drawing.set_cost(drawing.component_ids[-1], 2.0).rename(node, "median")
    assert priced.hypergraph.components[-1] == "mode"


def test_old_drawings_are_let_go_when_they_grow_heavy(monkeypatch):
    monkeypatch.setattr("explorer.document.timeline.MAX_STEPS", 5)
    state = EditorState(TINY)
    for _ in range(20):
        state.receive({"op": "add_component"})
    for _ in range(20):
        state.undo()
    assert state.drawing.hypergraph.n_components == TINY.n_components + 16
