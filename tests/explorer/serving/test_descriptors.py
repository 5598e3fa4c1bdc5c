"""A server takes as many connections as the system lets it, and never the last ones."""

import asyncio
import fcntl
import logging
import resource
import socket

from tornado.iostream import IOStream

from explorer.serving.descriptors import SPARE, raise_limit, sparing
from tests.fuzz.bounded import open_files


def limit():
    return resource.getrlimit(resource.RLIMIT_NOFILE)[0]


def test_the_limit_is_raised_as_far_as_wanted_and_allowed():
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    with open_files(400):
        raise_limit(500)
        assert limit() == 500
        raise_limit(450)
        assert limit() == 500
    if hard != resource.RLIM_INFINITY:
        with open_files(hard - 1):
            raise_limit(hard + 1)
            assert limit() == hard


def test_a_system_that_allows_no_more_is_left_as_it_is(monkeypatch):
    def refuse(*_):
        raise ValueError("current limit exceeds maximum limit")

    with open_files(400):
        monkeypatch.setattr(resource, "setrlimit", refuse)
        raise_limit()
        monkeypatch.undo()
        assert limit() == 400


def numbered(number):
    """Return a connection whose descriptor has some number, or one more."""
    with socket.socket() as made:
        descriptor = fcntl.fcntl(made, fcntl.F_DUPFD_CLOEXEC, number)
    return IOStream(socket.socket(fileno=descriptor))


def test_only_who_takes_the_last_descriptors_is_ended_and_the_log_says_so_once(caplog):
    handled = []

    async def take():
        streams = [numbered(number) for number in (200, 400, 450, 500)]
        handle = sparing(lambda stream, _: handled.append(stream))
        for stream in streams:
            handle(stream, ("127.0.0.1", 1))
        assert handled == streams[:1]
        assert [stream.closed() for stream in streams] == [False, True, True, True]
        handled[0].close()

    with open_files(400 + SPARE), caplog.at_level(logging.WARNING):
        asyncio.run(take())
    assert caplog.text.count("Connections are ended: 400 files are open") == 1
