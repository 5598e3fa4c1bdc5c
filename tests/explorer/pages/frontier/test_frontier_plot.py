"""What the plot shows: lines, their marks, one ring, and the axis of costs."""

from dataclasses import replace

import numpy as np
import pytest
from bokeh.events import Tap
from hypothesis import given
from hypothesis import strategies as st

from explorer.compute.traces import Trace
from explorer.figures.frontier import TOOLTIPS
from explorer.figures.line_ends import spread
from explorer.pages.frontier.choices import picked_name
from explorer.pages.frontier.comparison import compare, with_pin
from explorer.pages.frontier.frontier_plot import FrontierPlot, cost_axis
from explorer.pages.frontier.queries import MARKS, TRACES
from explorer.pages.frontier.state import FrontierState
from explorer.session.state import bundled
from explorer.widgets.text import cost_text
from explorer.widgets.theme import method_style, palette
from solvers import all_methods, free_scores
from tests.explorer.worlds import World


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


def test_of_marks_at_one_place_a_tap_picks_one(drawn):
    """The browser tells of each of them, and then of the tap."""
    state, plot, _ = drawn
    picked, first = [], state.methods[0]
    state.param.watch(lambda event: picked.append(event.new), "pick")
    data = {name: columns(plot, name) for name in state.methods}
    for at, name in ((2, first), (3, state.methods[-1])):
        marks = plot.figure.select_one({"name": name}).data_source
        marks.selected.indices = [at]
    assert picked == []
    plot.figure.x_range.update(start=0.1, end=10.0)
    x, y = (data[first][key][2] for key in ("x", "y"))
    plot.figure._trigger_event(Tap(plot.figure, x=x, y=y))
    plot.figure._trigger_event(Tap(plot.figure, x=x, y=y))  # beside all marks
    assert picked == [picked_name(state.traces[first].points[2])]
    assert marks.selected.indices == []  # or the same could not be tapped again


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


def columns_of_cost_axis(plot, layer):
    return plot.figure.select_one({"name": layer}).data_source.data


@pytest.fixture(scope="module")
def traced():
    """A state with points of one method, of which the first costs nothing."""
    data = bundled("breast_cancer")
    state = FrontierState(dataset=data, methods=["l1"], settings={"l1.n_alphas": 15})
    TRACES.answer(state)
    (name, trace), *_ = state.traces.items()
    free = replace(trace.points[0], cost=dict.fromkeys(trace.points[0].cost, 0.0))
    points = (free, *(p for p in trace.points if p.cost["mean"] > 0))
    state.traces = {name: Trace(points, is_complete=True)}
    return state


@pytest.fixture
def plot(traced):
    traced.param.update(log_cost=True, budget=5.0, reason="budget")
    return FrontierPlot(state=traced)


def test_no_cost_that_was_measured_stands_before_the_powers_of_ten(traced):
    traced.log_cost = True
    axis, axes = cost_axis(traced), traced.axes()
    costs = np.array([axes.cost(point) for point in traced.frontier().points])
    assert np.array_equal(axis.places(costs[costs > 0]), costs[costs > 0])
    assert axis.place(axis.end) == axis.end


def test_where_deciding_is_charged_the_axis_begins_at_what_deciding_takes(traced):
    slow = {"one_row": 5e-3, "batch_row": 5e-3}
    traced.log_cost, before = True, traced.traces
    points = [replace(p, decision_seconds=slow) for p in before["l1"].points]
    traced.traces = {"l1": Trace(tuple(points), is_complete=True)}
    prices = traced.dataset.hypergraph.component_costs
    assert cost_axis(traced).edge < min(prices[prices > 0])
    traced.charge = "one_row"
    costs = [traced.axes().cost(point) for point in points]
    assert 0.5 * min(costs) < cost_axis(traced).edge < min(costs)
    traced.param.update(charge="features", traces=before)


def test_a_free_point_is_on_the_axis_and_says_what_it_costs(plot):
    data = columns_of_cost_axis(plot, "l1")
    start, end = plot.figure.x_range.start, plot.figure.x_range.end
    assert all(start < x < end for x in data["x"])
    assert data["x"][0] == plot._axis.nothing
    paid = [0.0, *data["x"][1:]]
    assert data["cost"] == [cost_text(cost, plot.state.axes().unit) for cost in paid]
    assert dict(TOOLTIPS)["cost"] == "@cost"
    assert "shaded: 0" in plot.figure.xaxis.axis_label
    assert columns_of_cost_axis(plot, "l1 line")["x"][0] == plot._axis.nothing


def test_a_mark_tells_every_method_that_has_one_at_its_place(traced):
    (trace,) = traced.traces.values()
    half = Trace(trace.points[:3], is_complete=True)
    state = FrontierState(dataset=traced.dataset, methods=["l1", "acafh"])
    state.traces = {"l1": trace, "acafh": half}
    drawn = FrontierPlot(state=state)
    mine, others = columns(drawn, "l1"), columns(drawn, "acafh")
    shared = {*zip(others["x"], others["y"], strict=True)}
    places = zip(mine["x"], mine["y"], strict=True)
    told = ["L1, ACAFH" if place in shared else "L1" for place in places]
    assert mine["title"] == told
    assert "L1" in told
    assert others["title"] == ["L1, ACAFH"] * 3


def test_a_budget_of_nothing_can_be_seen_and_dragged_to(plot):
    plot.state.budget = 0.0
    line, grip = plot._budget.line, plot._budget.grip
    assert line.location == plot._axis.nothing
    line.location = 7.0  # as a hand has dragged it
    assert plot.state.budget == 7.0
    line.location = 0.9 * plot._axis.edge
    assert plot.state.budget == 0.0
    assert line.location == plot._axis.nothing
    assert grip.left < line.location < grip.right


def test_the_linear_axis_is_there_again(plot):
    plot.state.log_cost = False
    data = columns_of_cost_axis(plot, "l1")
    unit = plot.state.axes().unit
    assert [cost_text(x, unit) for x in data["x"]] == data["cost"]
    assert plot.figure.x_range.start == 0.0
    assert "shaded" not in plot.figure.xaxis.axis_label


def test_to_look_at_it_otherwise_does_not_choose_another_point(plot):
    plot.state.param.update(budget=0.0, reason="alpha")
    plot.state.log_cost = False
    assert plot.state.reason == "alpha"


@pytest.fixture
def world():
    made = World(bundled("breast_cancer"))
    made.frontier.methods = ["l1"]
    return made


def mark(state, alpha):
    """Move λ as its slider does, with the model at it already known."""
    state.param.update(alpha=alpha, reason="alpha")
    MARKS.answer(state)


def test_the_budget_stands_at_the_model_that_lambda_asks_for(world):
    state = world.frontier
    for alpha in (0.01, 0.1):
        mark(state, alpha)
        chosen = state.chosen()
        assert chosen.reason == "alpha"
        assert state.budget == pytest.approx(state.axes().held(chosen.point))
    state.param.update(budget=5.0, reason="budget")
    mark_before = state.marks["l1"]
    state.marks = {"l1": mark_before}
    assert state.budget == 5.0


def test_a_drag_of_lambda_is_one_step_though_the_budget_goes_along(world):
    state, before = world.frontier, world.frontier.budget
    alpha = state.alpha
    for value in (0.01, 0.03, 0.1):
        mark(state, value)
    assert state.budget != before
    world.undo_stack.undo()
    assert (state.alpha, state.reason) == (alpha, "budget")
    assert state.budget == before


def test_what_calling_every_row_positive_scores_is_told_of_test_rows(world):
    state = world.frontier
    assert state.floor() == free_scores(state.split())["test"]
