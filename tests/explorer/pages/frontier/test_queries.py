"""What is asked of the frontier page is what the solvers say, a coarse path first."""

import pytest

from explorer.compute.query import END, Answering, Coarse
from explorer.pages.frontier.queries import COARSE, TRACES, mark_method
from explorer.pages.frontier.state import FrontierState
from explorer.session.state import bundled
from solvers import all_methods, trace_frontier
from solvers.methods.acafh import ACAFHClassifier
from tests.explorer.worlds import own_table

pytestmark = pytest.mark.usefixtures("nothing_is_known")


def opened(dataset=None, **choices):
    return FrontierState(dataset=dataset or bundled("breast_cancer"), **choices)


def test_each_method_is_fitted_at_that_value_on_training_rows():
    state = opened(methods=["l1", "reweighted_l1"], alpha=0.02)
    split = state.split()
    for name in state.methods:
        seen, point = mark_method(state, name)
        assert (seen.decision_seconds, seen.scores) == (None, point.scores)
        assert point.decision_seconds
        alone = all_methods()[name](hypergraph=split.hypergraph, alpha=0.02)
        alone.fit(split.X("train"), split.y("train"))
        assert (point.features == alone.support_).all()
        assert point.params["alpha"] == 0.02


def test_what_charges_deciding_waits_until_that_is_timed():
    state = opened(own_table(100), methods=["l1"], alpha=0.02)
    untimed, timed = mark_method(state, "l1")
    state.param.update(marks={"l1": untimed}, reason="alpha")
    assert state.chosen().point is untimed
    state.charge = "one_row"
    assert not state.placed_marks()
    assert state.chosen() is None
    state.marks = {"l1": timed}
    assert state.chosen().point is timed
    (only,) = mark_method(state, "l1")
    assert only.decision_seconds


def test_a_coarse_path_stands_first_and_the_whole_one_is_as_without_it():
    few = {"acafh.n_alphas": 12}
    state = opened(own_table(100), methods=["acafh"], p=0.7, settings=few)
    run = Answering(TRACES.missing(state))
    (_, is_coarse, first), (_, _, whole) = TRACES.streams(state, ["acafh"])
    assert is_coarse
    TRACES.take(state, run, [("acafh", Coarse(tuple(first)))])
    coarse = state.traces["acafh"].points
    assert len(coarse) == COARSE
    TRACES.take(state, run, [("acafh", next(whole))])
    # What the whole path has not come to yet stands as it was.
    assert state.traces["acafh"].points[1:] == coarse[1:]
    TRACES.take(state, run, [*(("acafh", point) for point in whole), ("acafh", END)])
    data, method = state.dataset, ACAFHClassifier(p=0.7, n_alphas=12)
    alone = [*trace_frontier(method, data)]
    assert [_told(p) for p in state.traces["acafh"].points] == [_told(p) for p in alone]
    assert state.traces["acafh"].is_complete


def _told(point):
    """All of a point but how long it took."""
    return point.params, point.features.tolist(), point.cost, point.scores


def test_a_method_of_few_trade_offs_has_no_coarse_path():
    state = opened(methods=["l1"], settings={"l1.n_alphas": COARSE})
    assert [kind for _, kind, _ in TRACES.streams(state, ["l1"])] == [False]
