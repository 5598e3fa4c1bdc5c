"""What a page is told goes out in one piece."""

import asyncio
import struct
from unittest.mock import Mock

from tornado.websocket import _WebSocketParams

from explorer.serving.sockets import _WholeMessages


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
