"""Who has a page, and when: turns, places, and what those are told who have none.

A page takes a few hundred milliseconds of the one thread that serves everybody.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from html import escape
from typing import Any

from bokeh.application.handlers.lifecycle import LifecycleHandler
from tornado.web import HTTPError

PAGE = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>{title}</title>
<meta name="viewport" content="width=device-width">
<meta http-equiv="refresh" content="{seconds}"></head>
<body style="font-family: sans-serif; max-width: 34rem; margin: 4rem auto">
<h1>{title}</h1>
<p>{sentence} This page tries again by itself.</p></body></html>
"""


@dataclass(frozen=True)
class TryLaterReason:
    """What a person reads, and how long to wait."""

    title: str
    sentence: str
    seconds: int  # until it is worth asking again


FULL = TryLaterReason(
    "Thriftscope is full just now",
    "Every place on this server is taken. A place becomes free when somebody closes "
    "the page.",
    60,
)
BUSY = TryLaterReason(
    "Many people open Thriftscope just now",
    "Pages are made one after the other, and too many are waited for.",
    5,
)
LEFT = TryLaterReason("You have left", "Nobody waits for this page any more.", 5)


class TryLaterError(HTTPError):
    """Status 503, for a reason that a person can read."""

    def __init__(self, reason: TryLaterReason) -> None:
        super().__init__(503)
        self.why = reason

    def page(self) -> str:
        """Return what a browser shows."""
        return PAGE.format(
            title=escape(self.why.title),
            sentence=escape(self.why.sentence),
            seconds=self.why.seconds,
        )


class SessionLimit(LifecycleHandler):
    """Counts the sessions, and refuses one too many before it is built."""

    def __init__(self, most: int, on_empty: Callable[[], None] | None = None) -> None:
        super().__init__()
        self._most, self._on_empty = most, on_empty
        self._open: set[Any] = set()

    def process_request(self, request: Any) -> dict[str, Any]:
        """Refuse a page where all places are taken.

        A websocket is asked whether it has a page already (`admits`).
        """
        is_connecting = request.path.endswith("/ws")
        if not is_connecting and not self.admits(None):
            raise TryLaterError(FULL)
        return {}

    def admits(self, session_id: str | None) -> bool:
        """Return whether a session is open already, or there is a place for it."""
        return self.has(session_id) or len(self._open) < self._most

    def has(self, session_id: str | None) -> bool:
        """Return whether a session is open already."""
        return session_id in self._open

    async def on_session_created(self, session_context: Any) -> None:
        """Count a session that is opened."""
        self._open.add(session_context.id)

    async def on_session_destroyed(self, session_context: Any) -> None:
        """Free the place of a session that is gone."""
        self._open.discard(session_context.id)
        if not self._open and self._on_empty is not None:
            self._on_empty()


MOST_WAITING = 8
LOOK_SECONDS = 0.02
# For so long no page has said anything and none was told: nobody waits for a picture.
QUIET_SECONDS = 0.2
# A page waits no longer for quiet, or classes at their sliders would keep others out.
PATIENCE_SECONDS = 1.0
# For so long after the last word of a page that is not just opening, somebody is at
# work. Pages are then built in a third of the time.
AT_WORK_SECONDS = 10.0
REST_SHARE = 2.0


@dataclass(eq=False)
class _Place:
    address: str  # Of who waits
    is_gone: Callable[[], bool]
    since: float


class PageTurns:
    """Who may have a page built, and when.

    `most`: how many pages may be waited for. Where all places are taken, whoever asks
    first from elsewhere gets the last place of the address that has most.
    """

    def __init__(self, most: int = MOST_WAITING) -> None:
        self._most = most
        self._places: list[_Place] = []  # in turn: the first one's page is being built
        self._heard_at = self._worked_at = -math.inf
        self._ended_at, self._took = -math.inf, 0.0

    def hear(self, *, of_work: bool) -> None:
        """Note that some page has said something, or was told something.

        `of_work`: whether that comes from what a person does, not from its opening.
        """
        self._heard_at = time.monotonic()
        if of_work:
            self._worked_at = self._heard_at

    @asynccontextmanager
    async def turn(
        self, address: str, is_gone: Callable[[], bool]
    ) -> AsyncIterator[None]:
        """Wait until a page may be built.

        Raises `TryLaterError` at once where too many wait, or who asks has gone.
        """
        place = self._take_place(address, is_gone)
        try:
            while True:
                _check(place in self._places, BUSY)
                _check(not is_gone(), LEFT)
                if self._may_begin(place):
                    break
                await asyncio.sleep(LOOK_SECONDS)
            began = time.monotonic()
            yield
            self._ended_at = time.monotonic()
            self._took = self._ended_at - began
        finally:
            if place in self._places:
                self._places.remove(place)

    def refuse_crowd(self, address: str) -> None:
        """Raise `TryLaterError` where somebody would find no place to wait."""
        if len(self._places) >= self._most:
            self._places[1:] = [one for one in self._places[1:] if not one.is_gone()]
        if len(self._places) >= self._most:
            waiting = Counter(one.address for one in self._places[1:])
            _check(waiting[address] + 1 < max(waiting.values(), default=0), BUSY)

    def _take_place(self, address: str, is_gone: Callable[[], bool]) -> _Place:
        """Return a new place, maybe that of somebody who asks more often."""
        self.refuse_crowd(address)
        if len(self._places) >= self._most:
            waiting = Counter(one.address for one in self._places[1:])
            often = max(waiting, key=waiting.__getitem__)
            self._places.remove(
                next(one for one in self._places[:0:-1] if one.address == often)
            )
        place = _Place(address, is_gone, time.monotonic())
        self._places.append(place)
        return place

    def _may_begin(self, place: _Place) -> bool:
        if place is not self._places[0]:
            return False
        now = time.monotonic()
        is_work = now - self._worked_at < AT_WORK_SECONDS
        # What came while a page was built is heard before the next one begins.
        rest = max(is_work * REST_SHARE * self._took, LOOK_SECONDS)
        waited = now - max(place.since, self._ended_at + rest)
        is_quiet = now - self._heard_at >= QUIET_SECONDS
        return waited >= (0 if is_quiet else PATIENCE_SECONDS)


def _check(holds: bool, otherwise: TryLaterReason) -> None:
    if not holds:
        raise TryLaterError(otherwise)
