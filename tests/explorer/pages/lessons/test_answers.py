"""A lesson shows what its control asks for; answers are kept and printed."""

import param
import pytest

from explorer.pages.lessons.course import all_lessons
from explorer.pages.lessons.page import LessonsPage
from explorer.pages.lessons.state import KeptAnswers, LessonAnswer, answers_page
from explorer.session.context import Context
from explorer.session.state import SessionState
from tests.each import each
from tests.waiting import until

LESSON = next(iter(all_lessons()))
TIME = "2026-03-01T10:20:30+00:00"


def test_an_answer_comes_back_from_its_text():
    answer = LessonAnswer(1, 0, 0, TIME)
    assert LessonAnswer.read(LESSON, str(answer)) == answer
    assert not answer.is_right
    assert LessonAnswer(1, 1, 0, TIME).is_right


def test_an_answer_that_is_given_now_can_be_read():
    answer = LessonAnswer.now(0, 0, 0)
    assert LessonAnswer.read(LESSON, str(answer)) == answer


@each(
    "text",
    [
        "",
        "1 0 0",
        f"x 0 0 {TIME}",
        f"99 0 0 {TIME}",
        f"0 -1 0 {TIME}",
        f"0 0 999 {TIME}",
        "0 0 0 yesterday",
        f"0 0 0 {TIME} more",
    ],
)
def test_a_text_that_is_no_answer_is_refused(text):
    with pytest.raises(ValueError):  # noqa: PT011 - several sentences, none for people
        LessonAnswer.read(LESSON, text)
    with pytest.raises(ValueError):  # noqa: PT011
        KeptAnswers(default={LESSON: text})


def test_lessons_that_there_are_not_are_refused():
    with pytest.raises(ValueError, match="no such lesson"):
        KeptAnswers(default={"nowhere": f"0 0 0 {TIME}"})


def test_a_page_has_a_row_for_each_answer_in_the_order_of_the_lessons():
    names = list(all_lessons())[:3]
    given = {name: f"0 {k % 2} 0 {TIME}" for k, name in enumerate(names)}
    page = answers_page(dict(reversed(given.items())))
    assert page.count("<tr>") == 4
    assert "Right at the first answer: 2 of 3 " in page
    places = [page.index(f"<td>{all_lessons()[name].short}") for name in names]
    assert places == sorted(places)
    assert "2026-03-01 10:20:30" in page


def test_a_page_of_nothing_says_so():
    assert "Right at the first answer: 0 of 0 " in answers_page({})


def test_an_answer_to_a_lesson_that_is_gone_does_no_harm():
    class Kept(param.Parameterized):
        answers = KeptAnswers(default={})

    kept = Kept(answers={"speedup": f"0 0 9 {TIME}", LESSON: f"1 0 0 {TIME}"})
    assert "Right at the first answer: 0 of 1 " in answers_page(kept.answers)


def opened(name):
    page = LessonsPage(Context(SessionState(page="lessons")))
    page.state.lesson = name
    page.start()
    # A picture grows as it is computed.
    until(lambda: page.state.is_up_to_date and not page.showing.busy)
    return page


def test_the_newest_setting_is_shown_and_one_that_was_shown_is_there_at_once():
    page = opened("sharing")
    state = page.state
    first, at = state.shown, state.at
    for setting in (at + 1, at + 2):
        state.at = setting
    until(lambda: state.is_up_to_date and not page.showing.busy)
    assert state.shown_for == ("sharing", at + 2)
    state.at = at
    assert state.shown is first
    assert not page.showing.busy


def test_an_answer_is_not_revealed_unasked_and_is_recalled_once_it_was():
    page = opened("sharing")
    state = page.state
    assert state.verdict is None
    state.guess = 1
    page.reveal()
    until(lambda: state.verdict is not None)
    state.lesson = "order"
    assert state.verdict is None
    state.lesson = "sharing"
    until(lambda: state.verdict is not None)
