"""What takes long is computed in processes beside the one that serves.

Threads of one process share its interpreter: while one computes, the thread that serves
everybody waits for its turns. A process beside has another core; or, where all are at
work, the time that is left by whoever waits for a slider.

Between them objects travel by pickle, as to the workers of a cluster: both ends are
ours, and what people bring has been read before (`sandbox`).
"""

from __future__ import annotations

import os
import pickle
import threading
from collections.abc import Callable, Generator, Iterator
from io import BytesIO
from multiprocessing.connection import Connection
from typing import Any

from solvers.frontier.cluster import portable

from . import nursery
from .beside_child import NICENESS
from .waiting import WAITING

# So many compute at once, of what is long and of what is not; others wait.
AT_ONCE = os.cpu_count() or 1

_turns = {is_long: threading.BoundedSemaphore(AT_ONCE) for is_long in NICENESS}
_is_used = False


def use_processes(*, used: bool = True) -> None:
    """Have what takes long computed beside, or here, from now on."""
    global _is_used
    _is_used = used
    if used:
        nursery.start()


def beside(
    work: Callable[..., Generator[Any, None, None]],
    *arguments: Any,
    is_long: bool = True,
) -> Iterator[Any]:
    """Yield what some work yields in a process beside, or here where none is ready.

    `work`: a function at the top of a module that touches no widget. While it is silent
    `WAITING` is yielded, so that a job can be cancelled; closing ends the process.
    `is_long`: whether what is not goes before it.
    """
    if not (_is_used and nursery.is_ready()):
        yield from work(*arguments)
        return
    while not _turns[is_long].acquire(blocking=False):
        yield WAITING
    asked = (is_long, work, [*map(portable, arguments)])
    try:
        yield from nursery.pulled(
            "beside_child", lambda to: _ask(to, asked), _receiver()
        )
    finally:
        _turns[is_long].release()


def _receiver() -> Callable[[Connection], tuple[str, Any]]:
    """Return what reads messages of one child, which have much in common."""
    text = BytesIO()
    unpickler = pickle.Unpickler(text)

    def receive(connection: Connection) -> tuple[str, Any]:
        text.seek(0)
        text.truncate()
        text.write(connection.recv_bytes())
        text.seek(0)
        return unpickler.load()

    return receive


def _ask(connection: Connection, asked: Any) -> None:
    """Send what is asked, tables as they lie in memory."""
    buffers: list[pickle.PickleBuffer] = []
    text = pickle.dumps(asked, protocol=5, buffer_callback=buffers.append)
    connection.send(1 + len(buffers))
    for part in (text, *(buffer.raw() for buffer in buffers)):
        connection.send_bytes(part)
