"""A message's things and bytes are counted; one goes out in one piece."""

import asyncio
import json
import struct
from types import SimpleNamespace
from unittest.mock import Mock

import pytest
from tornado.websocket import _WebSocketParams

from explorer.serving import sockets
from explorer.serving.held import HeldBytes
from explorer.serving.session_limit import SessionLimit
from explorer.serving.sockets import MOST_ITEMS, PageSocket, _CountedFrames, _is_crowded
from explorer.serving.tokens import MALFORMED
from explorer.serving.turns import PageTurns
from tests.explorer.serving.conftest import answering
from tests.explorer.serving.second_person import BINARY, Websocket
from tests.waiting import until

MANY = 2 * MOST_ITEMS


@pytest.mark.parametrize(
    "value",
    [
        {"events": [{"kind": "ModelChanged", "new": [1, 2]}]},
        "[" * MANY,
        [r"\"[," * MANY],
        {"text": json.dumps([["a", "b"]] * (MANY // 8))},
        json.dumps(json.dumps(["\\"] * (MANY // 8))),
    ],
)
def test_a_text_is_one_thing_whatever_it_holds(value):
    assert not _is_crowded(json.dumps(value))


@pytest.mark.parametrize(
    "text",
    [
        "[" * MANY,
        "[" + "0," * MANY,
        json.dumps([{}] * MANY),
        json.dumps(["\\"] * MANY),
        '"' * 2_000_000 + "," * MANY,
    ],
)
def test_many_things_are_a_crowd(text):
    assert _is_crowded(text)


# --------------------------------------------------------------- a connection by itself


class Socket(PageSocket):
    """A page's websocket without a session behind it: each frame is a message."""

    async def prepare(self):
        self.receiver = SimpleNamespace(consume=self._consume)

    async def _consume(self, fragment):
        return fragment

    async def _handle(self, message):
        return None

    def check_origin(self, origin):
        return True

    def open(self):
        """Open no session."""


@pytest.fixture
def held():
    """What the connection to a server is taken to hold, and how to connect to it."""
    counted = HeldBytes(10**6, 10**6)
    given = {"limit": SessionLimit(1), "held": counted, "turns": PageTurns()}
    bokehs = {"application_context": None, "bokeh_websocket_path": "/app/ws"}
    with answering([("/app/ws", Socket, given | bokehs)]) as address:
        yield SimpleNamespace(
            bytes=counted._held, connect=lambda: Websocket(address, "token")
        )


def test_a_frame_is_counted_from_its_announcement_to_its_end(held):
    with held.connect() as page:
        page.announce(1000)
        until(lambda: list(held.bytes.values()) == [1000])
        page._socket.sendall(bytes(1000))
        until(lambda: not held.bytes)


def test_what_is_not_whole_is_let_go_of_with_its_connection(held):
    with held.connect() as page:
        page.announce(1000)
        until(lambda: held.bytes)
    until(lambda: not held.bytes)


def test_parts_of_one_frame_are_counted_together(held):
    with held.connect() as page:
        page.send(bytes(900), BINARY, is_last=False)
        until(lambda: list(held.bytes.values()) == [900])
        page.send(bytes(100), 0)
        until(lambda: not held.bytes)


def test_the_rest_of_a_frame_is_not_waited_for(held, monkeypatch):
    monkeypatch.setattr(sockets, "FRAME_SECONDS", 0.2)
    with held.connect() as page:
        page.announce(1000)
        assert page.ends()


@pytest.mark.parametrize("error", MALFORMED)
def test_what_is_no_message_ends_its_connection_at_once(error):
    async def consume(fragment):
        raise error

    dropped = []
    socket = PageSocket.__new__(PageSocket)
    socket._assembled = socket._n_parts = 0
    socket.receiver = SimpleNamespace(consume=consume)
    socket.drop = dropped.append
    assert asyncio.run(socket._receive("{}")) is None
    assert dropped == ["This is no message."]


# ------------------------------------------------------------------ what a page is told


class Stream:
    """Where frames go: it keeps each piece that is written."""

    def __init__(self):
        self.written = []

    async def write(self, piece):
        self.written.append(piece)


def told(*messages):
    """The pieces in which a page is told messages, each given by its parts."""

    async def tell():
        frames = _CountedFrames(Mock(), False, _WebSocketParams())
        frames.stream = Stream()
        for message in messages:
            for part in message:
                await frames.write_message(part, binary=isinstance(part, bytes))
        return frames.stream.written

    return asyncio.run(tell())


def test_a_message_is_written_in_one_piece_with_its_buffers():
    plain = ('{"msgid": "1"}', "{}", '{"events": []}')
    packed = ('{"num_buffers": 1}', "{}", "x" * 200, '{"id": "1"}', b"y" * 70_000)
    first, second = told(plain, packed)
    assert first == b"".join(bytes([0x81, len(part)]) + part.encode() for part in plain)
    assert second.count(b"x") == 200
    assert second.endswith(b"\x82\x7f" + struct.pack("!Q", 70_000) + b"y" * 70_000)
