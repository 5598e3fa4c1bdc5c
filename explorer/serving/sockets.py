"""The websocket of a page: whose it is, and how much it may have the server keep."""

from __future__ import annotations

import asyncio
import json
import struct
import sys
import time
from collections.abc import Awaitable
from typing import Any

from bokeh.protocol.message import Message
from bokeh.util.token import get_session_id
from panel.io.server import WSHandler
from tornado.iostream import StreamClosedError
from tornado.web import HTTPError
from tornado.websocket import (
    WebSocketClosedError,
    WebSocketProtocol,
    WebSocketProtocol13,
)

from .faults import FAILED
from .held import HeldBytes
from .session_limit import SessionLimit
from .tokens import MALFORMED, is_ours, offered_token
from .try_later import TryLaterError
from .turns import PageTurns

# A message has a header, its metadata, its content and two parts a buffer; the page
# sends a handful of buffers.
PARTS, PARTS_OF_BUFFER = 3, 2
MOST_PARTS = PARTS + PARTS_OF_BUFFER * 1000
# Lists, items and objects of a message, and quotes around texts: each is looked at in
# turn, while everybody waits. A page's own messages have a few hundred.
MOST_ITEMS, MOST_QUOTES = 100_000, 1_000_000
OPENING_SECONDS = 5.0  # in which a page tells its sizes and gets what is below
FRAME_SECONDS = 120.0  # for the rest of a frame that has begun
FRAME_HEAD = 8  # bytes
WHOLE, TEXT, BINARY = 0x80, 0x1, 0x2  # first byte of a frame
TRY_AGAIN_LATER = 1013


class PageSocket(WSHandler):
    """Panel's websocket for those who were given a page, within limits."""

    def __init__(
        self,
        *args: Any,
        limit: SessionLimit,
        held: HeldBytes,
        turns: PageTurns,
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self._limit, self._held, self._turns = limit, held, turns
        self._assembled = self._n_parts = 0
        self._began = time.monotonic()

    async def prepare(self) -> None:
        """Refuse who has no token of this server, before the connection is one."""
        await super().prepare()
        if not self._finished and not self._has_token():
            raise HTTPError(403)

    def _has_token(self) -> bool:
        offered = self.request.headers.get("Sec-WebSocket-Protocol", "")
        return is_ours(offered_token(offered), self.application)

    async def _async_open(self, token: str) -> None:
        """Open the session, unless that would be one too many.

        A token outlives the session that it was given for, and makes it anew.
        """
        session_id = get_session_id(token)
        if self._limit.has(session_id):
            await super()._async_open(token)
            return
        try:
            async with self._turns.turn(self.request.remote_ip, self._is_gone):
                if self._limit.admits(session_id):
                    await super()._async_open(token)
                    return
        except TryLaterError as refusal:
            self.close(TRY_AGAIN_LATER, refusal.why.title)
            return
        self.close(TRY_AGAIN_LATER, "Every place on this server is taken.")

    def _is_gone(self) -> bool:
        return self.ws_connection is None or self.ws_connection.is_closing()

    async def on_message(self, fragment: str | bytes) -> None:
        """Take a part of a message: whoever sends one is at work."""
        self.hear()
        await super().on_message(fragment)

    def hear(self) -> None:
        """Note that something was said here: no page is built just now."""
        self._turns.hear(of_work=time.monotonic() - self._began > OPENING_SECONDS)

    def get_websocket_protocol(self) -> WebSocketProtocol | None:
        """Return what reads frames, and tells how much it keeps of them."""
        protocol = super().get_websocket_protocol()
        if not isinstance(protocol, WebSocketProtocol13):
            return protocol
        return _CountedFrames(self, mask_outgoing=False, params=protocol.params)

    async def _receive(self, fragment: str | bytes) -> Any:
        self._n_parts += 1
        if self._n_parts > MOST_PARTS:
            self.drop(f"A message may have {MOST_PARTS} parts.")
            return None
        self._assembled += sys.getsizeof(fragment)
        if isinstance(fragment, str) and _is_crowded(fragment):
            self.drop(f"A message may speak of {MOST_ITEMS} things.")
            return None
        try:
            message = await super()._receive(fragment)
        except MALFORMED:
            self.drop("This is no message.")
            return None
        if message is not None:
            self._assembled = self._n_parts = 0
        return message

    async def send_message(self, message: Message[Any]) -> None:
        """Send what is to be told; of a fault no more than that it was one."""
        if message.msgtype == "ERROR":
            message.content = {"text": FAILED, "traceback": None}
        await super().send_message(message)

    def keeps(self, n_bytes: int) -> None:
        """Count bytes of frames besides what is assembled of a message already."""
        self._held.hold(self, self._assembled + n_bytes)

    def drop(self, reason: str) -> None:
        """End the connection at once."""
        if isinstance(self.ws_connection, _CountedFrames):
            self.ws_connection.end(reason)

    def on_close(self) -> None:
        """Count no longer what is let go of."""
        self._held.hold(self, 0)
        super().on_close()


def _is_crowded(text: str) -> bool:
    """Return whether JSON has too many items, beside what stands inside of texts."""
    if _n_items(text) <= MOST_ITEMS:
        return False
    if text.count('"') > MOST_QUOTES:
        return True
    unescaped = text.replace("\\\\", "").replace('\\"', "")
    return sum(map(_n_items, unescaped.split('"')[::2])) > MOST_ITEMS


def _n_items(text: str) -> int:
    return sum(map(text.count, "[{,"))


class _CountedFrames(WebSocketProtocol13):
    """Frames whose bytes are counted from when they are announced.

    What the page is told goes out a message at a time. At every write the threads that
    compute take the interpreter, and whoever serves waits until one gives it back.
    """

    handler: PageSocket

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._told: list[bytes] = []  # Frames of a message that is not whole yet
        self._n_told = PARTS  # How many it will have

    def end(self, reason: str) -> None:
        """Say why, and wait for no answer."""
        self.close(1009, reason)
        self._abort()

    def write_message(
        self, message: str | bytes | dict[str, Any], binary: bool = False
    ) -> asyncio.Future[None]:
        """Tell the page a part of a message; all are sent with the last one."""
        if not self._told:
            n_buffers = json.loads(message).get("num_buffers", 0)
            self._n_told = PARTS + PARTS_OF_BUFFER * n_buffers
        self._told.append(_frame(message, binary))
        if len(self._told) < self._n_told:
            return _done()
        self.handler.hear()
        whole = b"".join(self._told)
        self._told.clear()
        try:
            return asyncio.ensure_future(_written(self.stream.write(whole)))
        except StreamClosedError:
            raise WebSocketClosedError from None

    async def _read_bytes(self, n: int) -> bytes:
        if n <= FRAME_HEAD:
            return await super()._read_bytes(n)
        self._count(n)
        try:
            async with asyncio.timeout(FRAME_SECONDS):
                return await super()._read_bytes(n)
        except TimeoutError:
            self.end("The rest of a frame did not come.")
            raise StreamClosedError from None

    async def _receive_frame(self) -> None:
        await super()._receive_frame()
        self._count(0)

    def _count(self, coming: int) -> None:
        self.handler.keeps(coming + len(self._fragmented_message_buffer or b""))


def _frame(message: str | bytes, binary: bool) -> bytes:
    """Return a message of the websocket as a frame (RFC 6455, 5.2)."""
    sent = message.encode() if isinstance(message, str) else message
    first, n = WHOLE | (BINARY if binary else TEXT), len(sent)
    if n < 126:
        return struct.pack("!BB", first, n) + sent
    if n < 1 << 16:
        return struct.pack("!BBH", first, 126, n) + sent
    return struct.pack("!BBQ", first, 127, n) + sent


def _done() -> asyncio.Future[None]:
    done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
    done.set_result(None)
    return done


async def _written(write: Awaitable[None]) -> None:
    try:
        await write
    except StreamClosedError:
        raise WebSocketClosedError from None
