"""What was computed and is kept: by a session, or by all sessions of a process."""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator, MutableMapping
from typing import TYPE_CHECKING, Any

from cachetools import LRUCache

from ..document.recipes import recipe_of
from .waiting import WAITING

if TYPE_CHECKING:
    from solvers import Dataset, FrontierPoint
    from solvers.frontier.evaluation import Split

    from .traces import Trace

# A trace takes .4 MB, a single point 5 kB.
SHARED_TRACES, OWN_TRACES = 400, 160
SHARED_MARKS, OWN_MARKS = 4000, 200
MOST_CHOICES = 8
# A thread that waits for what another computes is lent to others so often.
WAIT_SECONDS = 0.01


class _Shared(LRUCache):
    """What was asked for last, for all threads: a look-up moves its entry, too."""

    def __init__(self, maxsize: int) -> None:
        super().__init__(maxsize)
        self._lock = threading.RLock()

    def get(self, key: Hashable, default: Any = None) -> Any:
        with self._lock:
            return super().get(key, default)

    def __setitem__(self, key: Hashable, value: Any, *options: Any) -> None:
        with self._lock:
            super().__setitem__(key, value, *options)

    def clear(self) -> None:
        with self._lock:
            super().clear()


class Results:
    """Frontiers, points and choices that are known; the least asked for are dropped."""

    def __init__(
        self, most_traces: int = OWN_TRACES, most_marks: int = OWN_MARKS
    ) -> None:
        # By data, method, parameters, rule and seed.
        self.traces: MutableMapping[Hashable, Trace] = _Shared(most_traces)
        # Likewise, and by λ.
        self.marks: MutableMapping[Hashable, FrontierPoint] = _Shared(most_marks)
        # Features that methods look at, by a bundled table.
        self.choices: MutableMapping[Hashable, Any] = _Shared(MOST_CHOICES)

    def clear(self) -> None:
        """Drop all."""
        self.traces.clear()
        self.marks.clear()
        self.choices.clear()


class SharedRows:
    """Rows that are the same for all: whoever asks first computes them, once."""

    def __init__(self) -> None:
        self._known: dict[Hashable, tuple[Any, ...]] = {}
        self._turns: defaultdict[Hashable, threading.Lock] = defaultdict(threading.Lock)

    def rows(
        self, key: Hashable, compute: Callable[[], Iterator[Any]]
    ) -> Iterator[Any]:
        """Yield the rows; `WAITING` while somebody else computes them.

        Closed before its end, it leaves the work to the next who asks.
        """
        turn = self._turns[key]
        while not turn.acquire(timeout=WAIT_SECONDS):
            yield WAITING
        try:
            if key in self._known:
                yield from self._known[key]
                return
            rows = []
            for row in compute():
                rows.append(row)
                yield row
            self._known[key] = tuple(rows)
        finally:
            turn.release()


# Of data that anybody can open or generate: what one session has computed, all have.
SHARED = Results(SHARED_TRACES, SHARED_MARKS)
# By data and seed: a split keeps the rows of its parts, which nobody changes.
SHARED_SPLITS: dict[tuple[Hashable, int], Split] = {}


def data_key(dataset: Dataset) -> Hashable | None:
    """Return what tells a data set from others that anybody can open or generate.

    None if rows, names or costs are a person's own.
    """
    recipe = recipe_of(dataset, as_priced=True)
    return recipe and (recipe.name, *sorted(recipe.options.items()))
