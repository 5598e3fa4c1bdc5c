"""How long a server's event loop was kept from its work, and by what.

Runs in the server's process. A callback every few milliseconds notes how late it is:
that is what people wait, the machine's load and all that stands in the queue included.
And every callback of the loop is timed by what the loop's own thread computed in it,
which no load changes: while one runs, nobody is served.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tornado.platform.asyncio import BaseAsyncIOLoop

__all__ = ["noted", "watch"]

TICK_SECONDS = 0.01
NOTED_SECONDS = 0.05

Note = Callable[..., None]


def watch(path: str) -> None:
    """Write what keeps the loop that starts next into a file, a line each."""
    start, run = BaseAsyncIOLoop.start, asyncio.Handle._run

    def note(**told: Any) -> None:
        with Path(path).open("a") as file:
            file.write(json.dumps({"at": time.time(), **told}) + "\n")

    def started(loop: Any) -> None:
        _Ticks(loop, note).tick()
        start(loop)

    def timed(handle: Any) -> None:
        before = time.thread_time()
        run(handle)
        seconds = time.thread_time() - before
        if seconds > NOTED_SECONDS:
            note(callback=seconds, what=_named(handle._callback))

    BaseAsyncIOLoop.start = started
    asyncio.Handle._run = timed


class _Ticks:
    def __init__(self, loop: Any, note: Note) -> None:
        self._loop, self._note = loop, note
        self._before = time.perf_counter()

    def tick(self) -> None:
        late = time.perf_counter() - self._before
        if late > NOTED_SECONDS:
            self._note(late=late)
        self._before = time.perf_counter()
        self._loop.call_later(TICK_SECONDS, self.tick)


def _named(callback: Any) -> str:
    """Return what a callback runs: of a task, its coroutine."""
    owner = getattr(callback, "__self__", None)
    found = owner.get_coro() if isinstance(owner, asyncio.Task) else callback
    return str(getattr(found, "__qualname__", found))[:100]


def noted(path: Path, since: float) -> list[dict[str, Any]]:
    """Return what was noted since a time of the clock."""
    lines = map(json.loads, path.read_text().splitlines() if path.exists() else [])
    return [line for line in lines if line["at"] >= since]
