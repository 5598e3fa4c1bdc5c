"""Whatever has arrived so far, words, marks and picture say one thing."""

import re
from dataclasses import replace

import numpy as np
import pytest

from explorer.pages.proof.floor_plot import FloorPlot
from explorer.pages.proof.matrix import NearlyMatrix
from explorer.pages.proof.methods_table import MethodsTable
from explorer.pages.proof.state import ProofState
from explorer.pages.proof.summary import ProofSummary, ProofWords
from explorer.pages.proof.text import floor_text, searched_text, summary_text
from tests.explorer.pages.proof.answered import answer, prove, small
from tests.explorer.worlds import own_table


class Watched:
    """All views of a state, and whether what they say holds together."""

    def __init__(self, state):
        self.state = state
        self.plot, self.table = FloorPlot(state=state), MethodsTable(state=state)
        self.summary, self.words = ProofSummary(state=state), ProofWords(state=state)
        self.matrix = NearlyMatrix(state=state)

    def check(self):
        state, said = self.state, summary_text(self.state)
        known = state.known()
        ring = self.plot._here.data["objective"]
        assert said.rstrip(".") in self.summary._pane.object
        if known is None:
            assert (ring, self.table._table.rows) == ([], [])
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
        drawn = self.plot._sources["open"].data
        heights = np.subtract(drawn["top"], drawn["bottom"])
        tall = run.widest_gap * run.full_gain
        if len(heights):
            assert max(heights) == pytest.approx(tall)
        else:
            assert tall <= state.tol * run.full_gain * (1 + 1e-9)
            assert "100.0 % of all budgets." in floor_text(state)
            assert known.is_closed


def test_answers_and_floors_agree_in_whatever_order_they_come():
    state = ProofState(dataset=own_table(), source="session", tol=1e-3)
    watched = Watched(state)
    runs = state.floor_request()()
    state.take_floors([next(runs)])
    answers = state.answer_request()()
    for turn in range(400):
        stream, take = (
            (runs, state.take_floors) if turn % 3 else (answers, state.take_answers)
        )
        for one in stream:
            take([one])
            watched.check()
            break
    assert state.floors.is_final
    assert state.answer.is_final
    watched.check()


def test_an_open_answer_does_not_stand_beside_floors_that_are_closed(state):
    """The sentence said a gap of 15.4 % beside a widest gap of .99 %."""
    watched, one = Watched(state), state.answer.certified
    weak = replace(one, lower=one.lower - 0.154 * one.full_gain, proven=False)
    state.take_answers([replace(state.answer, certified=weak, is_final=False)])
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
    state.take_answers([state.answer])
    assert state.floors.at(0.99 * state.budget).lower == one.lower > low
    watched.check()
    told = re.search(r"budget ([\d.]+) %", searched_text(state))
    assert float(told[1]) == pytest.approx(100 * state.floors.widest_gap, abs=0.06)


def test_no_floor_falls_when_something_is_ruled_out(state):
    """What nothing beats with everything allowed, nothing beats with less."""
    watched, before = Watched(state), state.floors
    state.rule_out("fft")
    runs = state.floor_request()()
    answers = state.answer_request()()
    state.take_answers([next(answers)])
    assert state.known().lower >= before.at(state.budget).lower - 1e-12
    for run in runs:
        weak = {b: replace(o, lower=0.0) for b, o in run.certified.items()}
        state.take_floors([replace(run, certified=weak)])
        watched.check()
    assert state.floors.question.without == ("fft",)
    for step in before.steps:
        assert state.floors.at(step.start).lower >= step.lower - 1e-12


def test_what_is_shown_of_an_earlier_question_says_so(state):
    watched = Watched(state)
    state.ridge = 0.4
    state.floor_request()
    assert searched_text(state) == ""
    for words in (watched.plot._text, watched.matrix._text):
        assert "Of what was asked before:" in words.object
    assert watched.words.view.waiting.endswith("Of what was asked before:")
    watched.check()
    answer(prove(state))
    assert "asked before" not in watched.plot._text.object
    assert "asked before" not in watched.matrix._text.object
    watched.check()


def test_points_of_another_ridge_are_not_drawn_beside_floors():
    state = small()
    watched = Watched(state)
    assert watched.plot._found["l1"].data["cost"]
    state.ridge = 0.5
    prove(state)
    assert state.points
    assert watched.plot._found["l1"].data["cost"] == []


def test_before_anything_is_answered_the_words_say_what_they_wait_for():
    words = ProofWords(state=ProofState())
    assert "being proven" in words.view._text.object
    assert "Nothing is chosen" not in words.view._text.object
