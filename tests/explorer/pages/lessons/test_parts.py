"""The question of a lesson takes what a browser tells late, and keys; its handout."""

import re

import panel_material_ui as pmui

from explorer.compute.jobs import Job
from explorer.pages.lessons.course import all_lessons
from explorer.pages.lessons.parts import LessonKeys, Prediction, handout
from explorer.pages.lessons.state import NO_GUESS, LessonsState
from explorer.session.state import SessionState
from explorer.widgets.text import plain


def test_a_pick_among_answers_that_are_gone_is_left_out():
    first, second, *_ = all_lessons()
    state = LessonsState(lesson=first)
    prediction = Prediction(state, Job(), lambda: None)
    (answers,) = prediction.__panel__().select(pmui.RadioBoxGroup)
    gone = all_lessons()[first].answers[0]
    assert gone not in all_lessons()[second].answers
    answers._process_events({"value": gone})
    assert state.guess == 0
    state.lesson = second
    answers._process_events({"value": gone})
    assert state.guess == NO_GUESS
    answers._process_events({"value": all_lessons()[second].answers[1]})
    assert state.guess == 1


def test_a_lesson_is_presented_by_keys():
    state, session, asked = LessonsState(), SessionState(), []
    keys = LessonKeys(state, session, lambda: asked.append(state.guess))
    assert not keys.is_on
    session.param.update(page="lessons", frame="present")
    assert keys.is_on
    keys._handle_msg("reveal")  # Nothing is guessed yet
    keys._handle_msg({"pick": len(state.now.answers)})
    assert (state.guess, asked) == (NO_GUESS, [])
    keys._handle_msg({"pick": 1})
    keys._handle_msg("reveal")
    assert asked == [1]
    at = state.at
    keys._handle_msg({"move": 1})
    assert state.at == at + 1
    for _ in range(state.last + 2):
        keys._handle_msg({"move": -1})
    assert state.at == 0
    keys._handle_msg({"turn": 1})
    assert state.number == 2
    session.page = "proof"
    assert not keys.is_on


def test_a_handout_asks_above_the_fold_and_answers_below():
    lesson = all_lessons()["sharing"]
    above, below = handout(lesson).split('<p class="fold">')
    assert plain(lesson.question) in above
    assert all(f"<li>{plain(answer)}</li>" in above for answer in lesson.answers)
    verdict = lesson.judge()
    for told in (lesson.title, lesson.limit, verdict.why):
        assert plain(told) in below
        assert plain(told) not in above
    # Both pictures are in the page itself.
    assert above.count("<svg") == below.count("<svg") == 1
    assert not re.findall(r'(?:src|href|url)[=(]"?http[^"]*', above + below)
