"""Files from people are read in a process of their own, with bounds.

A parser holds the interpreter for as long as one of its calls takes: read on a thread,
somebody's file would stop everybody's sliders. What a child finds comes back as values
(`wire`); where it takes too much it is ended, and this process is as it was.
"""

from __future__ import annotations

import atexit
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection
from typing import Any

from solvers.errors import InterchangeError

from .sandbox_child import MEMORY_BYTES, PROCESSOR_SECONDS, receive, send
from .waiting import WAITING

# So many files are read at once; others wait for their turn.
READERS = max(1, min(2, (os.cpu_count() or 1) - 1))
POLL_SECONDS = 0.05
# Where processes cannot fork, files are read on this process's threads.
CAN_FORK = hasattr(os, "fork") and os.path.exists("/proc/self/statm")

TOO_MUCH = (
    f"Reading it takes more than {MEMORY_BYTES // 2**30} GB of memory or "
    f"{PROCESSOR_SECONDS} s of processor time and was ended; give a smaller file."
)

_turns = threading.BoundedSemaphore(READERS)
_lock = threading.Lock()
_nursery: _Nursery | None = None


def sandboxed(work: Callable[..., Iterator[Any]], *arguments: Any) -> Iterator[Any]:
    """Yield what some work yields in a process of its own.

    `work`: a function at the top of a module that touches no widget. While it is silent
    `WAITING` is yielded, so that a job can be cancelled; closing ends the process.
    """
    if not CAN_FORK:
        yield from work(*arguments)
        return
    while not _turns.acquire(timeout=POLL_SECONDS):
        yield WAITING
    try:
        with _child() as connection:
            request = [work.__module__, work.__qualname__, arguments]
            yield from _pulled(connection, request)
    finally:
        _turns.release()


def start() -> None:
    """Have children ready soon: the first one would wait for imports."""
    if CAN_FORK:
        with _lock:
            _running()


def _pulled(connection: Connection, request: Any) -> Iterator[Any]:
    pid = None
    try:
        while True:
            while not connection.poll(POLL_SECONDS):
                yield WAITING
            kind, value = receive(connection)
            if kind == "started":
                pid = value
                send(connection, "work", request)
            elif kind == "item":
                yield value
            else:
                pid = None
                _end(kind, value)
                return
    except (EOFError, OSError) as error:
        pid = None
        raise InterchangeError(TOO_MUCH) from error
    finally:
        if pid is not None:  # nobody waits for it any more
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)


def _end(kind: str, value: Any) -> None:
    if kind == "refused":
        raise InterchangeError(str(value))
    if kind == "memory":
        raise InterchangeError(TOO_MUCH)
    if kind == "fault":
        raise RuntimeError("The process that read a file failed; see above.")


@contextmanager
def _child() -> Iterator[Connection]:
    """Give the connection to a new child."""
    ours, theirs = socket.socketpair()
    with theirs, _lock:
        try:
            _running().hand_over(theirs.fileno())
        except OSError:  # it was ended by somebody; another takes its place
            _running(anew=True).hand_over(theirs.fileno())
    connection = Connection(ours.detach())
    try:
        yield connection
    finally:
        connection.close()


class _Nursery:
    """The process that forks children; it ends when its channel is closed."""

    def __init__(self) -> None:
        self.owner = os.getpid()
        self._channel, theirs = socket.socketpair()
        with theirs:
            program = (
                f"import sys; sys.path[:] = {sys.path!r}; "
                "from explorer.compute.sandbox_child import serve; "
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

    def hand_over(self, fd: int) -> None:
        """Have a child forked that holds the other end."""
        socket.send_fds(self._channel, [b"."], [fd])

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
