"""The selectivity page answers, traces and compares as its question changes."""

from explorer.pages.selectivity.page import SelectivityPage
from explorer.pages.selectivity.queries import ANSWER
from explorer.pages.selectivity.streams import PATH_POINTS
from explorer.session.context import Context
from explorer.session.state import SessionState, bundled
from tests.waiting import until


def test_a_page_answers_the_newest_question_and_what_hangs_on_it():
    session = SessionState(page="selectivity", dataset=bundled("breast_cancer"))
    page = SelectivityPage(Context(session))
    state = page.state
    page.start()
    for share in (0.2, 0.3, 0.4):
        state.share = share
    until(lambda: state.answer is not None and state.answer.share == 0.4)
    until(lambda: len(state.path) == PATH_POINTS)
    jobs = page.answers, page.paths, page.gaps
    until(lambda: not any(job.busy for job in jobs) and state.gaps)
    assert state.answer.is_final
    assert state.path[0].bench is state.answer.bench is state.bench


def test_an_answer_that_was_given_comes_back_at_once(state):
    first, share = state.answer, state.share
    state.share = 0.05
    ANSWER.answer(state)
    state.share = share
    assert not ANSWER.missing(state)
    assert state.answer is first
