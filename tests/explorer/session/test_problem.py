"""What the problem page keeps in step: drawing, table, session, units and links."""

import base64
import dataclasses
import zlib

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer.export.bundle import HYPERGRAPH
from explorer.pages.problem.files import STARTING_GRAPHS, tiny_world
from explorer.session.problem import ProblemState
from explorer.session.saved_drawing import MAX_UNPACKED, graph_text, read_graph_text
from explorer.session.state import SessionState
from solvers import Dataset, FeatureHypergraph, HypergraphFile, ThriftscopeError
from tests.each import each

from ...strategies import hypergraphs


def dataset():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((40, 3))
    return Dataset("tiny", X, np.where(X[:, 0] > 0, 1, -1), tiny_world(), positive=1)


@pytest.fixture
def problem():
    return ProblemState(SessionState(dataset=dataset()))


def feature(problem, name):
    drawing = problem.editor.drawing
    return drawing.feature_ids[drawing.hypergraph.features.index(name)]


def component(problem, name):
    drawing = problem.editor.drawing
    return drawing.component_ids[drawing.hypergraph.components.index(name)]


class TestInStep:
    def test_cost_that_is_edited_reaches_the_session(self, problem):
        problem.editor.receive(
            {"op": "set", "node": component(problem, "fft"), "cost": 9}
        )
        assert problem.session.dataset.hypergraph.cost("peak") == 9
        assert problem.session.dataset.costs_note == "Edited by hand."

    def test_undo_gives_back_the_very_data_set(self, problem):
        before = problem.session.dataset
        problem.editor.receive(
            {"op": "set", "node": component(problem, "fft"), "cost": 9}
        )
        problem.editor.undo()
        assert problem.session.dataset is before

    def test_move_keeps_the_data_set_as_it_is(self, problem):
        before = problem.session.dataset
        node = feature(problem, "peak")
        problem.editor.receive({"op": "move", "nodes": [node], "places": [[5, 5]]})
        assert problem.session.dataset is before

    def test_renamed_feature_keeps_its_column(self, problem):
        X = problem.session.dataset.X
        problem.editor.receive(
            {"op": "set", "node": feature(problem, "peak"), "name": "top"}
        )
        assert problem.session.dataset.feature_names[0] == "top"
        assert problem.session.dataset.X is X
        assert problem.disagreement == ""

    def test_deleted_feature_is_named_and_the_session_keeps_the_last_that_fitted(
        self, problem
    ):
        before = problem.session.dataset
        problem.editor.receive({"op": "delete", "nodes": [feature(problem, "mean")]})
        assert "'mean'" in problem.disagreement
        assert problem.n_unpriced == 1
        assert problem.session.dataset is before

    def test_column_without_a_feature_can_be_added_at_no_cost(self, problem):
        problem.editor.receive({"op": "delete", "nodes": [feature(problem, "mean")]})
        problem.add_missing_features()
        assert problem.disagreement == ""
        assert problem.session.dataset.hypergraph.cost("mean") == 0

    def test_column_without_a_feature_can_be_left_out(self, problem):
        problem.editor.receive({"op": "delete", "nodes": [feature(problem, "peak")]})
        X = problem.session.dataset.X
        problem.leave_out_columns()
        assert problem.session.dataset.feature_names == ("centroid", "mean")
        np.testing.assert_array_equal(problem.session.dataset.X, X[:, 1:])

    def test_feature_without_a_column_can_be_dropped(self, problem):
        problem.editor.receive({"op": "add_feature", "name": "new"})
        assert (problem.n_absent, problem.n_unpriced) == (1, 0)
        problem.drop_features()
        assert problem.disagreement == ""
        assert problem.session.dataset.hypergraph.equals(tiny_world())

    def test_rows_can_be_made_up_for_a_drawing(self, problem):
        problem.editor.receive({"op": "add_feature", "name": "new"})
        problem.make_up_rows()
        assert problem.session.dataset.n_features == 4
        assert problem.disagreement == ""

    def test_loaded_hypergraph_is_matched_by_name_in_any_order(self, problem):
        X = problem.session.dataset.X
        problem.open_hypergraph(
            tiny_world().restrict(["mean", "peak", "centroid"]), "Loaded"
        )
        assert problem.session.dataset.feature_names == ("mean", "peak", "centroid")
        np.testing.assert_array_equal(problem.session.dataset.X, X[:, [2, 0, 1]])

    def test_load_of_a_data_set_can_be_undone(self, problem):
        before = problem.session.dataset
        problem.open_dataset(dataclasses.replace(dataset(), name="other"))
        assert problem.session.dataset.name == "other"
        problem.editor.undo()
        assert problem.session.dataset is before

    def test_data_set_that_another_page_opens_is_drawn(self, problem):
        other = dataclasses.replace(
            dataset(), hypergraph=FeatureHypergraph.independent([1.0, 2.0, 3.0])
        )
        problem.session.open(other)
        assert problem.editor.drawing.hypergraph.features == ("x0", "x1", "x2")
        assert problem.session.dataset is other

    def test_files_that_a_table_comes_from_are_told_until_another_one_is_opened(
        self, problem
    ):
        origin = {"table_file": "mine.csv", "label": "y"}
        problem.session.open(dataclasses.replace(dataset(), name="mine"), origin)
        node = component(problem, "fft")
        assert problem.session.origin == origin
        problem.editor.receive({"op": "set", "node": node, "cost": 9})
        # A script that reads the table has to read the edited costs as well.
        edited = {**origin, "hypergraph_file": HYPERGRAPH}
        assert problem.session.origin == edited
        problem.open_dataset(dataset())
        assert problem.session.origin == {}
        problem.editor.undo()
        assert problem.session.origin == edited

    def test_a_table_whose_columns_are_renamed_is_no_file_any_more(self, problem):
        origin = {"table_file": "mine.csv", "label": "y"}
        problem.session.open(dataclasses.replace(dataset(), name="mine"), origin)
        node = feature(problem, "peak")
        problem.editor.receive({"op": "set", "node": node, "name": "top"})
        assert problem.session.origin == {}

    def test_data_set_that_cannot_be_drawn_is_refused_and_changes_nothing(
        self, problem, monkeypatch
    ):
        monkeypatch.setattr("explorer.document.drawing.MAX_NODES", 3)
        before = problem.session.dataset
        problem.session.open(dataclasses.replace(dataset(), name="other"))
        assert "can be drawn" in problem.editor.refused
        assert problem.session.dataset is before

    def test_what_costs_say_of_themselves_is_where_they_come_from(self, problem):
        costs = FeatureHypergraph.independent([7.0], ["fft"])
        problem.open_file(HypergraphFile(costs, layout="costs"), "costs.csv")
        said = problem.session.dataset.costs_note
        assert said == "Costs from costs.csv, for 1 of 2 components."
        drawn = dataclasses.replace(tiny_world(), component_costs=np.array([5.0, 6.0]))
        problem.open_file(HypergraphFile(drawn, layout="incidence"), "drawn.csv")
        assert problem.session.dataset.costs_note == "Costs from drawn.csv."

    def test_costs_of_components_are_converted_and_keep_the_sharing(self, problem):
        costs = FeatureHypergraph.independent([0.004, 0.001], ("fft", "sum"), unit="ms")
        problem.open_file(HypergraphFile(costs, layout="costs"), "costs.csv")
        hypergraph = problem.session.dataset.hypergraph
        assert hypergraph.cost(["peak", "centroid"]) == pytest.approx(4.0)
        assert hypergraph.unit == "us"

    def test_costs_in_a_unit_that_cannot_be_converted_are_refused(self, problem):
        before = problem.session.dataset
        problem.set_costs({"fft": 1.0}, "joule", "Set costs")
        assert "'joule'" in problem.editor.refused
        assert problem.session.dataset is before

    def test_what_has_no_prices_is_told_their_unit_and_keeps_its_numbers(self, problem):
        counted = FeatureHypergraph.independent([1, 2], ("fft", "sum"), unit="features")
        problem.open_hypergraph(counted, "Opened", make_up=True)
        node = problem.editor.drawing.component_ids[0]
        problem.editor.receive({"op": "set", "node": node, "cost": "3 us"})
        assert "nothing has a price yet; choose" in problem.editor.refused
        problem.set_unit("us")
        hypergraph = problem.editor.drawing.hypergraph
        assert (hypergraph.unit, hypergraph.component_costs.tolist()) == ("us", [1, 2])
        problem.editor.receive({"op": "set", "node": node, "cost": "3 us"})
        assert problem.editor.drawing.hypergraph.component_costs[0] == 3

    def test_other_unit_changes_no_cost(self, problem):
        problem.set_unit("ns")
        assert problem.session.dataset.hypergraph.cost("peak") == pytest.approx(3000)
        problem.set_unit("us")
        assert problem.session.dataset.hypergraph.cost("peak") == pytest.approx(3)

    @each("start", STARTING_GRAPHS)
    def test_starting_graphs_reach_the_session(self, problem, start):
        made = start.make()
        if isinstance(made, Dataset):
            problem.open_dataset(made)
        else:
            problem.open_hypergraph(made, "Opened", make_up=True)
        assert problem.disagreement == ""
        assert problem.session.dataset.hypergraph is problem.editor.drawing.hypergraph


class TestLink:
    @given(hypergraphs())
    def test_link_gives_back_the_graph(self, graph):
        assert read_graph_text(graph_text(graph)).equals(graph)

    def test_large_graph_has_no_link(self):
        rng = np.random.default_rng(0)
        graph = FeatureHypergraph.independent(rng.random(2000))
        assert graph_text(graph) is None

    def test_decompression_bomb_is_refused(self):
        bomb = base64.urlsafe_b64encode(zlib.compress(b"[" * (MAX_UNPACKED * 9), 9))
        with pytest.raises(ThriftscopeError, match="no drawing"):
            read_graph_text(bomb.decode())

    @settings(max_examples=50)
    @given(st.one_of(st.text(max_size=30), st.binary(max_size=60)))
    def test_any_other_text_is_refused(self, junk):
        if isinstance(junk, bytes):
            junk = base64.urlsafe_b64encode(zlib.compress(junk)).decode()
        with pytest.raises(ThriftscopeError):
            read_graph_text(junk)
