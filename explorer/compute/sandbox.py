"""Files from people are read in a process of their own, with bounds.

A parser holds the interpreter for as long as one of its calls takes: read on a thread,
somebody's file would stop everybody's sliders. What a child finds comes back as values
(`wire`); where it takes too much it is ended, and this process is as it was.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from multiprocessing.connection import Connection
from typing import Any

from solvers.errors import InterchangeError

from .nursery import CAN_FORK, pulled
from .sandbox_child import MEMORY_BYTES, PROCESSOR_SECONDS, receive, send
from .waiting import WAITING

# So many files are read at once; others wait for their turn.
READERS = max(1, min(2, (os.cpu_count() or 1) - 1))

TOO_MUCH = (
    f"Reading it takes more than {MEMORY_BYTES // 2**30} GB of memory or "
    f"{PROCESSOR_SECONDS} s of processor time and was ended; give a smaller file."
)

_turns = threading.BoundedSemaphore(READERS)


def sandboxed(work: Callable[..., Iterator[Any]], *arguments: Any) -> Iterator[Any]:
    """Yield what some work yields in a process of its own.

    `work`: a function at the top of a module that touches no widget. While it is silent
    `WAITING` is yielded, so that a job can be cancelled; closing ends the process.
    """
    if not CAN_FORK:
        yield from work(*arguments)
        return
    while not _turns.acquire(blocking=False):
        yield WAITING
    request = [work.__module__, work.__qualname__, arguments]
    try:
        yield from pulled("sandbox_child", lambda to: send(to, "work", request), _heard)
    except MemoryError as error:
        raise InterchangeError(TOO_MUCH) from error
    finally:
        _turns.release()


def _heard(connection: Connection) -> tuple[str, Any]:
    kind, value = receive(connection)
    return kind, InterchangeError(str(value)) if kind == "refused" else value
