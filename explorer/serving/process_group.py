"""Several processes that serve one port: a page's websocket comes to who built it.

The system deals out connections to whichever process looks first. So each looks at what
a connection says before it reads it, and hands it to the process that it is for: pages
in turn, and a websocket to the one that its token names. Who gives no sign of life is
dealt no page.
"""

from __future__ import annotations

import asyncio
import json
import mmap
import re
import socket
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from bokeh.application.handlers.lifecycle import LifecycleHandler
from bokeh.server.tornado import BokehTornado
from bokeh.util.token import get_token_payload
from tornado.httpserver import HTTPServer
from tornado.iostream import IOStream
from tornado.process import task_id

from .tokens import is_ours, offered_token

BUILT_BY = "built_by"  # In a page's token
PROTOCOL = b"sec-websocket-protocol:"
# Whatever the server takes for a line's end.
LINE_END, HEAD_END = re.compile(rb"\r?\n"), re.compile(rb"\r?\n\r?\n")
HEAD_BYTES = 64 * 1024
# For what is said first, and for room where it is to go; then the connection ends.
PATIENCE_SECONDS = 20.0
# What is there already cannot be waited for: half a request is looked at ever more
# seldom, or a thousand of them would take all the time there is.
LOOK_SECONDS, SELDOM_SECONDS = 0.01, 1.0
BEAT_SECONDS, SILENT_SECONDS = 0.5, 5.0
ADDRESS_BYTES = 1024


class ProcessGroup(LifecycleHandler):
    """Hands connections to one another; made before the processes part.

    `n`: how many processes there will be.
    """

    def __init__(self, n: int) -> None:
        super().__init__()
        # Elsewhere than on Linux only datagrams keep connections apart.
        kind = socket.SOCK_SEQPACKET if sys.platform == "linux" else socket.SOCK_DGRAM
        self._mailboxes = [socket.socketpair(socket.AF_UNIX, kind) for _ in range(n)]
        for pair in self._mailboxes:
            for end in pair:
                end.setblocking(False)
        # Shared. Two who count at once give two pages to one process, and no harm.
        self._turn = memoryview(mmap.mmap(-1, 8)).cast("Q")
        self._beats = memoryview(mmap.mmap(-1, 8 * n)).cast("d")  # when each was alive

    def process_request(self, request: Any) -> dict[str, Any]:
        """Have the token of a page say who built it."""
        return {BUILT_BY: task_id()}

    def join(self, server: HTTPServer, app: BokehTornado) -> None:
        """Take what is for this process, and hand on what is not."""
        own, serve = task_id(), server.handle_stream
        if own is None or server.ssl_options is not None:
            return
        mailbox = self._mailboxes[own][0]

        async def look_first(stream: IOStream, address: tuple[Any, ...]) -> None:
            try:
                async with asyncio.timeout(PATIENCE_SECONDS):
                    to = self._addressee(await _first_words(stream.socket), app)
                    waits = _waits()
                    while to not in (None, own):
                        if self._hand_over(stream, address, to):
                            return
                        await asyncio.sleep(next(waits))
            except OSError:  # it took too long, or has ended
                stream.close()
                return
            serve(stream, address)

        def collect() -> None:
            for connection, address in _handed_over(mailbox):
                stream = IOStream(
                    connection,
                    max_buffer_size=server.max_buffer_size,
                    read_chunk_size=server.read_chunk_size,
                )
                serve(stream, address)

        def beat() -> None:
            self._beats[own] = time.monotonic()
            loop.call_later(BEAT_SECONDS, beat)

        server.handle_stream = look_first
        loop = asyncio.get_event_loop()
        loop.add_reader(mailbox, collect)
        beat()

    def _addressee(self, said: bytes, app: BokehTornado) -> int | None:
        """Return who should answer what is said first; None where anybody may."""
        head, *lines = LINE_END.split(HEAD_END.split(said, 1)[0])
        _, _, rest = head.partition(b" ")
        path = rest.split(b" ")[0].split(b"?")[0].decode("latin-1")
        if path.removeprefix(app.prefix) in app.app_paths:
            return self._next()
        if not path.endswith("/ws"):
            return None
        offered = [line for line in lines if line.lower().startswith(PROTOCOL)]
        token = offered_token(b"".join(offered[-1:]).decode("latin-1"))
        return self._builder(token, app)

    def _next(self) -> int | None:
        """Return whose turn it is among those that live."""
        lately = time.monotonic() - SILENT_SECONDS
        for _ in self._mailboxes:
            self._turn[0] = turn = (self._turn[0] + 1) % len(self._mailboxes)
            if self._beats[turn] > lately:
                return turn
        return None

    def _builder(self, token: str, app: BokehTornado) -> int | None:
        """Return who built the page of a token; nobody where it is not ours."""
        if not is_ours(token, app):
            return None
        # What was signed here swells to no more than was packed here.
        builder = get_token_payload(token).get(BUILT_BY)
        is_one = isinstance(builder, int) and 0 <= builder < len(self._mailboxes)
        return builder if is_one else None

    def _hand_over(self, stream: IOStream, address: tuple[Any, ...], to: int) -> bool:
        """Give a connection away, and return whether that could be done."""
        sent = json.dumps(address).encode()
        try:
            socket.send_fds(self._mailboxes[to][1], [sent], [stream.socket.fileno()])
        except OSError:  # Too many wait there
            return False
        stream.close()
        return True


async def _first_words(connection: socket.socket) -> bytes:
    """Return what is said up to the end of the headers, and leave it to be read."""
    waits = _waits()
    while True:
        await _readable(connection)
        said = connection.recv(HEAD_BYTES, socket.MSG_PEEK)
        if not said or HEAD_END.search(said) or len(said) == HEAD_BYTES:
            return said
        await asyncio.sleep(next(waits))


def _waits() -> Iterator[float]:
    """Yield ever longer times, in seconds."""
    wait = LOOK_SECONDS
    while True:
        yield wait
        wait = min(2 * wait, SELDOM_SECONDS)


async def _readable(connection: socket.socket) -> None:
    loop, ready = asyncio.get_running_loop(), asyncio.Event()
    loop.add_reader(connection, ready.set)
    try:
        await ready.wait()
    finally:
        loop.remove_reader(connection)


def _handed_over(
    mailbox: socket.socket,
) -> list[tuple[socket.socket, tuple[Any, ...]]]:
    """Return the connections that have come, and the addresses of their clients."""
    found = []
    with suppress(BlockingIOError):
        while True:
            sent, descriptors, _, _ = socket.recv_fds(mailbox, ADDRESS_BYTES, 1)
            if not descriptors:  # this process has as many as it may
                continue
            connection = socket.socket(fileno=descriptors[0])
            connection.set_inheritable(False)
            connection.setblocking(False)
            found.append((connection, tuple(json.loads(sent))))
    return found
