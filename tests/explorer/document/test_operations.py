"""Whatever a browser sends, the drawing stays what a plain model of it says."""

import math

import pytest

from explorer.document import operations
from explorer.document.drawing import Drawing
from explorer.document.operations import (
    MAX_PRICES,
    add_price,
    apply,
    drop_price,
    set_price,
)
from explorer.pages.problem.files import tiny_world
from solvers import FeatureHypergraph
from solvers.errors import HypergraphError
from tests.each import each
from tests.explorer.document.tiny import TINY


def tiny():
    return Drawing.of(TINY)


def refused(message, words, drawing=None):
    with pytest.raises(HypergraphError, match=words):
        apply(drawing or tiny(), message)


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

    @each("cost", [-1, math.nan, math.inf, "", "one", True, None, [1]])
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

    @each("op", ["replace", "restore", "__class__", "", "Undo"])
    def test_operation_that_is_not_allowed_is_refused(self, op):
        refused({"op": op}, "There is no operation")

    def test_unknown_field_is_refused(self):
        refused({"op": "arrange", "hypergraph": {}}, "takes no 'hypergraph'")

    @each("place", [[1e9, 0], [math.nan, 0], [1], "ab", [True, 0]])
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


@each("name", ["", " ", "x" * 121, "a\x1bb", "\ud800", 5])
def test_what_is_no_name_is_refused(name):
    with pytest.raises(HypergraphError, match="name"):
        operations.read_name(name)


def test_no_message_makes_more_connections_than_may_be_made_at_once(monkeypatch):
    monkeypatch.setattr(operations, "MAX_PAIRS", 1)
    drawing = Drawing.of(FeatureHypergraph.independent([1.0, 2.0]))
    ends = {"features": drawing.feature_ids, "components": drawing.component_ids[:1]}
    with pytest.raises(HypergraphError, match="more than 1 connections at once"):
        operations.apply(drawing, {"op": "connect", **ends})


@pytest.fixture
def drawing():
    return add_price(Drawing.of(tiny_world()), " money  spent", "CAD", "sum").drawing


def test_a_new_price_costs_nothing_yet(drawing):
    (price,) = drawing.hypergraph.prices
    assert (price.name, price.unit, price.rule) == ("money spent", "CAD", "sum")
    assert price.values.tolist() == [0, 0]


def test_a_components_price_is_set_and_charged_once(drawing):
    edit = set_price(drawing, "money spent", "fft", "2,5 CAD")
    assert edit.said == "Set money spent of fft to 2.5 CAD"
    assert edit.focus == (drawing.component_ids[0],)
    graph = edit.drawing.hypergraph
    assert graph.price_rows([[True, True, False]])["money spent"].tolist() == [2.5]
    assert graph.component_costs.tolist() == [3.0, 0.5]
    assert set_price(edit.drawing, "money spent", "fft", 2.5).said == ""


def test_the_dearest_counts_under_the_rule_maximum(drawing):
    both = add_price(drawing, "delay", "h", "maximum").drawing
    for component, hours in (("fft", 3), ("sum", 5)):
        both = set_price(both, "delay", component, hours).drawing
    assert both.hypergraph.price_rows([[True, False, True]])["delay"].tolist() == [5.0]


def test_a_price_is_dropped_and_the_others_stay(drawing):
    both = add_price(drawing, "delay", "h", "maximum").drawing
    left = drop_price(both, "money spent").drawing.hypergraph.prices
    assert [one.name for one in left] == ["delay"]


@each(
    ("edit", "arguments", "words"),
    [
        (add_price, ("", "CAD", "sum"), "is empty"),
        (add_price, (None, "CAD", "sum"), "A name is text"),
        (add_price, ("money spent", "CAD", "sum"), "Two prices are called"),
        (add_price, ("cost", "us", "sum"), "Two prices are called 'cost'"),
        (add_price, ("delay", "h" * 30, "sum"), "longer than 20"),
        (add_price, ("delay", "h", "mean"), 'use "sum" or "maximum"'),
        (set_price, ("delay", "fft", 1), "There is no further price 'delay'"),
        (set_price, ("money spent", "dwt", 1), "No component that is drawn"),
        (set_price, ("money spent", "fft", "-1"), "'-1' is no number of 0 or more"),
        (set_price, ("money spent", "fft", float("nan")), "out of range"),
        (set_price, ("money spent", "fft", "2 us"), "us"),
        (drop_price, ("delay",), "There is no further price 'delay'"),
    ],
)
def test_what_is_odd_is_refused(drawing, edit, arguments, words):
    with pytest.raises(HypergraphError, match=words):
        edit(drawing, *arguments)


def test_there_is_an_end_to_prices(drawing):
    for i in range(MAX_PRICES - 1):
        drawing = add_price(drawing, f"p{i}", "", "sum").drawing
    with pytest.raises(HypergraphError, match="drop one first"):
        add_price(drawing, "one more", "", "sum")
