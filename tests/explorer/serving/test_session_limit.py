"""Places are counted where sessions are made, and are free again when they end."""

import asyncio
from types import SimpleNamespace

import pytest
from tornado.web import HTTPError

from explorer.serving.session_limit import SessionLimit

PAGE, SOCKET = SimpleNamespace(path="/app"), SimpleNamespace(path="/app/ws")


def session(name):
    return SimpleNamespace(id=name)


def filled(most, on_empty=None):
    """Return a limit all of whose places are taken."""
    limit = SessionLimit(most, on_empty)
    for number in range(most):
        asyncio.run(limit.on_session_created(session(str(number))))
    return limit


def test_a_page_more_than_there_are_places_is_refused_and_a_socket_is_asked_later():
    limit = filled(2)
    with pytest.raises(HTTPError, match="503"):
        limit.process_request(PAGE)
    limit.process_request(SOCKET)
    assert not limit.admits("2")


def test_who_has_a_place_comes_back_to_it():
    assert filled(2).admits("1")


def test_a_place_is_free_once_however_often_its_session_is_said_to_have_ended():
    limit = filled(2)
    for _ in range(2):
        asyncio.run(limit.on_session_destroyed(session("0")))
    limit.process_request(PAGE)
    asyncio.run(limit.on_session_created(session("2")))
    assert not limit.admits("3")


def test_the_last_who_leaves_is_noticed_and_no_other():
    ended = []
    limit = filled(2, lambda: ended.append(True))
    asyncio.run(limit.on_session_destroyed(session("0")))
    assert not ended
    asyncio.run(limit.on_session_destroyed(session("1")))
    assert ended == [True]
