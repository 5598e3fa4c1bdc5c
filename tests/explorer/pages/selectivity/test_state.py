"""The selectivity page's state: what is asked, answered, kept and said."""

import pytest

from explorer.compute.query import Answering
from explorer.pages.selectivity.queries import ANSWER, PATH
from explorer.pages.selectivity.streams import PreparedProblem
from explorer.session.state import bundled


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
