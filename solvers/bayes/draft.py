"""A network as its file lists it, part by part, and no larger than the file can be."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..errors import InterchangeError, shown
from .network import BayesianNetwork

__all__ = ["MAX_PARENTS", "MAX_STATES", "MAX_VARIABLES", "NetworkDraft", "shaped"]

MAX_VARIABLES = 10_000
MAX_STATES = 100_000
MAX_PARENTS = 64
# A file lists a number in two characters at least; default rows may list some more.
MIN_NUMBERS = 1_000_000


class NetworkDraft:
    """Variables and tables of a file of some length, checked as they come."""

    def __init__(self, n_characters: int) -> None:
        self._most = max(n_characters, MIN_NUMBERS)
        self._size = 0
        self.states: dict[str, tuple[str, ...]] = {}
        self._lower: dict[str, str] = {}
        self._parents: dict[str, tuple[str, ...]] = {}
        self._tables: dict[str, NDArray[np.float64]] = {}

    def add_variable(self, name: str, states: Sequence[str]) -> None:
        """Take a variable in, once."""
        if name in self.states:
            raise InterchangeError(
                f"Two variables are called {shown(name)}; rename one."
            )
        if len(self.states) == MAX_VARIABLES:
            raise InterchangeError(
                f"The file lists more than {MAX_VARIABLES:,} variables; list fewer."
            )
        if not states:
            raise InterchangeError(f"{shown(name)} has no states; list one or more.")
        self.states[name] = tuple(states)
        self._lower.setdefault(name.lower(), name)

    def known(self, name: str) -> str:
        """Return the variable of a name, whatever its case, or refuse it."""
        found = name if name in self.states else self._lower.get(name.lower())
        if found is None:
            raise InterchangeError(
                f"A table speaks of {shown(name)}, which is not a variable; list it "
                "with its states before its table."
            )
        return found

    def shape(self, name: str, parents: Sequence[str]) -> tuple[int, ...]:
        """Return the shape of a table, its variable's states last, before it is read.

        Refuses a second one, and one of more numbers than the file can list.
        """
        if name in self._tables:
            raise InterchangeError(f"{shown(name)} has two tables; give it one.")
        if len(parents) > MAX_PARENTS:
            raise InterchangeError(
                f"{shown(name)} has {len(parents)} parents, which makes a table of "
                f"more numbers, more than the file can list; give it {MAX_PARENTS} "
                "at most."
            )
        shape = tuple(len(self.states[of]) for of in (*parents, name))
        size = math.prod(shape)
        self._size += size
        if self._size > self._most:
            raise InterchangeError(
                f"The table of {shown(name)} would have {float(size):.1e} numbers, "
                "more than the file can list; check its parents."
            )
        return shape

    def add_table(
        self, name: str, parents: Sequence[str], table: NDArray[np.float64]
    ) -> None:
        """Take a table in; any that `shape` allowed."""
        self._parents[name] = tuple(parents)
        self._tables[name] = table

    def network(self) -> BayesianNetwork:
        """Return the network, or say what is missing or wrong."""
        if not self.states:
            raise InterchangeError("The file lists no variable; list at least one.")
        return BayesianNetwork(self.states, self._parents, self._tables)


def shaped(
    numbers: NDArray[np.float64], shape: tuple[int, ...], name: str
) -> NDArray[np.float64]:
    """Return the numbers of a table in its shape, if they are as many."""
    if numbers.size != math.prod(shape):
        raise InterchangeError(
            f"The table of {shown(name)} lists {numbers.size:,} numbers, but its "
            f"variables have {math.prod(shape):,} joint states; give one for each."
        )
    return numbers.reshape(shape)
