"""A pin keeps what a frontier bought; what differs is said, or why it cannot be."""

import dataclasses
import json

import pytest

from explorer.compute.traces import Trace
from explorer.pages.frontier.comparison import compare, pinned, with_pin
from explorer.pages.frontier.queries import RUNS, TRACES
from explorer.pages.frontier.state import FrontierState
from explorer.session.pins import MAX_PINS, read_pin
from explorer.session.state import bundled
from solvers import FrontierPoint, ThriftscopeError, all_methods
from tests.each import each
from tests.explorer.worlds import own_table


def point(cost, f1, validation=None):
    """A point of L1 that costs the same on all rows."""
    scores = {"validation": {"f1": validation or f1}, "test": {"f1": f1}}
    costs = dict.fromkeys(("mean", "p95", "max"), cost)
    features = bundled("breast_cancer").X[0] > 0
    return FrontierPoint("l1", {}, features, 1, 1, costs, scores, 0.0)


def traced(*points, dataset=None, **params):
    state = FrontierState(
        dataset=dataset or bundled("breast_cancer"), methods=["l1"], **params
    )
    state.traces = {"l1": Trace(points, is_complete=True)}
    return state


@pytest.fixture
def state():
    return traced(point(1.0, 0.7), point(5.0, 0.9), budget=2.0)


def test_a_pin_survives_json(state):
    pin = pinned(state, "before")
    assert read_pin(json.loads(json.dumps(pin.plain()))) == pin


def test_a_pin_buys_what_its_frontier_bought(state):
    pin = pinned(state, "before")
    assert [pin.best_within(budget) for budget in (0.5, 1, 4.9, 5)] == [
        None, 0.7, 0.7, 0.9,
    ]  # fmt: skip


def test_the_difference_is_told_within_the_budget(state):
    state.pins = with_pin(state, "before")
    state.traces = {"l1": Trace((point(1.5, 0.75),), is_complete=True)}
    (found,) = compare(state)
    assert found.gained == pytest.approx(0.05)
    assert found.words == (
        "Within 2.00 ms the F1 (test) is 0.750 now and 0.700 on “before”: 0.050 "
        "higher now."
    )


def test_costs_in_another_unit_of_time_are_converted_and_that_is_told(state):
    pin = pinned(state, "before")
    slow = dataclasses.replace(
        pin, unit="us", steps=((900.0, 900.0, 0.6, 0.6), (2001.0, 2001.0, 0.9, 0.9))
    )
    state.pins = [slow]
    (found,) = compare(state)
    assert (found.factor, found.then) == (1e-3, 0.6)
    assert "Its costs were in µs and are drawn in ms." in found.words


@each(
    ("change", "said"),
    [
        ({"unit": "components"}, "costs components, the frontier shown ms"),
        ({"accounting": "max"}, "charged by the worst row, the frontier shown by the"),
    ],
    ids=["unit", "accounting"],
)
def test_what_cannot_stand_on_one_axis_is_not_drawn_and_told(state, change, said):
    state.pins = [dataclasses.replace(pinned(state, "before"), **change)]
    (found,) = compare(state)
    assert (found.factor, found.gained) == (None, None)
    assert said in found.words
    assert "not drawn on one axis" in found.words


def test_other_data_are_told(state):
    state.pins = with_pin(state, "before")
    other = traced(point(1.0, 0.7), dataset=own_table(), budget=2.0)
    other.pins = [dataclasses.replace(state.pins[0], unit="us")]
    assert "It is of other data: breast_cancer, 569 rows." in compare(other)[0].words


def test_a_budget_that_buys_nothing_is_told(state):
    state.pins = with_pin(state, "before")
    state.budget = 0.1
    assert "nothing is bought on “before” and the frontier shown" in (
        compare(state)[0].words
    )


def test_names_are_told_apart(state):
    for _ in range(MAX_PINS):
        state.pins = with_pin(state, "same")
    assert [pin.name for pin in state.pins] == ["same", "same 2", "same 3"]
    with pytest.raises(ThriftscopeError, match="unpin one"):
        with_pin(state, "more")


def test_what_is_still_traced_is_not_pinned(state):
    state.traces = {"l1": Trace((point(1.0, 0.7),), is_complete=False)}
    with pytest.raises(ThriftscopeError, match="not complete yet"):
        with_pin(state, "early")


def test_the_same_frontier_on_the_same_splits_differs_by_noise_only():
    few = {"methods": ["l1"], "settings": {"l1.n_alphas": 8}, "n_runs": 3}
    state = FrontierState(dataset=bundled("breast_cancer"), **few)
    state.budget = state.dataset.hypergraph.total_cost / 4
    TRACES.answer(state)
    RUNS.answer(state)
    state.pins = with_pin(state, "before")
    assert len(state.pins[0].runs) == 3
    assert "Over 3 splits +0.000 ± 0.000: within noise." in compare(state)[0].words
    assert state.pins[0].methods == (all_methods()["l1"].title,)
