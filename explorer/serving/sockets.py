"""The websocket of a page: whose it is, and that there is a place for it."""

from __future__ import annotations

import asyncio
import json
import struct
import time
from collections.abc import Awaitable
from typing import Any

from bokeh.protocol.message import Message
from bokeh.server.tornado import BokehTornado
from bokeh.util.token import check_token_signature, get_session_id
from panel.io.server import WSHandler
from tornado.iostream import StreamClosedError
from tornado.web import HTTPError
from tornado.websocket import (
    WebSocketClosedError,
    WebSocketProtocol,
    WebSocketProtocol13,
)

from .turns import PageTurns, SessionLimit, TryLaterError

# What text that is no token, or no message, makes Bokeh's parsers say.
MALFORMED = (
    *(ValueError, TypeError, KeyError, AttributeError),
    *(AssertionError, RecursionError),
)


def offered_token(protocols: str) -> str:
    """Return the token in a header of protocols, of which it is the last."""
    return protocols.rpartition(",")[2].strip()


def is_ours(token: str, app: BokehTornado) -> bool:
    """Return whether a token was signed here; text from anywhere may stand for one."""
    try:
        return bool(
            check_token_signature(
                token, signed=app.sign_sessions, secret_key=app.secret_key
            )
        )
    except MALFORMED:
        return False


# A message has a header, its metadata, its content and two parts a buffer.
PARTS, PARTS_OF_BUFFER = 3, 2
OPENING_SECONDS = 5.0  # in which a page tells its sizes and gets what is below
WHOLE, TEXT, BINARY = 0x80, 0x1, 0x2  # first byte of a frame
TRY_AGAIN_LATER = 1013
FAILED = "The server could not do what was asked; its log says why."


class PageSocket(WSHandler):
    """Panel's websocket for those who were given a page."""

    def __init__(
        self, *args: Any, limit: SessionLimit, turns: PageTurns, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self._limit, self._turns = limit, turns
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

    async def send_message(self, message: Message[Any]) -> None:
        """Send a message; of a fault a sentence, whose traceback stays in the log."""
        if message.msgtype == "ERROR":
            message.content = {"text": FAILED, "traceback": None}
        await super().send_message(message)

    async def on_message(self, fragment: str | bytes) -> None:
        """Take a part of a message: whoever sends one is at work."""
        self.hear()
        await super().on_message(fragment)

    def hear(self) -> None:
        """Note that something was said here: no page is built just now."""
        self._turns.hear(of_work=time.monotonic() - self._began > OPENING_SECONDS)

    def get_websocket_protocol(self) -> WebSocketProtocol | None:
        """Return what reads and writes frames."""
        protocol = super().get_websocket_protocol()
        if not isinstance(protocol, WebSocketProtocol13):
            return protocol
        return _WholeMessages(self, mask_outgoing=False, params=protocol.params)


class _WholeMessages(WebSocketProtocol13):
    """What the page is told goes out a message at a time.

    At every write the threads that compute take the interpreter, and whoever serves
    waits until one gives it back.
    """

    handler: PageSocket

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._told: list[bytes] = []  # Frames of a message that is not whole yet
        self._n_told = PARTS  # How many it will have

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
