"""What the answer says, and what it says while methods are traced."""

import threading
from dataclasses import replace

import pytest

from explorer.compute.query import Asker
from explorer.compute.traces import Trace
from explorer.pages.frontier.answer import PlainText, plain_answer, tracing_row
from explorer.pages.frontier.queries import TRACES
from explorer.pages.frontier.state import FrontierState
from explorer.session.state import bundled
from solvers import ThriftscopeError
from tests.waiting import HANGS_SECONDS, until, until_idle

METHODS = ["l1", "acafh", "jit"]
pytestmark = pytest.mark.usefixtures("nothing_is_known")


@pytest.fixture
def made():
    """An asker of traces whose streams are given by a dict of callables."""
    streams = {name: lambda: iter(()) for name in METHODS}
    query = replace(TRACES, work=lambda _, name: streams[name](), coarse=None)
    state = FrontierState(dataset=bundled("breast_cancer"), methods=METHODS)
    return Asker(query, state), streams


def fails():
    raise ThriftscopeError("It takes no such rows; give others.")
    yield


def chips_of(traces):
    """The buttons of a tracing's row, which is sent when it is first seen."""
    shown = tracing_row(traces)
    traces.is_slow = True
    return shown[1][0]


def test_every_method_is_traced_in_the_order_asked_for(made):
    traces, _ = made
    traces.ask()
    until_idle(traces)
    assert list(traces.state.traces) == METHODS
    assert all(trace.is_complete for trace in traces.state.traces.values())
    assert traces.shares == {}


def test_a_method_that_fails_says_so_and_the_others_go_on(made):
    traces, streams = made
    streams["acafh"] = fails
    traces.ask()
    until_idle(traces)
    assert list(traces.state.traces) == ["l1", "jit"]
    assert traces.message == "ACAFH: It takes no such rows; give others."


def test_a_method_tells_how_far_it_is_before_its_first_point(made):
    traces, streams = made
    told, stop = threading.Event(), threading.Event()

    def training():
        yield 0.25
        yield 0.5
        told.set()
        stop.wait(HANGS_SECONDS)

    streams["l1"] = training
    traces.ask()
    assert told.wait(HANGS_SECONDS)
    until(lambda: traces.shares.get("l1") == 0.5)
    assert "l1" not in traces.state.traces
    stop.set()
    until_idle(traces)


def test_buttons_are_used_again_for_other_methods(made):
    """One put in or taken out makes Bokeh look through the whole page."""
    traces, _ = made
    chips = chips_of(traces)
    traces.shares = {"l1": 0.0, "jit": 0.25}
    first, second = chips.objects
    traces.shares = {"acafh": 0.5}
    assert chips.objects == [first, second]
    assert (first.label, first.visible) == ("Stop ACAFH, 50 %", True)
    assert not second.visible


def test_a_button_stops_the_method_that_it_names(made):
    traces, streams = made
    gate, endless = threading.Event(), iter(lambda: gate.wait(0.01), True)
    streams["l1"] = lambda: (0.0 for _ in endless)
    chips = chips_of(traces)
    traces.ask()
    second = chips[1]
    assert second.label == "Stop ACAFH"
    second.clicks += 1
    assert list(traces.shares) == ["l1", "jit"]
    assert second.label.startswith("Stop JIT")
    gate.set()
    until_idle(traces)
    assert list(traces.state.traces) == ["l1", "jit"]


def test_the_words_follow_the_chosen_point_and_claim_nothing_while_tracing():
    state = FrontierState(dataset=bundled("breast_cancer"), methods=["l1"])
    shown = PlainText(state=state)
    assert shown.view.answer is None
    whole = TRACES.answer(FrontierState(dataset=state.dataset, methods=["l1"]))["l1"]
    state.traces = {"l1": Trace(whole.points[:-2], is_complete=False)}
    state.budget = state.dataset.hypergraph.total_cost / 10
    assert not any(line.startswith("No") for line in plain_answer(state).closing)
    state.traces = {"l1": whole}
    state.budget = state.dataset.hypergraph.total_cost / 8
    state.rests += 1
    answer = shown.view.answer
    assert answer == plain_answer(state)
    assert answer.closing[-1].startswith("Not bought: for")
    assert answer.text() == shown.view._copy.text
