"""Pages are built one after the other, and after what those who have theirs do.

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

from .try_later import BUSY, LEFT, TryLaterError, TryLaterReason

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
