"""Several processes that serve one port: a page's websocket comes to who built it.

The system deals out connections to whichever process looks first. So each looks at what
a connection says before it reads it, and hands it to the process that it is for: pages
in turn, and a websocket to the one that its token names.
"""

from __future__ import annotations

import asyncio
import json
import mmap
import socket
import sys
from contextlib import suppress
from typing import Any

from bokeh.application.handlers.lifecycle import LifecycleHandler
from bokeh.server.tornado import BokehTornado
from bokeh.util.token import check_token_signature, get_token_payload
from tornado.httpserver import HTTPServer
from tornado.iostream import IOStream
from tornado.process import task_id

__all__ = ["ProcessGroup"]

BUILT_BY = "built_by"  # In a page's token
PROTOCOL = b"sec-websocket-protocol:"
HEAD_END, HEAD_BYTES = b"\r\n\r\n", 64 * 1024
# For what is said first; then the server waits on, with a limit of its own.
PATIENCE_SECONDS = 20.0
LOOK_SECONDS = 0.01
ADDRESS_BYTES = 1024
# What text that is no token makes Bokeh's parser say.
MALFORMED = (ValueError, TypeError, KeyError, AttributeError, AssertionError)


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
        self._turn = mmap.mmap(-1, 1)

    def modify_document(self, doc: Any) -> None:
        """Leave the document as it is."""

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
            said = b""
            with suppress(OSError, TimeoutError):
                said = await _first_words(stream.socket)
            to = self._addressee(said, app)
            if to in (None, own) or not self._hand_over(stream, address, to):
                serve(stream, address)

        def collect() -> None:
            for connection, address in _handed_over(mailbox):
                stream = IOStream(
                    connection,
                    max_buffer_size=server.max_buffer_size,
                    read_chunk_size=server.read_chunk_size,
                )
                serve(stream, address)

        server.handle_stream = look_first
        asyncio.get_event_loop().add_reader(mailbox, collect)

    def _addressee(self, said: bytes, app: BokehTornado) -> int | None:
        """Return who should answer what is said first; None where anybody may."""
        head, *lines = said.split(HEAD_END)[0].split(b"\r\n")
        _, _, rest = head.partition(b" ")
        path = rest.split(b" ")[0].split(b"?")[0].decode("latin-1")
        if path.removeprefix(app.prefix) in app.app_paths:
            self._turn[0] = (self._turn[0] + 1) % len(self._mailboxes)
            return self._turn[0]
        if not path.endswith("/ws"):
            return None
        offered = [line for line in lines if line.lower().startswith(PROTOCOL)]
        token = b"".join(offered[-1:]).rpartition(b",")[2].strip().decode("latin-1")
        return self._builder(token, app.secret_key)

    def _builder(self, token: str, secret: bytes | None) -> int | None:
        """Return who built the page of a token; nobody where it is not ours."""
        try:
            # What was signed here swells to no more than was packed here.
            if not check_token_signature(token, signed=True, secret_key=secret):
                return None
            builder = get_token_payload(token).get(BUILT_BY)
        except MALFORMED:
            return None
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
    async with asyncio.timeout(PATIENCE_SECONDS):
        while True:
            await _readable(connection)
            said = connection.recv(HEAD_BYTES, socket.MSG_PEEK)
            if not said or HEAD_END in said or len(said) == HEAD_BYTES:
                return said
            await asyncio.sleep(LOOK_SECONDS)


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
            connection = socket.socket(fileno=descriptors[0])
            connection.setblocking(False)
            found.append((connection, tuple(json.loads(sent))))
    return found
