"""What was computed and is kept: by a session, or by all sessions of a process."""

from __future__ import annotations

import threading
from collections.abc import Hashable
from typing import TYPE_CHECKING, Generic, TypeVar

from ..document.recipes import recipe_of

if TYPE_CHECKING:
    from solvers import Dataset, FrontierPoint
    from solvers.evaluation import Split

    from .traces import Trace

__all__ = ["SHARED", "SHARED_SPLITS", "Kept", "Results", "data_key"]

Value = TypeVar("Value")

# A trace takes .4 MB, a single point 5 kB.
SHARED_TRACES, OWN_TRACES = 400, 160
SHARED_MARKS, OWN_MARKS = 4000, 200


class Kept(Generic[Value]):
    """Results by what they are of; beyond a number the least asked for are dropped."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._known: dict[Hashable, Value] = {}
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._known)

    def __contains__(self, key: Hashable) -> bool:
        return key in self._known

    def get(self, key: Hashable) -> Value | None:
        """Return a result, and keep it longer than what nobody asks for.

        None if it is not known.
        """
        with self._lock:
            if key not in self._known:
                return None
            value = self._known[key] = self._known.pop(key)
            return value

    def keep(self, key: Hashable, value: Value) -> None:
        """Keep a result."""
        with self._lock:
            self._known[key] = value
            while len(self._known) > self._most:
                self._known.pop(next(iter(self._known)))

    def clear(self) -> None:
        """Drop all."""
        with self._lock:
            self._known.clear()


class Results:
    """Frontiers and single points that are known.

    Attributes
    ----------
    traces : Kept of Trace
        By data, method, parameters, rule and seed.
    marks : Kept of FrontierPoint
        Likewise, and by λ.
    """

    def __init__(
        self, most_traces: int = OWN_TRACES, most_marks: int = OWN_MARKS
    ) -> None:
        self.traces: Kept[Trace] = Kept(most_traces)
        self.marks: Kept[FrontierPoint] = Kept(most_marks)

    def clear(self) -> None:
        """Drop all."""
        self.traces.clear()
        self.marks.clear()


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
