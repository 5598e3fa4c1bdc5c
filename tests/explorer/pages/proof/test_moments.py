"""Whatever has arrived so far, words, marks and picture say one thing."""

import re
from dataclasses import replace

import numpy as np
import pytest

from explorer.pages.proof.floor_plot import ComponentsTable, FloorPlot, MethodsTable
from explorer.pages.proof.matrix import NearlyMatrix
from explorer.pages.proof.queries import FLOORS
from explorer.pages.proof.state import ProofState
from explorer.pages.proof.text import (
    ProofSummary,
    ProofText,
    answer_of,
    floor_text,
    searched_text,
    summary_text,
)
from explorer.widgets.text import cost_text
from tests.explorer.pages.proof.answered import answer, answers, proofs, prove, small
from tests.explorer.worlds import own_table


def drawn(view, name):
    """What the browser has of a layer; nothing where it was never drawn."""
    known = view._renderers.get(name)
    return (
        {"x": [], "y": [], "top": [], "bottom": []}
        if known is None
        else (known.data_source.data)
    )


class Watched:
    """All views of a state, and whether what they say holds together."""

    def __init__(self, state):
        self.state = state
        self.plot, self.table = FloorPlot(state=state), MethodsTable(state=state)
        self.summary, self.words = ProofSummary(state=state), ProofText(state=state)
        self.matrix = NearlyMatrix(state=state)
        self.components = ComponentsTable(state=state)

    def check(self):
        state, said = self.state, summary_text(self.state)
        known = state.known()
        ring = list(drawn(self.plot, "here")["y"])
        assert all(part in self.summary._pane.object for part in answer_of(self.state))
        if known is None:
            before = state.known_before()
            assert ring == ([before.upper] if before else [])
            assert self.table._table.rows == []
            return
        assert ring == [known.upper]
        assert self.table._table.rows[0][2] == round(known.upper, 4)
        if self.words.view.answer is None or not state.answer.is_final:
            assert self.words.view.waiting
        elif state.is_answered:
            assert self.words.view.answer.opening[0] == said
        if not state.are_floors_asked:
            return
        run = state.floors
        step = run.at(state.budget)
        assert step.lower <= known.lower + 1e-12
        assert step.upper >= known.upper - 1e-12
        assert known.gap <= run.widest_gap + 1e-12
        gaps = drawn(self.plot, "open")
        heights = np.subtract(gaps["top"], gaps["bottom"])
        tall = run.widest_gap * run.full_gain
        if len(heights):
            assert max(heights) == pytest.approx(tall)
        else:
            assert tall <= state.tol * run.full_gain * (1 + 1e-9)
            assert "1 % on all budgets." in floor_text(state)
            assert known.is_closed


def test_answers_and_floors_agree_in_whatever_order_they_come():
    state = ProofState(dataset=own_table(), source="session", tol=1e-3)
    watched = Watched(state)
    runs = proofs(state)
    state.show_floors(next(runs))
    told = answers(state)
    for turn in range(400):
        stream, take = (
            (runs, state.show_floors) if turn % 3 else (told, state.show_answer)
        )
        for one in stream:
            take(one)
            watched.check()
            break
    assert state.floors.is_final
    assert state.answer.is_final
    watched.check()


def test_an_open_answer_does_not_stand_beside_floors_that_are_closed(state):
    """The sentence said a gap of 15.4 % beside a widest gap of .99 %."""
    watched, one = Watched(state), state.answer.certified
    weak = replace(one, lower=one.lower - 0.154 * one.full_gain, proven=False)
    state.show_answer(replace(state.answer, certified=weak, is_final=False))
    assert state.known().is_closed
    assert "still open" not in summary_text(state)
    watched.check()


def test_a_floor_that_an_answer_proves_is_drawn_at_once(state):
    watched, one = Watched(state), state.answer.certified
    width = 0.2 * one.full_gain
    weak = {
        budget: replace(each, lower=each.lower - width, proven=False)
        for budget, each in state.floors.certified.items()
    }
    state.floors = replace(state.floors, certified=weak, beside=())
    assert "open" in floor_text(state)
    low = state.floors.at(0.99 * state.budget).lower
    state._answered.clear()
    state.show_answer(replace(state.answer, is_final=False))
    assert state.floors.at(0.99 * state.budget).lower == one.lower > low
    watched.check()
    told = re.search(r"budget ([\d.]+) %", searched_text(state))
    assert float(told[1]) == pytest.approx(100 * state.floors.widest_gap, abs=0.06)


def test_no_floor_falls_when_something_is_ruled_out(state):
    """What nothing beats with everything allowed, nothing beats with less."""
    watched, before = Watched(state), state.floors
    state.rule_out("fft")
    runs = proofs(state)
    told = answers(state)
    state.show_answer(next(told))
    assert state.known().lower >= before.at(state.budget).lower - 1e-12
    for run in runs:
        weak = {b: replace(o, lower=0.0) for b, o in run.certified.items()}
        state.show_floors(replace(run, certified=weak))
        watched.check()
    assert state.floors.question.without == ("fft",)
    for step in before.steps:
        assert state.floors.at(step.start).lower >= step.lower - 1e-12


def test_what_holds_already_is_said_the_moment_something_is_ruled_out(state):
    """The sentence was "Proving the first floors", though the floor before holds."""
    watched, before = Watched(state), state.known()
    graph = state.data.hypergraph
    needed = graph.required_components(before.features)
    name = graph.component_names[np.flatnonzero(needed)[0]]
    state.rule_out(name)
    FLOORS.missing(state)
    said, now = summary_text(state), state.known_before()
    money = cost_text(state.budget, state.data.dataset.unit)
    assert f"Still proving {money} and without {name}." in said
    assert f"below {before.lower:.4f}" in said
    assert said.endswith("Per cent are of what all features bring.")
    assert not graph.required_components(now.features)[needed.argmax()]
    assert graph.cost(now.features) == pytest.approx(now.cost)
    assert now.upper > before.upper
    watched.check()
    answer(prove(state))
    assert state.known_before() is None
    assert now.lower <= state.known().lower <= state.known().upper <= now.upper
    watched.check()
    state.rule_out(name)
    state.within = 0.02
    state.tol = 0.02  # what was proven holds at any tolerance
    assert state.known_before().upper == before.upper
    state.ridge = 0.3  # but at no other ridge
    FLOORS.missing(state)
    assert state.known_before() is None
    watched.check()


def test_no_selection_of_the_list_is_better_than_the_best_known(state):
    watched, one = Watched(state), state.answer.certified
    state._answered.clear()
    weak = {
        budget: replace(each, upper=each.upper + 0.1, proven=False)
        for budget, each in state.floors.certified.items()
    }
    state.points = ()
    state.floors = state.base = replace(state.floors, certified=weak, known=())
    worse = replace(one, upper=one.upper + 0.1, proven=False)
    state.show_answer(replace(state.answer, certified=worse))
    assert state.known().upper == pytest.approx(state.answer.nearly.found.best)
    assert not state.is_beaten
    watched.check()


def test_what_is_shown_of_an_earlier_question_says_so(state):
    watched = Watched(state)
    state.ridge = 0.4
    FLOORS.missing(state)
    assert searched_text(state) == ""
    shown = watched.plot, watched.matrix, watched.components
    for view in shown:
        assert "Of what was asked before:" in view._text.object
    assert watched.components._table.columns[2] == "Nearly as good before"
    assert watched.words.view.waiting.endswith("Of what was asked before:")
    watched.check()
    answer(prove(state))
    for view in shown:
        assert "asked before" not in view._text.object
    assert watched.components._table.columns[2] == "Nearly as good"
    state.within = 0.002
    assert "Of what was asked before:" in watched.matrix._text.object
    assert watched.components._table.columns[2] == "Nearly as good before"
    watched.check()


def test_points_of_another_ridge_are_not_drawn_beside_floors():
    state = small()
    watched = Watched(state)
    assert list(drawn(watched.plot, "l1")["x"])
    state.ridge = 0.5
    prove(state)
    assert state.points
    assert list(drawn(watched.plot, "l1")["x"]) == []


def test_before_anything_is_answered_the_words_say_what_they_wait_for():
    words = ProofText(state=ProofState())
    assert "not proven yet" in words.view._text.object
    assert "Nothing is chosen" not in words.view._text.object
