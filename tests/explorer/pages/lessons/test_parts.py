"""The question of a lesson takes what a browser tells late."""

import panel_material_ui as pmui

from explorer.compute.jobs import Job
from explorer.pages.lessons.course import all_lessons
from explorer.pages.lessons.parts import Prediction
from explorer.pages.lessons.state import NO_GUESS, LessonsState


def test_a_pick_among_answers_that_are_gone_is_left_out():
    first, second, *_ = all_lessons()
    state = LessonsState(lesson=first)
    prediction = Prediction(state, Job(), lambda: None, lambda visit: None)
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
