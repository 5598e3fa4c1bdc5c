"""The selectivity page's state: what is asked, answered, kept and said."""

import pytest

from explorer.compute.query import Answering
from explorer.pages.selectivity.page import SelectivityPage
from explorer.pages.selectivity.state import ANSWER, PATH
from explorer.pages.selectivity.streams import PATH_POINTS, PreparedProblem
from explorer.session.context import Context
from explorer.session.state import SessionState, bundled
from tests.waiting import until


def test_moving_mu_keeps_the_warm_solver(state):
    before = state.bench
    state.share = 0.05
    ANSWER.answer(state)
    assert state.bench is before
    assert state.answer.share == 0.05


def test_moving_gamma_keeps_the_place_on_the_slider(state):
    before = state.bench
    state.gamma = 3.0
    ANSWER.answer(state)
    assert state.bench is not before
    assert state.answer.fit.mu == pytest.approx(state.share * state.bench.largest)


def test_a_request_that_was_left_in_the_middle_frees_the_solver(state):
    state.share = 0.02
    items = ANSWER.work(state)
    next(items)
    items.close()
    ANSWER.answer(state)
    assert state.answer.is_final


def test_the_old_answer_stays_until_the_new_one_is_there(state):
    before = state.answer
    state.loss = "squared"
    answering, items = Answering(ANSWER.missing(state)), ANSWER.work(state)
    ANSWER.take(state, answering, [(None, next(items))])
    assert isinstance(state.bench, PreparedProblem)
    assert state.answer is before
    ANSWER.take(state, answering, [(None, item) for item in items])
    assert state.answer.bench is state.bench


def test_the_session_s_data_count_only_where_they_are_learned_from(state):
    state.source = "evoked"
    before = state.question()
    state.dataset = bundled("sources")
    assert state.question() == before
    state.source = "session"
    assert state.question() != before


def test_a_path_at_hand_is_not_computed_again(answered):
    assert not PATH.missing(answered)


def test_the_old_path_stays_until_the_new_one_s_first_point(answered):
    before = answered.path
    PATH.take(answered, Answering({None: "another"}), [(None, before[0])])
    assert answered.path == before[:1]
    answered.path = before


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
