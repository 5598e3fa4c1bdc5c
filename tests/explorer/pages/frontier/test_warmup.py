"""What a server computes before it opens is what a session would have computed."""

from dataclasses import replace

import pytest

from explorer.compute.shared import SHARED
from explorer.document.recipes import DataRecipe, made
from explorer.pages.frontier import queries as warming
from explorer.pages.frontier.queries import MARKS, TRACES, warm_frontier
from explorer.pages.frontier.state import FrontierState
from explorer.session.state import bundled
from explorer.widgets.controls import slider
from explorer.widgets.positions import positions, round_step
from solvers import FeatureHypergraph
from solvers.datasets import make_gaussian
from solvers.methods.acafh import ACAFHClassifier
from tests.each import each

pytestmark = pytest.mark.usefixtures("nothing_is_known")


@pytest.fixture(scope="module")
def warmed():
    """How many methods a server traces before it opens, and what is known then."""
    SHARED.clear()
    n_methods = warm_frontier("breast_cancer")
    return n_methods, list(SHARED.traces.items()), list(SHARED.marks.items())


@pytest.fixture
def warm(warmed, nothing_is_known):
    n_methods, traces, marks = warmed
    SHARED.traces.update(traces)
    SHARED.marks.update(marks)
    return n_methods


def test_a_new_session_has_nothing_to_trace(warm):
    state = FrontierState(dataset=bundled("breast_cancer"))
    assert not TRACES.missing(state)
    assert all(trace.is_complete for trace in state.traces.values())
    assert len(state.traces) == warm


def test_what_is_shared_is_what_would_be_traced(warm):
    quick = {
        "dataset": bundled("breast_cancer"),
        "methods": ["l1", "forward_selection"],
    }
    shared = FrontierState(**quick)
    assert not TRACES.missing(shared)
    table = _facts(shared.frontier().to_frame())
    SHARED.clear()
    alone = FrontierState(**quick)
    TRACES.answer(alone)
    assert table.equals(_facts(alone.frontier().to_frame()))


def _facts(table):
    """All but how long training and deciding took."""
    return table.drop(columns=[name for name in table if "seconds" in name])


def test_other_knobs_are_traced(warm):
    state = FrontierState(dataset=bundled("breast_cancer"), p=0.7)
    assert "acafh" in TRACES.missing(state)


def test_a_table_of_somebody_is_never_taken_for_the_bundled_one(warm):
    data = bundled("breast_cancer")
    mine = replace(data, X=data.X * 2)
    state = FrontierState(dataset=mine)
    assert len(TRACES.missing(state)) == warm


def test_a_new_session_needs_no_solver_until_a_knob_moves(warm):
    state = FrontierState(dataset=bundled("breast_cancer"))
    assert not MARKS.missing(state)
    with_alpha = {"acafh", "l1", "reweighted_l1"} & set(state.methods)
    assert set(state.marks) == with_alpha
    state.alpha *= 2
    assert set(MARKS.missing(state)) == with_alpha


def test_a_shared_mark_is_what_would_be_fitted(warm):
    shared = FrontierState(dataset=bundled("breast_cancer"))
    MARKS.missing(shared)
    SHARED.clear()
    alone = FrontierState(dataset=bundled("breast_cancer"))
    MARKS.answer(alone)
    for name, point in alone.marks.items():
        assert shared.marks[name].cost == point.cost
        assert shared.marks[name].scores == point.scores


def test_what_one_session_computes_another_has():
    asked = {"methods": ["l1"], "settings": {"l1.n_alphas": 8}}
    one = FrontierState(dataset=bundled("breast_cancer"), **asked)
    TRACES.answer(one)
    MARKS.answer(one)
    other = FrontierState(dataset=bundled("breast_cancer"), **asked)
    assert not TRACES.missing(other)
    assert not MARKS.missing(other)
    assert other.traces["l1"] is one.traces["l1"]


def test_what_is_generated_alike_is_computed_once():
    options = {"n_samples": 200, "n_features": 5}
    recipe = DataRecipe("gaussian", options)
    one, other = (
        FrontierState(dataset=made(make_gaussian(**options), recipe), methods=["l1"])
        for _ in range(2)
    )
    TRACES.answer(one)
    assert not TRACES.missing(other)


def test_nothing_of_a_persons_own_is_shared():
    data = bundled("breast_cancer")
    costs = 3 * data.hypergraph.component_costs
    dearer = FeatureHypergraph(data.hypergraph.incidence, costs)
    mine = replace(data, hypergraph=dearer)
    one, other = (FrontierState(dataset=mine, methods=["l1"]) for _ in range(2))
    TRACES.answer(one)
    assert TRACES.missing(other)
    assert not len(SHARED.traces)


def test_the_slider_finds_what_was_solved_in_advance(warm, monkeypatch):
    knob, three = ACAFHClassifier.knobs["alpha"], (3, 77, 200)
    solved = [positions(knob)[n_steps] for n_steps in three]
    monkeypatch.setattr(warming, "positions", lambda knob: solved)
    warming.warm_slider("breast_cancer", rests=0)
    state = FrontierState(dataset=bundled("breast_cancer"))
    steps = slider(state, "alpha", knob)
    for n_steps in three:
        steps.value = steps.start + n_steps * steps.step
        assert not MARKS.missing(state)
        assert state.marks["acafh"].params["alpha"] == state.alpha


def test_the_slider_is_solved_while_nobody_waits_for_anything(warm, monkeypatch):
    asked = []

    def is_free():
        asked.append(len(SHARED.marks))
        return len(asked) > 3  # somebody is at it, three looks long

    monkeypatch.setattr(warming, "LOOK_SECONDS", 0.0)
    monkeypatch.setattr(warming, "positions", lambda knob: [0.0123])
    before = len(SHARED.marks)
    warming.warm_slider("breast_cancer", 0, is_free)
    assert asked == [before] * 4
    assert len(SHARED.marks) > before


@each(
    ("low", "high", "step"),
    [(0.1, 0.9, 0.01), (0, 1, 0.01), (0, 30, 0.5), (-2, 0, 0.02), (1e3, 9e3, 100)],
)
def test_people_can_count_in_steps(low, high, step):
    assert round_step(low, high) == step


def test_who_comes_is_not_kept_waiting_for_a_path_to_its_end():
    """The same was computed twice at once, each in twice the time."""
    left = iter([True, True])
    assert warm_frontier("breast_cancer", lambda: next(left, False)) == 0
    assert not SHARED.traces
