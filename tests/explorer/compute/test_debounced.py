"""Pictures follow a move at once, tables follow when the hand rests."""

import threading

import param
import pytest

from explorer.compute.debounced import Debounced
from explorer.compute.later import call_later
from explorer.session.context import REST_SECONDS, Context
from explorer.session.state import SessionState
from tests.waiting import HANGS_SECONDS


class Moved(Debounced):
    share = param.Number(default=0.0)

    def __init__(self, **params):
        super().__init__(**params)
        self.follow("share")


@pytest.fixture(scope="module")
def session():
    return SessionState()


def test_without_a_page_every_move_comes_to_rest_at_once(session):
    state = Moved()
    state.settle_by(Context(session).settle())
    state.share = 0.5
    state.share = 0.6
    assert state.rests == 2


def test_on_a_page_only_the_last_of_quick_moves_comes_to_rest(session, clock):
    posted = threading.Event()

    def post(callback):
        callback()
        posted.set()

    state = Moved()
    state.settle_by(Context(session, post).settle())
    for share in (0.1, 0.2, 0.3):
        state.share = share
    assert state.rests == 0
    clock.now += REST_SECONDS
    assert posted.wait(HANGS_SECONDS)
    assert (state.rests, state.share) == (1, 0.3)
    clock.now += 2 * REST_SECONDS
    posted.clear()
    call_later(0.0, posted.set)  # after whatever was to come still
    assert posted.wait(HANGS_SECONDS)
    assert state.rests == 1
