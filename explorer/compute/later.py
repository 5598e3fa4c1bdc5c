"""What is called a while later, by one thread for all.

A thread of its own for each, as `threading.Timer` starts, makes whoever asks wait until
it has begun: on a page's thread, until those that compute let go of the interpreter.
"""

from __future__ import annotations

import heapq
import itertools
import logging
import threading
import time
from collections.abc import Callable

logger = logging.getLogger(__name__)


class Later:
    """A call that has not been made yet."""

    def __init__(self, call: Callable[[], object]) -> None:
        self._call: Callable[[], object] | None = call

    def cancel(self) -> None:
        """Do not call, unless it has begun."""
        self._call = None

    def __call__(self) -> None:
        """Call, unless it was cancelled."""
        call, self._call = self._call, None
        if call is not None:
            call()


def call_later(seconds: float, call: Callable[[], object]) -> Later:
    """Call on another thread after so many seconds, all but at once.

    The others wait for it: it should post, and not compute.
    """
    later = Later(call)
    _clock.add(time.monotonic() + seconds, later)
    return later


class _Clock:
    """The thread, which begins with the first call: threads do not survive a fork."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        # By time; the number settles every comparison.
        self._waiting: list[tuple[float, int, Later]] = []
        self._count = itertools.count()
        self._thread = threading.Thread()

    def add(self, at: float, later: Later) -> None:
        entry = (at, next(self._count), later)
        with self._changed:
            heapq.heappush(self._waiting, entry)
            if not self._thread.is_alive():
                self._thread = threading.Thread(
                    target=self._run, name="later", daemon=True
                )
                self._thread.start()
            elif self._waiting[0] is entry:
                self._changed.notify()

    def _run(self) -> None:
        while True:
            later = self._next()
            try:
                later()
            except Exception:  # the boundary: one call must not end the others
                logger.exception("what was to be called later failed")
            del later  # or it would keep its session until the next one comes

    def _next(self) -> Later:
        with self._changed:
            while True:
                left = self._waiting[0][0] - time.monotonic() if self._waiting else None
                if left is not None and left <= 0:
                    return heapq.heappop(self._waiting)[-1]
                self._changed.wait(left)


_clock = _Clock()
