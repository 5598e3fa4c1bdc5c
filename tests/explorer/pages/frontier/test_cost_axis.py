"""What costs nothing has a place on the frontier's axis, also on a logarithmic one."""

from dataclasses import replace

import numpy as np
import pytest

from explorer.compute.traces import Trace
from explorer.figures.frontier import TOOLTIPS
from explorer.pages.frontier.frontier_plot import FrontierPlot, cost_axis
from explorer.pages.frontier.queries import TRACES
from explorer.pages.frontier.state import FrontierState
from explorer.session.state import bundled


def columns(plot, layer):
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


def test_a_free_point_is_on_the_axis_and_says_what_it_costs(plot):
    data = columns(plot, "l1")
    start, end = plot.figure.x_range.start, plot.figure.x_range.end
    assert all(start < x < end for x in data["x"])
    assert (data["cost"][0], data["x"][0]) == (0.0, plot._axis.nothing)
    assert data["cost"][1:] == data["x"][1:]
    assert "@cost" in dict(TOOLTIPS)["cost"]
    assert "shaded: 0" in plot.figure.xaxis.axis_label
    assert columns(plot, "l1 line")["x"][0] == plot._axis.nothing


def test_a_budget_of_nothing_can_be_seen_and_dragged_to(plot):
    plot.state.budget = 0.0
    grip, line = plot._budget.grip, plot._budget.line
    assert grip.location == line.location == plot._axis.nothing
    grip.location = 7.0
    assert plot.state.budget == line.location == 7.0
    grip.location = 0.9 * plot._axis.edge
    assert plot.state.budget == 0.0
    assert grip.location == line.location == plot._axis.nothing


def test_the_linear_axis_is_there_again(plot):
    plot.state.log_cost = False
    data = columns(plot, "l1")
    assert data["x"] == data["cost"]
    assert plot.figure.x_range.start == 0.0
    assert "shaded" not in plot.figure.xaxis.axis_label


def test_to_look_at_it_otherwise_does_not_choose_another_point(plot):
    plot.state.param.update(budget=0.0, reason="alpha")
    plot.state.log_cost = False
    assert plot.state.reason == "alpha"
