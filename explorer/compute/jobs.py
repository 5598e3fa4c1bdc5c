"""Background computation: the newest request wins, results stream, anything stops.

A job pulls a plain generator on worker threads, a turn at a time. What it yields is
buffered and handed to the page at most once every `FLUSH_SECONDS`, on the page's own
thread. A newer request makes the older one stale: its generator is closed at its next
item, and what it has already buffered is dropped, not drawn.
"""

from __future__ import annotations

import logging
import math
import threading
import time
from collections.abc import Callable, Generator, Iterator
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from typing import Any, TypeVar

import param
from threadpoolctl import threadpool_limits

from solvers import ThriftscopeError

from .later import Later, call_later
from .waiting import STEP, WAITING
from .workers import Workers

logger = logging.getLogger(__name__)
Item = TypeVar("Item")
Post = Callable[[Callable[[], None]], Any]

# A redraw takes a browser about 30 ms: more often than this, frames queue up.
FLUSH_SECONDS = 0.06
# On a busy page's thread drawing has to wait: then it is asked for less often.
LAGS = 4
# What streams for long may take so much of the thread that serves everybody: all that
# stream together, or a class that traces would keep its own sliders waiting.
STREAM_SHARE = 0.2
# How much of what drawing is taken to need comes from the last time.
LEARNS = 0.2
# What takes no longer is not worth a bar.
SLOW_SECONDS = 0.3
# How long one request computes before others have their turn.
TURN_SECONDS = 0.05
# Two solvers at once keep a second session alive while a first one computes.
WORKERS = 2
# Threads that never come back cost memory and a share of the processor each.
MOST_LOST = 4
LOST_SECONDS = 10.0
# The longest honest step between two items takes a few seconds.
SILENT_SECONDS = 20.0
# A file that is read for longer is given up.
READ_SECONDS = 60.0

FAULT = (
    "The computation failed for a reason that is ours, not yours; the log has the "
    "details. What was on screen is still valid."
)
NO_MEMORY = (
    "The computation ran out of memory and was ended; try fewer rows, features or "
    "methods. What was on screen is still valid."
)
STUCK = (
    "Computations that do not come back hold all threads of this server, so nothing "
    "new can be computed; whoever runs it has to start it again."
)

# The workers are the parallelism: BLAS threads on top of them only wait on each other.
_one_blas_thread = threadpool_limits(limits=1)
_workers = Workers(WORKERS, MOST_LOST, LOST_SECONDS)


def nobody_waits() -> bool:
    """Return whether all that anybody has asked for is done, for now."""
    return _workers.is_idle


# What is posted is done one after the other, whichever thread has come with it.
_one_at_a_time = threading.RLock()


def immediately(callback: Callable[[], None]) -> None:
    """Call back at once, on the calling thread: for scripts and tests."""
    with _one_at_a_time:
        callback()


@dataclass(frozen=True)
class Refused:
    """Why there is nothing more, in a sentence."""

    sentence: str


def guarded(items: Iterator[Item]) -> Generator[Item | Refused, None, None]:
    """Yield items and, where these fail, what a person is told of it.

    For what is computed beside others, which go on.
    """
    try:
        yield from items
    except ThriftscopeError as error:
        logger.info("refused: %s", error)
        yield Refused(str(error))
    except (MemoryError, BrokenProcessPool):
        logger.exception("a computation ran out of memory")
        yield Refused(NO_MEMORY)
    except (Exception, SystemExit):  # the boundary: the others go on
        logger.exception("a computation failed")
        yield Refused(FAULT)


class Job(param.Parameterized):
    """One kind of background work of one session."""

    busy = param.Boolean(default=False, doc="Whether something is being computed.")
    is_slow = param.Boolean(default=False, doc="Whether that takes so long as to tell.")
    progress = param.Number(default=0.0, bounds=(0, 1), doc="Share that is done.")
    message = param.String(default="", doc="What went wrong, in one sentence.")
    completed = param.Integer(default=0, doc="How many requests ran to their end.")
    is_cut = param.Boolean(default=False, doc="Whether a person stopped the newest.")

    def __init__(self, post: Post = immediately, **params: Any) -> None:
        super().__init__(**params)
        self._post = post
        self._lock = threading.Lock()
        self._generation = 0
        self._slow = Later(lambda: None)
        self.param.watch(self._time, "busy")

    def _time(self, event: param.parameterized.Event) -> None:
        """Say that it is slow once it has been busy for a while, and no sooner.

        A bar that comes and goes with every move of a slider makes a browser lay out
        the whole page twice, which takes longer than most moves.
        """
        self._slow.cancel()
        if not event.new:
            self.is_slow = False
            return

        def tell() -> None:
            if self.busy:
                self.is_slow = True

        self._slow = call_later(SLOW_SECONDS, lambda: self._post(tell))

    def submit(
        self,
        work: Callable[[], Iterator[Item]],
        on_items: Callable[[list[Item]], None],
        on_done: Callable[[], None] | None = None,
        *,
        is_long: bool = False,
        seconds: float = math.inf,
    ) -> None:
        """Start some work in the background and forget what ran before it.

        `work`: returns the iterator to pull; called on a worker thread. Its items may
        be pulled on different ones, one after the other.
        `on_items`: takes the items that have come since the last call, on the page's
        thread.
        `is_long`: whether it lets the first items of what is not come before its own.
        `seconds`: after this long it is given up, with a message that says so.
        """
        if _workers.is_stuck:
            self.param.update(busy=False, message=STUCK)
            return
        with self._lock:
            self._generation += 1
            generation = self._generation
        self.param.update(busy=True, progress=0.0, message="", is_cut=False)
        run = _Request(self, generation, work, on_items, on_done, seconds, is_long)
        _workers.submit(run, is_long=is_long)

    def cancel(self) -> None:
        """Stop what is running; what it has delivered stays."""
        with self._lock:
            self._generation += 1
        if self.busy:
            self.param.update(busy=False, message="")

    def interrupt(self) -> None:
        """Stop what is running, as a person asks; that it is not whole is told."""
        self.cancel()
        self.is_cut = True

    def abandon(self) -> None:
        """Stop what is running without telling anybody: the session is gone."""
        with self._lock:
            self._generation += 1

    def is_current(self, generation: int) -> bool:
        """Return whether no newer request has come."""
        return generation == self._generation


class _Frames:
    """When what streams is drawn, so that the rest of the time is left to others."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._next_at = self._takes = 0.0

    def at(self, earliest: float) -> float:
        """Return when the next one may be drawn, and take that place.

        One that has to be drawn late takes no place away from what is there earlier.
        """
        with self._lock:
            place = max(self._next_at, time.monotonic())
            self._next_at = place + self._takes / STREAM_SHARE
            return max(earliest, place)

    def took(self, seconds: float) -> None:
        """Learn how long one has taken."""
        with self._lock:
            self._takes += LEARNS * (seconds - self._takes)


_frames = _Frames()


@dataclass(eq=False)
class _Request:
    """One request of a job, on a worker thread."""

    job: Job
    generation: int
    work: Callable[[], Iterator[Any]]
    on_items: Callable[[list[Any]], None]
    on_done: Callable[[], None] | None
    seconds: float
    is_long: bool
    items: Iterator[Any] | None = None
    buffer: list[Any] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)
    flushed: float = 0.0
    flush_at: float = 0.0
    pause: float = FLUSH_SECONDS
    is_flush_due: bool = False
    has_delivered: bool = False
    is_elsewhere: bool = False
    sign_at: float = field(default_factory=time.monotonic)
    started_at: float = math.inf
    is_told_silent: bool = False

    @property
    def is_stale(self) -> bool:
        return not self.job.is_current(self.generation)

    @property
    def is_awaited(self) -> bool:
        return not self.has_delivered

    def __call__(self) -> bool:
        """Compute for one turn; return whether there is more to compute."""
        is_more = False
        try:
            is_more = not self.is_stale and self._pull()
            if not is_more:
                self._close()
                self._end("")
        except ThriftscopeError as error:
            logger.info("refused: %s", error)
            self._end(str(error))
        except (MemoryError, BrokenProcessPool):
            logger.exception("a computation ran out of memory")
            self._end(NO_MEMORY)
        except (Exception, SystemExit):  # the boundary: the session goes on
            logger.exception("a computation failed")
            self._end(FAULT)
        return is_more

    def check(self) -> None:
        """Give up what takes too long; say so if no sign has come for long."""
        now = time.monotonic()
        if self.is_stale:
            return
        if now - self.started_at > self.seconds:
            self._give_up()
        elif now - self.sign_at > SILENT_SECONDS and not self.is_told_silent:
            self.is_told_silent = True
            self.job._post(self._tell_silent)

    def _give_up(self) -> None:
        def finish() -> None:
            if not self.is_stale:
                self.job.cancel()
                self.job.message = (
                    f"This took more than {self.seconds:g} s and was given up; try "
                    "less at once."
                )

        self.job._post(finish)

    def _tell_silent(self) -> None:
        if self.is_told_silent and not self.is_stale:
            self.job.message = (
                f"No sign of progress for {SILENT_SECONDS:g} s. It may still come; "
                "Cancel gives it up, and the page stays as it is."
            )

    def _pull(self) -> bool:
        ends = time.monotonic() + TURN_SECONDS
        if self.items is None:
            self.started_at = time.monotonic()
            self.items = iter(self.work())
        for item in self.items:
            if self.is_stale:
                return False
            self.is_elsewhere = item is WAITING
            if item is WAITING:
                self.sign_at = time.monotonic()
                return True
            if item is STEP:
                self.sign_at = time.monotonic()
            else:
                self._deliver(item)
            if time.monotonic() > ends:
                return True
        return False

    def _close(self) -> None:
        close = getattr(self.items, "close", None)
        if close is not None:
            close()

    def _deliver(self, item: Any) -> None:
        now = self.sign_at = time.monotonic()
        is_first, self.has_delivered = not self.has_delivered, True
        with self.lock:
            self.buffer.append(item)
            if self.is_flush_due:
                return
            self.is_flush_due = True
            self.flush_at = max(now, self.flushed + self.pause)
            if self.is_long and not is_first:  # for the first one somebody waits
                self.flush_at = _frames.at(self.flush_at)
        if self.flush_at <= now:
            self.job._post(self._flush)
        else:
            call_later(self.flush_at - now, lambda: self.job._post(self._flush))

    def _flush(self) -> None:
        with self.lock:
            items, self.buffer = self.buffer, []
            self.is_flush_due = False
            self.flushed = time.monotonic()
            self.pause = max(FLUSH_SECONDS, LAGS * (self.flushed - self.flush_at))
        if items and not self.is_stale:
            if self.is_told_silent:
                self.is_told_silent = False
                self.job.message = ""
            self.on_items(items)
            if self.is_long:
                _frames.took(time.monotonic() - self.flushed)

    def _end(self, message: str) -> None:
        def finish() -> None:
            self._flush()
            if self.is_stale:
                return
            if self.on_done is not None and not message:
                self.on_done()
            self.job.param.update(
                busy=False,
                progress=1.0 if not message else self.job.progress,
                message=message,
                completed=self.job.completed + (not message),
            )

        self.job._post(finish)
