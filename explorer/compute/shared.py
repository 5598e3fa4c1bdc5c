"""What was computed and is kept: by a session, or by all sessions of a process."""

from __future__ import annotations

import threading
from collections.abc import Hashable, MutableMapping
from typing import TYPE_CHECKING, Any

from cachetools import LRUCache

from ..document.recipes import recipe_of

if TYPE_CHECKING:
    from solvers import Dataset, FrontierPoint
    from solvers.frontier.evaluation import Split

    from .traces import Trace

# A trace takes .4 MB, a single point 5 kB.
SHARED_TRACES, OWN_TRACES = 400, 160
SHARED_MARKS, OWN_MARKS = 4000, 200
MOST_CHOICES = 8
# Of the papers, at two sizes.
MOST_STUDIES = 60


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
        # Figures of papers, by study and size.
        self.studies: MutableMapping[Hashable, Any] = _Shared(MOST_STUDIES)

    def clear(self) -> None:
        """Drop all."""
        self.traces.clear()
        self.marks.clear()
        self.choices.clear()
        self.studies.clear()


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
