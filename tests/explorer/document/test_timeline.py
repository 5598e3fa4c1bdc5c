"""Snapshots in order: what the drawing's own undo leaves, and what redo gives back."""

import dataclasses

from hypothesis import given
from hypothesis import strategies as st

from explorer.document.drawing import Drawing
from explorer.document.timeline import Snapshot, Timeline
from solvers import FeatureHypergraph
from tests.each import each

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
