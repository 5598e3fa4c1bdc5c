"""Methods are traced one after another; one that fails or is stopped stops no other."""

import threading
import time

import pytest

from explorer.pages.frontier import tracing
from explorer.pages.frontier.state import FrontierState
from explorer.pages.frontier.streams import TraceItem, TraceRequest
from explorer.pages.frontier.tracing import Tracing
from explorer.session.context import Context
from explorer.session.state import SessionState, bundled
from solvers import ThriftscopeError
from tests.waiting import HANGS_SECONDS, until, until_idle

METHODS = ("l1", "acafh", "jit")


@pytest.fixture
def request_():
    data = bundled("breast_cancer")
    return TraceRequest(data, {name: {} for name in METHODS}, "tuned", 0)


@pytest.fixture
def made(monkeypatch):
    """A tracing whose streams are given by a dict of callables."""
    streams = {}

    def trace(request):
        (name,) = request.methods
        return streams[name]()

    monkeypatch.setattr(tracing, "trace_methods", trace)
    context = Context(SessionState(dataset=bundled("breast_cancer")))
    return Tracing(context), streams


def ends(name):
    return lambda: iter([TraceItem(name, None)])


def fails():
    raise ThriftscopeError("It takes no such rows; give others.")
    yield


def chips_of(traced):
    """The buttons of a tracing's row, which is sent when it is first seen."""
    shown = traced.row()
    traced.busy = True
    return shown[1][0][1]


def test_every_method_is_traced_in_the_order_asked_for(made, request_):
    traced, streams = made
    streams.update({name: ends(name) for name in METHODS})
    seen = []
    traced.submit(request_, lambda items: seen.extend(item.method for item in items))
    until_idle(traced)
    assert seen == list(METHODS)
    assert traced.shares == {}


def test_a_method_that_fails_says_so_and_the_others_go_on(made, request_):
    traced, streams = made
    streams.update({"l1": ends("l1"), "acafh": fails, "jit": ends("jit")})
    seen = []
    traced.submit(request_, lambda items: seen.extend(item.method for item in items))
    until_idle(traced)
    assert seen == ["l1", "jit"]
    assert traced.message == "ACAFH: It takes no such rows; give others."


def endless(name, gone):
    def stream():
        try:
            while True:
                time.sleep(0.01)
                yield TraceItem(name, "a point")
        finally:
            gone.set()

    return stream


def test_one_method_can_be_stopped_while_it_runs(made, request_):
    traced, streams = made
    gone = threading.Event()
    streams.update(
        {"l1": endless("l1", gone), "acafh": ends("acafh"), "jit": ends("jit")}
    )
    traced.submit(request_, lambda items: None)
    until(lambda: traced.shares.get("l1", 0) > 0)
    traced.stop("l1")
    assert gone.wait(HANGS_SECONDS)
    until_idle(traced)


def test_a_method_tells_how_far_it_is_before_its_first_point(made, request_):
    traced, streams = made
    told, stop = threading.Event(), threading.Event()

    def training():
        yield TraceItem("l1", None, 0.25)
        yield TraceItem("l1", None, 0.5)
        told.set()
        stop.wait(HANGS_SECONDS)
        yield TraceItem("l1", None)

    streams.update({"l1": training, "acafh": ends("acafh"), "jit": ends("jit")})
    traced.submit(request_, lambda items: None)
    assert told.wait(HANGS_SECONDS)
    until(lambda: traced.shares.get("l1") == 0.5)
    stop.set()
    until_idle(traced)


def test_shares_are_no_points_and_end_no_trace():
    data = bundled("breast_cancer")
    state = FrontierState(dataset=data, methods=["l1"])
    collect = state.collector()
    collect([TraceItem("l1", None, 0.5)])
    assert "l1" not in state.traces
    assert state.missing_traces() is not None


def test_one_method_can_be_stopped_before_its_turn(made, request_):
    traced, streams = made
    gone, seen = threading.Event(), []
    streams.update({"l1": endless("l1", gone), "jit": ends("jit")})
    traced.submit(request_, lambda items: seen.extend(item.method for item in items))
    traced.stop("acafh")
    traced.stop("l1")
    until_idle(traced)
    assert "acafh" not in seen
    assert seen[-1] == "jit"


def test_cancelling_stops_all(made, request_):
    traced, streams = made
    gone = threading.Event()
    streams["l1"] = endless("l1", gone)
    traced.submit(request_, lambda items: None)
    until(lambda: traced.shares.get("l1", 0) > 0)
    traced.cancel()
    assert gone.wait(HANGS_SECONDS)
    assert not traced.busy
    assert traced.shares == {}


def test_buttons_are_used_again_for_other_methods(made):
    """One put in or taken out makes Bokeh look through the whole page."""
    traced, _ = made
    chips = chips_of(traced)
    traced.shares = {"l1": 0.0, "jit": 0.25}
    first, second = chips.objects
    traced.shares = {"acafh": 0.5}
    assert chips.objects == [first, second]
    assert (first.label, first.visible) == ("Stop ACAFH, 50 %", True)
    assert not second.visible


def test_a_button_stops_the_method_that_it_names(made, request_):
    traced, streams = made
    gate, endless = threading.Event(), iter(lambda: gate.wait(0.01), True)
    streams.update({name: ends(name) for name in METHODS})
    streams["l1"] = lambda: (TraceItem("l1", None) for _ in endless)
    chips = chips_of(traced)
    traced.submit(request_, lambda items: None)
    second = chips[1]
    assert second.label == "Stop ACAFH, 0 %"
    second.clicks += 1
    assert list(traced.shares) == ["l1", "jit"]
    assert second.label.startswith("Stop JIT")
    gate.set()
    until_idle(traced)
