"""What a server computes before it opens is what a session would have computed."""

import pytest

from explorer.state import FrontierState
from explorer.state.marking import mark_methods
from explorer.state.session import bundled
from explorer.state.shared import SHARED_MARKS, SHARED_SPLITS, SHARED_TRACES
from explorer.state.tracing import trace_methods
from explorer.state.warming import warm_frontier


@pytest.fixture
def warm():
    yield warm_frontier("breast_cancer")
    for shared in (SHARED_MARKS, SHARED_SPLITS, SHARED_TRACES):
        shared.clear()


def test_a_new_session_has_nothing_to_trace(warm):
    state = FrontierState(dataset=bundled("breast_cancer"))
    assert state.missing_traces() is None
    assert all(trace.is_complete for trace in state.traces.values())
    assert len(state.traces) == warm


def test_what_is_shared_is_what_would_be_traced(warm):
    shared = FrontierState(dataset=bundled("breast_cancer"))
    shared.missing_traces()
    table = shared.frontier().to_frame()
    SHARED_TRACES.clear()
    alone = FrontierState(dataset=bundled("breast_cancer"))
    alone.collector()(trace_methods(alone.missing_traces()))
    own = alone.frontier().to_frame()
    assert table.drop(columns="seconds").equals(own.drop(columns="seconds"))


def test_other_knobs_are_traced(warm):
    state = FrontierState(dataset=bundled("breast_cancer"), p=0.7)
    assert "acafh" in state.missing_traces().methods


def test_a_table_of_somebody_is_never_taken_for_the_bundled_one(warm):
    data = bundled("breast_cancer")
    mine = type(data)(**{**vars(data), "X": data.X * 2})
    state = FrontierState(dataset=mine)
    assert len(state.missing_traces().methods) == warm


def test_a_new_session_needs_no_solver_until_a_knob_moves(warm):
    state = FrontierState(dataset=bundled("breast_cancer"))
    assert state.missing_marks() is None
    with_alpha = {"acafh", "l1", "reweighted_l1"} & set(state.methods)
    assert set(state.marks) == with_alpha
    state.alpha *= 2
    assert set(state.missing_marks().refitters) == with_alpha


def test_a_shared_mark_is_what_would_be_fitted(warm):
    shared = FrontierState(dataset=bundled("breast_cancer"))
    shared.missing_marks()
    SHARED_MARKS.clear()
    alone = FrontierState(dataset=bundled("breast_cancer"))
    alone.collect_marks(mark_methods(alone.missing_marks()))
    for name, point in alone.marks.items():
        assert shared.marks[name].cost == point.cost
        assert shared.marks[name].scores == point.scores
