"""Undo takes back what was done last, on whatever page, and redo does it again."""

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.document import undo_stack as undo_stack_module
from explorer.document.drawing import Drawing
from explorer.document.undo_stack import Snapshot, Timeline
from explorer.session.state import bundled
from solvers import FeatureHypergraph
from tests.each import each
from tests.explorer.worlds import World

BLANK = Drawing.of(FeatureHypergraph.independent([1.0]))


def drawn(number):
    """A drawing that can be told by its number."""
    return dataclasses.replace(BLANK, next_id=number)


def timeline_of(done):
    """What was done: "draw", or a choice of one of two pages, each to a new value."""
    found = Timeline((Snapshot(drawn(0), {"a": {"x": 0}, "b": {"x": 0}}),))
    for value, what in enumerate(done, start=1):
        now = found.now
        if what == "draw":
            step = Snapshot(drawn(value), now.choices, f"draw {value}")
        else:
            chosen = {**now.choices, what: {"x": value}}
            pages = frozenset(what)
            step = Snapshot(now.drawing, chosen, f"{what} {value}", what, pages)
        found = found.grown(step)
    return found


def seen(snapshot):
    return snapshot.drawing.next_id, snapshot.choices


DONE = st.lists(st.sampled_from(["draw", "a", "b"]), min_size=1, max_size=8)


@given(DONE)
def test_undo_of_the_drawing_changes_nothing_but_the_drawing(done):
    timeline = timeline_of(done)
    if not timeline.last_drawn:
        return
    after = timeline.last_drawn_last()
    before_it = timeline.steps[timeline.last_drawn - 1]
    assert seen(after.now) == seen(timeline.now)
    assert seen(after.steps[after.at - 1]) == (
        before_it.drawing.next_id,
        timeline.now.choices,
    )
    assert sorted(s.said for s in after.steps) == sorted(s.said for s in timeline.steps)


@given(DONE, st.integers(0, 8))
def test_redo_of_the_drawing_comes_before_all_else_that_was_undone(done, at):
    whole = timeline_of(done)
    timeline = dataclasses.replace(whole, at=min(at, len(done)))
    k = timeline.next_drawn
    if not k:
        return
    after = timeline.next_drawn_next()
    first = after.steps[after.at + 1]
    assert seen(first) == (timeline.steps[k].drawing.next_id, timeline.now.choices)
    assert first.said == timeline.steps[k].said
    # Whoever redoes everything arrives where everything was.
    assert seen(after.steps[-1]) == seen(whole.now)


@each(("later", "left"), [({}, 1.0), ({"budget": 7.0}, 7.0)])
def test_undo_of_a_data_set_takes_its_budget_back_unless_it_was_moved_since(
    later, left
):
    pages = frozenset({"a"})
    timeline = Timeline((Snapshot(drawn(0), {"a": {"budget": 1.0, "p": 0.5}}),))
    opened = {"budget": 2.0, "p": 0.5}
    table = drawn(1)
    timeline = timeline.grown(Snapshot(table, {"a": opened}, "Opened", "", pages))
    moved = {"a": {**opened, "p": 0.3, **later}}
    timeline = timeline.grown(Snapshot(table, moved, "p", "a", pages))
    after = timeline.last_drawn_last()
    assert after.steps[after.at - 1].choices == {"a": {"budget": left, "p": 0.3}}


@pytest.fixture
def world():
    return World()


def test_nothing_is_undone_at_first(world):
    before = world.everything()
    world.undo_stack.undo()
    world.undo_stack.redo()
    assert world.everything() == before
    assert (world.undo_stack.undoes, world.undo_stack.redoes) == ("", "")


def test_a_scalar_is_taken_back_and_done_again(world):
    world.frontier.p = 0.25
    assert world.undo_stack.undoes == "Quasi-norm p"
    world.undo_stack.undo()
    assert world.frontier.p == 0.5
    world.undo_stack.redo()
    assert world.frontier.p == 0.25


def test_a_drag_is_one_step(world):
    for share in (0.6, 0.7, 0.8):
        world.cascade.share = share
    world.undo_stack.undo()
    assert world.cascade.share == 0.5
    assert not world.undo_stack.undoes


def test_what_is_ticked_is_one_step_each_time(world):
    first = world.frontier.methods
    for methods in (["l1"], ["l1", "dag"]):
        world.frontier.methods = methods
    world.undo_stack.undo()
    assert world.frontier.methods == ["l1"]
    world.undo_stack.undo()
    assert world.frontier.methods == first


def test_moves_that_lie_apart_are_two_steps(world, monkeypatch):
    monkeypatch.setattr(undo_stack_module, "DRAG_SECONDS", -1.0)
    world.cascade.share = 0.6
    world.cascade.share = 0.7
    world.undo_stack.undo()
    assert world.cascade.share == 0.6


def test_undo_brings_the_page_to_the_front_that_it_was_done_on(world):
    world.frontier.alpha = 0.02
    world.session.page = "cascade"
    world.cascade.cap = 0.4
    world.session.page = "frontier"
    world.undo_stack.undo()
    assert (world.session.page, world.cascade.cap) == ("cascade", 1.0)
    world.undo_stack.undo()
    assert (world.session.page, world.frontier.alpha) == ("frontier", 0.003)


def test_drawing_and_sliders_are_undone_in_the_order_in_which_they_were_done(world):
    world.frontier.alpha = 0.02
    world.editor.receive({"op": "clear"})
    world.cascade.cap = 0.4
    world.undo_stack.undo()
    assert world.cascade.cap == 1.0
    assert world.editor.drawing.hypergraph.n_features == 0
    world.undo_stack.undo()
    assert world.editor.drawing.hypergraph.n_features == 30
    assert world.frontier.alpha == 0.02


def test_a_new_data_set_and_its_budget_are_one_step(world):
    budget, hypergraph = world.frontier.budget, world.session.dataset.hypergraph
    world.session.open(bundled("sources"))
    assert world.frontier.budget != budget
    world.undo_stack.undo()
    assert world.session.dataset.hypergraph is hypergraph
    assert world.frontier.budget == budget
    world.undo_stack.redo()
    assert world.session.dataset is bundled("sources")


def test_what_a_computation_brings_is_no_step(world):
    with world.undo_stack.quiet():
        world.frontier.alpha = 0.7
    assert not world.undo_stack.undoes


def test_the_drawings_own_undo_takes_back_its_own_last_step(world):
    world.editor.receive({"op": "clear"})
    world.frontier.alpha = 0.02
    world.editor.receive({"op": "undo"})
    assert world.editor.drawing.hypergraph.n_features == 30
    assert world.undo_stack.undoes == "Trade-off λ"
    world.undo_stack.redo()
    assert world.editor.drawing.hypergraph.n_features == 0


def test_a_new_step_forgets_what_was_taken_back(world):
    world.frontier.alpha = 0.02
    world.undo_stack.undo()
    world.frontier.p = 0.3
    assert not world.undo_stack.redoes


def test_ticked_methods_are_undone(world):
    world.frontier.methods = ["l1"]
    world.undo_stack.undo()
    assert "acafh" in world.frontier.methods


def test_the_drawings_own_undo_leaves_what_was_moved_since(world):
    world.session.open(bundled("sources"))
    world.frontier.p = 0.25
    world.editor.undo()
    assert world.session.dataset.name == "breast_cancer"
    assert world.frontier.p == 0.25
    world.undo_stack.undo()
    assert world.frontier.p == 0.5
    world.undo_stack.redo()
    world.undo_stack.redo()
    assert (world.session.dataset.name, world.frontier.p) == ("sources", 0.25)


def test_undo_of_prices_takes_the_budget_back_that_followed_them(world):
    world.frontier.budget = 2.0
    priced = world.session.dataset.hypergraph
    dear = dict.fromkeys(priced.components, 1e4 / 3)
    world.context.problem.set_costs(dear, priced.unit, "Dearer")
    assert world.frontier.budget > 200.0
    world.undo_stack.undo()
    assert world.frontier.budget == 2.0


def test_a_step_on_another_page_leaves_nothing_for_the_drawing_to_redo(world):
    world.editor.receive({"op": "clear"})
    world.editor.undo()
    world.frontier.p = 0.25
    assert (world.editor.redoes, world.undo_stack.redoes) == ("", "")


def test_undo_on_one_page_leaves_what_the_app_did_on_another(world):
    world.frontier.alpha = 0.02
    with world.undo_stack.quiet():
        world.cascade.share = 0.8
    world.undo_stack.undo()
    assert (world.frontier.alpha, world.cascade.share) == (0.003, 0.8)
