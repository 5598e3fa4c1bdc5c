"""Threads that compute in turns, and what is done about one that does not come back.

What has had few turns comes before what has had many, and what has shown nothing yet
before what has: somebody who waits for a first answer does not wait for the ends of all
that others have asked for. Nor for the end of a turn of what is long: one thread is
kept free of it. While that one rests, the thread that serves everybody has half as many
to share the interpreter with.

What is computed elsewhere is only looked at, now and then, before all of that: a look
takes no time, and what has come frees a place there.

A thread cannot be killed. One that computes for nobody and gives no sign of life is
left alone and another takes its place, a bounded number of times. All are daemons: the
server waits for them but a moment when it ends.
"""

from __future__ import annotations

import atexit
import heapq
import itertools
import threading
import time
from typing import Protocol

CHECK_SECONDS = 0.5
END_SECONDS = 3.0
# What has had this many turns or more takes them in a circle.
MANY_TURNS = 3
# Before all of that comes what has shown nothing yet, for so many turns.
MOST_AWAITED = 40
# What is computed elsewhere is looked at so long after the last look.
LOOK_SECONDS = 0.02


class Work(Protocol):
    """Something that a thread does."""

    sign_at: float  # When it last gave a sign of life, by ``time.monotonic``

    @property
    def is_stale(self) -> bool:
        """Whether nobody waits for it."""

    @property
    def is_awaited(self) -> bool:
        """Whether nothing has been seen of it yet."""

    @property
    def is_elsewhere(self) -> bool:
        """Whether it waits for what is computed elsewhere."""

    def __call__(self) -> bool:
        """Work for one turn; return whether there is more to do."""

    def check(self) -> None:
        """Say so if it takes long; called now and then on another thread."""


# Its place by turns, a number that settles every comparison, when it came, how many
# turns it has had, and the work
_Entry = tuple[int, int, int, int, Work]


class Workers:
    """A few threads and the queue of what they are to do.

    `patience`: seconds without a sign, nobody waiting, after which a thread counts as
    lost.
    """

    def __init__(self, n_threads: int, most_lost: int, patience: float) -> None:
        self._n_threads = n_threads
        self._most_lost, self._patience = most_lost, patience
        # What waits, by turns had and then by when it came; apart, whether it is long.
        self._queues: dict[bool, list[_Entry]] = {False: [], True: []}
        # What is computed elsewhere: when it is looked at, and what it is.
        self._elsewhere: list[tuple[float, _Entry, bool]] = []
        self._count = itertools.count()
        self._lock = threading.Lock()
        self._has_changed = threading.Condition(self._lock)
        self._running: dict[threading.Thread, Work | None] = {}
        self._on_long: set[threading.Thread] = set()
        self._lost: set[threading.Thread] = set()
        self._watcher: threading.Thread | None = None
        self._is_ending = False

    @property
    def n_lost(self) -> int:
        """How many threads do not come back."""
        return len(self._lost)

    @property
    def is_stuck(self) -> bool:
        """Whether no thread is left that could compute."""
        return bool(self._running) and not set(self._running) - self._lost

    @property
    def is_idle(self) -> bool:
        """Whether nothing is computed or waits to be, but by threads that are lost."""
        with self._lock:
            working = {t for t, work in self._running.items() if work is not None}
            waits = any(self._queues.values()) or bool(self._elsewhere)
            return not (waits or working - self._lost)

    def submit(self, work: Work, *, is_long: bool = False) -> None:
        """Have something done, a turn at a time, by the next thread that is free.

        `is_long`: whether it leaves one thread to what is not.
        """
        with self._lock:
            if self._watcher is None:
                self._watcher = threading.Thread(target=self._watch, daemon=True)
                self._watcher.start()
                atexit.register(self.end)
            if len(self._running) - len(self._lost) < self._n_threads:
                self._start_thread()
            self._put(int(is_long), next(self._count), work, is_long=is_long)

    def end(self, seconds: float = END_SECONDS) -> None:
        """Begin no further turn, and wait some seconds for the end of those that run.

        An interpreter that ends while a daemon is in compiled code may abort.
        """
        self._is_ending = True
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            with self._lock:
                working = [t for t, work in self._running.items() if work is not None]
            if not set(working) - self._lost:
                return
            time.sleep(0.01)

    def _start_thread(self) -> None:
        if len(self._running) < self._n_threads + self._most_lost:
            thread = threading.Thread(
                target=self._work, name="thriftscope", daemon=True
            )
            self._running[thread] = None
            thread.start()

    def _put(self, turns: int, came: int, work: Work, *, is_long: bool) -> None:
        """Queue what has had so many turns and was submitted as the `came`-th."""
        if work.is_elsewhere:
            look_at = time.monotonic() + LOOK_SECONDS
            self._elsewhere.append((look_at, (0, came, came, turns, work), is_long))
            self._has_changed.notify()  # This thread may be given something else now
            return
        # Of those that are waited for one is done before the next: in a circle all of
        # them would be done at its end.
        is_first = work.is_awaited and turns < MOST_AWAITED
        most = MANY_TURNS - 1 if is_first else MANY_TURNS
        place = came if is_first else next(self._count)
        entry = (min(turns, most), place, came, turns, work)
        heapq.heappush(self._queues[is_long], entry)
        # All: which of them may take it is known to them.
        self._has_changed.notify_all()

    def _next(self) -> tuple[_Entry, bool]:
        """Return what is first of all that may be begun, and whether it is long.

        What nobody waits for any more is let go of first: what follows it waits for
        that.
        """
        while True:
            for entries in self._queues.values():
                for entry in entries:
                    if entry[-1].is_stale:
                        entries.remove(entry)
                        heapq.heapify(entries)
                        return entry, False
            now = time.monotonic()
            due = [one for one in self._elsewhere if one[0] <= now]
            if due:
                first = min(due, key=lambda one: one[1][:2])
                self._elsewhere.remove(first)
                return first[1:]
            n_long = len(self._on_long - self._lost)
            may_be_long = n_long < max(1, self._n_threads - 1)
            offered = [
                (entries[0], is_long)
                for is_long, entries in self._queues.items()
                if entries and (may_be_long or not is_long)
            ]
            if offered:
                _, is_long = min(offered, key=lambda one: one[0][:2])
                return heapq.heappop(self._queues[is_long]), is_long
            next_look = min((one[0] for one in self._elsewhere), default=None)
            self._has_changed.wait(None if next_look is None else next_look - now)

    def _work(self) -> None:
        me = threading.current_thread()
        try:
            while me not in self._lost and not self._is_ending:
                with self._lock:
                    (_, _, came, turns, work), is_long = self._next()
                    work.sign_at = time.monotonic()
                    self._running[me] = work
                    if is_long and not work.is_elsewhere:
                        self._on_long.add(me)
                is_more = work()
                with self._lock:
                    self._running[me] = None
                    self._on_long.discard(me)
                    if is_more:
                        self._put(turns + 1, came, work, is_long=is_long)
                    elif is_long:
                        self._has_changed.notify_all()
                del work  # or it would keep its session until the next one comes
        finally:
            with self._lock:
                del self._running[me]
                self._on_long.discard(me)
                self._lost.discard(me)

    def _watch(self) -> None:
        while True:
            time.sleep(CHECK_SECONDS)
            with self._lock:
                running = list(self._running.items())
                elsewhere = [entry[-1] for _, entry, _ in self._elsewhere]
            for work in elsewhere:
                work.check()
            for thread, work in running:
                if work is not None and thread not in self._lost:
                    work.check()
                    self._replace_if_lost(thread, work)

    def _replace_if_lost(self, thread: threading.Thread, work: Work) -> None:
        silent = time.monotonic() - work.sign_at
        with self._lock:
            if work.is_stale and silent > self._patience and thread in self._running:
                self._lost.add(thread)
                self._start_thread()
                self._has_changed.notify_all()
