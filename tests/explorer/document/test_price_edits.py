"""Further prices are added, changed and dropped; what is odd is refused."""

import pytest

from explorer.document.drawing import Drawing
from explorer.document.price_edits import MAX_PRICES, add_price, drop_price, set_price
from explorer.pages.problem.files import tiny_world
from solvers.errors import HypergraphError
from tests.each import each


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
