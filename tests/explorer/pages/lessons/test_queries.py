"""The lessons page shows what the control asks for, and answers when it is asked."""

from explorer.pages.lessons.page import LessonsPage
from explorer.session.context import Context
from explorer.session.state import SessionState
from tests.waiting import until


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
