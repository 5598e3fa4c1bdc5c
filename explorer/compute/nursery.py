"""A process that forks children: each is there in milliseconds, its imports made.

It has read nothing itself, so that no child finds what another was given.
"""

from __future__ import annotations

import atexit
import os
import select
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection
from typing import Any

from .nursery_child import CAN_FORK, READY
from .waiting import WAITING

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


def pulled(
    module: str,
    ask: Callable[[Connection], None],
    receive: Callable[[Connection], tuple[str, Any]],
) -> Iterator[Any]:
    """Yield what a new child finds, and `WAITING` while it is silent.

    `module`: of this folder, the child's side. `ask` sends it what it is to do;
    `receive` returns of which kind it is what has come, and what it is. Closing ends
    the child. Raises its refusal, or MemoryError where it had not enough.
    """
    pid = None
    with _child(module) as connection:
        try:
            while True:
                while not connection.poll():
                    yield WAITING
                kind, value = receive(connection)
                if kind == "started":
                    pid = value
                    ask(connection)
                elif kind == "item":
                    yield value
                else:
                    pid = None
                    _end(kind, value)
                    return
        except (EOFError, OSError) as error:
            pid = None  # the system has ended it, which had no more for it
            raise MemoryError from error
        finally:
            if pid is not None:  # nobody waits for it any more
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)


def _end(kind: str, value: Any) -> None:
    if kind == "refused":
        raise value
    if kind == "memory":
        raise MemoryError
    if kind == "fault":
        raise RuntimeError("The work of a child failed; see above.")


@contextmanager
def _child(module: str) -> Iterator[Connection]:
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
