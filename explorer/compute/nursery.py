"""A process that forks children: each is there in milliseconds, its imports made.

It has read nothing itself, so that no child finds what another was given.
"""

from __future__ import annotations

import atexit
import os
import select
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection

from .nursery_child import CAN_FORK, READY

_lock = threading.Lock()
_nursery: _Nursery | None = None


def is_ready() -> bool:
    """Return whether a child would be there at once."""
    with _lock:
        return _nursery is not None and _nursery.is_there and _nursery.is_ready()


def start() -> None:
    """Have children ready soon: the first one would wait for imports."""
    if CAN_FORK:
        with _lock:
            _running()


@contextmanager
def child(module: str) -> Iterator[Connection]:
    """Give the connection to a new child that does the work of a module beside."""
    ours, theirs = socket.socketpair()
    with theirs, _lock:
        try:
            _running().hand_over(module, theirs.fileno())
        except OSError:  # it was ended by somebody; another takes its place
            _running(anew=True).hand_over(module, theirs.fileno())
    connection = Connection(ours.detach())
    try:
        yield connection
    finally:
        connection.close()


class _Nursery:
    """The process that forks children; it ends when its channel is closed."""

    def __init__(self) -> None:
        self.owner, self._has_told = os.getpid(), False
        self._channel, theirs = socket.socketpair()
        with theirs:
            program = (
                f"import sys; sys.path[:] = {sys.path!r}; "
                "from explorer.compute.nursery_child import serve; "
                f"serve({theirs.fileno()})"
            )
            self._process = subprocess.Popen(
                [sys.executable, "-c", program],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
            )

    @property
    def is_there(self) -> bool:
        return self.owner == os.getpid() and self._process.poll() is None

    def is_ready(self) -> bool:
        """Return whether its imports are made."""
        if not self._has_told and select.select([self._channel], [], [], 0)[0]:
            self._has_told = self._channel.recv(len(READY)) == READY
        return self._has_told

    def hand_over(self, module: str, fd: int) -> None:
        """Have a child forked that holds the other end."""
        socket.send_fds(self._channel, [module.encode()], [fd])

    def close(self) -> None:
        self._channel.close()
        if self.owner == os.getpid():
            self._process.terminate()
            self._process.wait()


def _running(*, anew: bool = False) -> _Nursery:
    global _nursery
    if _nursery is None or not _nursery.is_there or anew:
        if _nursery is not None and _nursery.owner == os.getpid():
            _nursery.close()
        _nursery = _Nursery()
    return _nursery


@atexit.register
def _close() -> None:
    if _nursery is not None:
        _nursery.close()
