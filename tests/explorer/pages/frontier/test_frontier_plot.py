"""Of lines that stream, the one that has grown is drawn, and no other."""

import pytest

from explorer.compute.traces import Trace
from explorer.pages.frontier.comparison import PinComparison
from explorer.pages.frontier.cost_axis import CostAxis
from explorer.pages.frontier.frontier_plot import FrontierPlot
from explorer.pages.frontier.state import FrontierState
from explorer.pages.frontier.streams import trace_methods
from explorer.session.state import bundled
from explorer.widgets.theme import method_style


@pytest.fixture(scope="module")
def points():
    state = FrontierState(dataset=bundled("breast_cancer"), methods=["l1"])
    state.collector()(list(trace_methods(state.missing_traces())))
    return state.traces["l1"].points


@pytest.fixture
def drawn(points):
    """A plot of two lines, and the names of those that are drawn from now on."""
    state = FrontierState(dataset=bundled("breast_cancer"), methods=["l1", "acafh"])
    state.traces = dict.fromkeys(state.methods, Trace(points[:5], is_complete=False))
    plot, names = FrontierPlot(state=state), []

    def note(name):
        return lambda attr, old, new: names.append(name)

    for name in state.methods:
        plot._points[name].data_source.on_change("data", note(name))
    return state, plot, names


def test_the_line_that_has_grown_is_drawn_alone(drawn, points):
    state, plot, names = drawn
    grown, other = state.methods
    for n in (6, 7):
        trace = Trace(points[:n], is_complete=False)
        state.traces = {**state.traces, grown: trace}
    assert names == [grown, grown]
    assert len(plot._points[grown].data_source.data["x"]) == 7
    assert len(plot._points[other].data_source.data["x"]) == 5


def test_other_axes_place_every_line_anew(drawn):
    state, _, names = drawn
    state.score = "accuracy"
    assert {*names} == {*state.methods}


def test_points_beside_a_picked_one_have_the_colour_of_the_theme(drawn):
    _, plot, _ = drawn
    plot.dark = True
    marks = plot._points["l1"]
    assert marks.nonselection_glyph.line_color == marks.glyph.line_color
    assert marks.glyph.line_color == method_style("l1").colour(dark=True)


def test_a_method_that_is_ticked_beside_pins_is_named_among_the_methods():
    plot = FrontierPlot(state=FrontierState(methods=["l1"]))
    plot.pins.draw([PinComparison(None, None, None, None, "")], CostAxis(1.0))
    plot._add_method("csnb")
    named = [item.label.value for item in plot._legend.items]
    assert named[1:3] == ["csNB", "Every row positive"]
    assert named[3:] == ["pin 1", "pin 2", "pin 3"]
