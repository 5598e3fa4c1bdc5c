"""The trimming page searches as it is asked, and then looks one step further."""

from explorer.pages.trimming.page import TrimmingPage
from explorer.pages.trimming.queries import FURTHER
from explorer.session.context import Context
from explorer.session.state import SessionState
from solvers.bayes import trim
from tests.explorer.pages.trimming.asked import opened, search
from tests.waiting import until


def test_what_the_next_step_up_brings_is_asked_once_the_best_is_known():
    state = opened("quiz", budget=1.0)
    assert FURTHER.answer(state) is None
    log, found = FURTHER.answer(search(state))
    question = log.question
    assert log is state.log
    assert found == trim(question.classifier(), found.cost, question.costs)


def test_a_page_searches_again_whenever_its_question_changes():
    page = TrimmingPage(Context(SessionState(page="trimming")))
    state = page.state
    page.start()
    until(lambda: state.log is not None and state.log.is_complete)
    for threshold in (0.3, 0.8, 0.31):
        state.threshold = threshold
    until(lambda: state.log.question.threshold == 0.31 and state.log.is_complete)
    until(lambda: state.following is not None and state.following[0] is state.log)


def test_a_page_without_a_feature_says_so():
    page = TrimmingPage(Context(SessionState(page="trimming")))
    page.start()
    until(lambda: page.state.log is not None and not page.search.busy)
    features, page.state.features = page.state.features, []
    assert page.search.message.startswith("No feature is ticked")
    page.state.features = features
    assert page.search.message == ""
