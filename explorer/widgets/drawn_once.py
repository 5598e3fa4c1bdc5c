"""What is drawn once for a message to the browser, however much changes for it.

A browser that still takes in a figure's columns misses rows where fewer come in the
same message: what is sent of a figure is what it is at last.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_waiting: ContextVar[dict[Callable[[], None], None] | None] = ContextVar(
    "waiting", default=None
)


@contextmanager
def one_message() -> Iterator[None]:
    """Let what is to be drawn wait until all has changed that one message tells."""
    waiting: dict[Callable[[], None], None] = {}
    token = _waiting.set(waiting)
    try:
        yield
    finally:
        _waiting.reset(token)
        for draw in waiting:
            draw()


def draw_once(draw: Callable[[], None]) -> None:
    """Draw at the end of the message that is made, or now where none is."""
    waiting = _waiting.get()
    if waiting is None:
        draw()
    else:
        waiting[draw] = None
