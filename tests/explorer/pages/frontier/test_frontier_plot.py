"""Of lines that stream, the one that has grown is drawn, and no other."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.compute.traces import Trace
from explorer.figures.live import spread
from explorer.pages.frontier.comparison import compare, with_pin
from explorer.pages.frontier.frontier_plot import FrontierPlot
from explorer.pages.frontier.queries import TRACES
from explorer.pages.frontier.state import FrontierState
from explorer.session.state import bundled
from explorer.widgets.theme import method_style, palette
from solvers import all_methods


def columns(plot, layer):
    return plot.figure.select_one({"name": layer}).data_source.data


@pytest.fixture(scope="module")
def points():
    state = FrontierState(
        dataset=bundled("breast_cancer"), methods=["l1"], settings={"l1.n_alphas": 15}
    )
    TRACES.answer(state)
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
        plot.figure.select_one({"name": name}).data_source.on_change("data", note(name))
    return state, plot, names


def test_the_line_that_has_grown_is_drawn_alone(drawn, points):
    state, plot, names = drawn
    grown, other = state.methods
    for n in (6, 7):
        trace = Trace(points[:n], is_complete=False)
        state.traces = {**state.traces, grown: trace}
    assert names == [grown, grown]
    assert len(columns(plot, grown)["x"]) == 7
    assert len(columns(plot, other)["x"]) == 5


def test_other_axes_place_every_line_anew(drawn):
    state, _, names = drawn
    state.score = "accuracy"
    assert {*names} == {*state.methods}


def test_points_beside_a_picked_one_have_the_colour_of_the_theme(drawn):
    _, plot, _ = drawn
    plot.dark = True
    marks = plot.figure.select_one({"name": "l1"})
    assert marks.nonselection_glyph.line_color == marks.glyph.line_color
    assert marks.glyph.line_color == method_style("l1").colour(dark=True)


def test_every_line_is_named_at_its_end_and_more_than_four_are_grey(points):
    names = ["l1", "acafh", "csnb", "csdt", "relief_svm"]
    state = FrontierState(dataset=bundled("breast_cancer"), methods=names)
    state.traces = dict.fromkeys(names, Trace(points[:5], is_complete=True))
    plot = FrontierPlot(state=state)
    ends = [one for one in plot.figure.renderers if one.name == "end"]
    said = {
        text: one.glyph.text_color
        for one in ends
        for text in one.data_source.data["text"]
    }
    titles = {all_methods()[name].title: name for name in names}
    assert set(said) == {"Every row malignant", *titles}
    quiet = palette(dark=False).quiet_text
    assert [said[title] == quiet for title in titles] == [False] * 4 + [True]
    assert said["L1"] == method_style("l1").colour(dark=False)


@given(st.lists(st.floats(0, 1), max_size=12), st.floats(0.001, 0.2))
def test_names_keep_their_distance_and_their_order(places, gap):
    placed = spread(places, gap)
    order = np.argsort(places, kind="stable")
    assert np.all(np.diff(placed[order]) >= gap * (1 - 1e-9))
    if len(places) < 2 or np.min(np.diff(np.sort(places))) > gap:
        np.testing.assert_allclose(placed, places, atol=1e-12)
    else:
        assert np.mean(placed) == pytest.approx(np.mean(places))


def test_a_pin_is_drawn_behind_and_named(points):
    state = FrontierState(dataset=bundled("breast_cancer"), methods=["l1"])
    state.traces = {"l1": Trace(points, is_complete=True)}
    plot = FrontierPlot(state=state)
    state.pins = with_pin(state, "before")
    plot.pinned = compare(state)
    pin, line = (
        plot.figure.select_one({"name": name}) for name in ("pin 1", "l1 line")
    )
    assert len(columns(plot, "pin 1")["x"]) > 1
    assert plot.figure.renderers.index(pin) < plot.figure.renderers.index(line)
    plot.pinned = []
    assert not pin.visible
