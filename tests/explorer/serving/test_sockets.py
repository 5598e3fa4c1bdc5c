"""A token is ours where we signed it; what a page is told goes out in one piece."""

import asyncio
import base64
import struct
from types import SimpleNamespace
from unittest.mock import Mock

import pytest
from bokeh.util.token import generate_jwt_token, generate_session_id
from tornado.websocket import _WebSocketParams

from explorer.serving.sockets import _WholeMessages, is_ours, offered_token

SECRET = b"a secret of thirty-two characters"
OURS = SimpleNamespace(secret_key=SECRET, sign_sessions=True)


def token(secret):
    session = generate_session_id(secret_key=secret, signed=True)
    return generate_jwt_token(session, secret_key=secret, signed=True)


def test_what_was_signed_here_is_ours():
    assert is_ours(token(SECRET), OURS)


# Named, as what is signed holds the time: workers must find tests of the same names.
NOT_OURS = {
    "signed with another secret": token(b"another secret of thirty-two chars"),
    "not signed": generate_jwt_token("chosen", signed=False),
    "without its signature": token(SECRET).partition(".")[0],
    "nothing": "",
    "no base 64": "é.é",
    "no JSON": "AAAA.AAAA",
    "nested": base64.b64encode(b"[" * 30_000).decode() + ".signed",
}


@pytest.mark.parametrize("text", NOT_OURS.values(), ids=NOT_OURS)
def test_anything_else_is_not(text):
    assert not is_ours(text, OURS)


def test_the_token_is_the_last_of_the_protocols():
    assert offered_token("bokeh, abc.def") == "abc.def"
    assert offered_token("") == ""


class Stream:
    """Where frames go: it keeps each piece that is written."""

    def __init__(self):
        self.written = []

    async def write(self, piece):
        self.written.append(piece)


def told(*messages):
    """The pieces in which a page is told messages, each given by its parts."""

    async def tell():
        frames = _WholeMessages(Mock(), False, _WebSocketParams())
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
