"""A Bayesian network over discrete variables, as dictionaries by variable name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import networkx as nx
import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..checks import refuse_twins
from ..errors import NetworkError, listed, shown

# Numbers in files are often rounded to six or seven digits, and some to four: these are
# scaled too, with a note.
SUM_TOLERANCE = 1e-6
ROUNDED_TOLERANCE = 1e-3
# Sums this close to 1 are left alone, so that what is written is what is read.
ROUNDING = 1e-14
# 2 ** 28 numbers are 2 GB: the largest table that is ever built.
MAX_TABLE_ENTRIES = 2**28


@dataclass(frozen=True, eq=False)
class BayesianNetwork:
    """Discrete variables, their parents and their probability tables.

    A network is a value: its tables cannot be written to.

    Parameters
    ----------
    states : mapping of str to sequence of str
        Names of the states of each variable, one or more, distinct.
    parents : mapping of str to sequence of str
        Parents of each variable, in order; a variable that is left out has none.
    tables : mapping of str to array_like of float
        Probabilities of each variable's states given its parents', of shape
        (cardinality of each parent in that order, own cardinality). Each sums to one
        along its last axis, to 1e-3, and is scaled so that it does.

    Attributes
    ----------
    notes : tuple of str
        A sentence for each table that was scaled by more than 1e-6.

    Raises
    ------
    NetworkError
        If there is a cycle, a parent that is not a variable, a table that is missing,
        of another shape, negative or does not sum to one, or a name stands twice.

    Examples
    --------
    >>> rain = BayesianNetwork(
    ...     states={"rain": ("no", "yes"), "wet": ("no", "yes")},
    ...     parents={"wet": ("rain",)},
    ...     tables={"rain": [0.8, 0.2], "wet": [[0.9, 0.1], [0.05, 0.95]]},
    ... )
    >>> rain.leaves
    ('wet',)
    """

    states: Mapping[str, tuple[str, ...]]
    parents: Mapping[str, tuple[str, ...]]
    tables: Mapping[str, NDArray[np.float64]]
    notes: tuple[str, ...] = field(default=(), init=False)

    def __post_init__(self) -> None:
        states = {name: _checked_states(name, of) for name, of in self.states.items()}
        self._refuse_strangers()
        parents = {
            name: _checked_parents(name, self.parents.get(name, ()), states)
            for name in states
        }
        _refuse_cycles(parents)
        tables, notes = {}, []
        for name in states:
            shape = tuple(len(states[of]) for of in (*parents[name], name))
            table, worst = _checked_table(name, self.tables[name], shape, states[name])
            tables[name] = table
            if abs(worst - 1) > SUM_TOLERANCE:
                notes.append(
                    f"A row of the table of {shown(name)} summed to {worst:.7g}; its "
                    "rows were scaled to 1."
                )
        object.__setattr__(self, "states", states)
        object.__setattr__(self, "parents", parents)
        object.__setattr__(self, "tables", tables)
        object.__setattr__(self, "notes", tuple(notes))

    def __getstate__(self) -> dict[str, object]:
        """Return what the network is; what was derived is derived again.

        A graph that was asked for its edges refers to itself, which skops cannot write.
        """
        return {
            name: vars(self)[name] for name in ("states", "parents", "tables", "notes")
        }

    def _refuse_strangers(self) -> None:
        if not self.states:
            raise NetworkError("The network has no variable; give at least one.")
        for what, given in (("parents", self.parents), ("a table", self.tables)):
            strange = [name for name in given if name not in self.states]
            if strange:
                raise NetworkError(
                    f"{shown(strange[0])} has {what}, but no states; list the states "
                    "of every variable."
                )
        missing = [name for name in self.states if name not in self.tables]
        if missing:
            raise NetworkError(
                f"{shown(missing[0])} has no probability table; give one for each "
                "variable."
            )

    @cached_property
    def variables(self) -> tuple[str, ...]:
        """Names of the variables, parents before children."""
        place = {name: k for k, name in enumerate(self.states)}
        order = nx.lexicographical_topological_sort(self.graph, place.__getitem__)
        return tuple(order)

    @cached_property
    def graph(self) -> nx.DiGraph:
        """The arrows from parents to children, for drawing; do not change it."""
        graph = nx.DiGraph()
        graph.add_nodes_from(self.states)
        graph.add_edges_from(
            (parent, name) for name, of in self.parents.items() for parent in of
        )
        return graph

    @property
    def leaves(self) -> tuple[str, ...]:
        """Variables that are nobody's parent."""
        return tuple(v for v in self.variables if not self.graph.out_degree(v))

    @property
    def roots(self) -> tuple[str, ...]:
        """Variables without parents."""
        return tuple(v for v in self.variables if not self.parents[v])

    def cardinality(self, name: str) -> int:
        """Return how many states a variable has.

        Parameters
        ----------
        name : str
            The variable.

        Returns
        -------
        int
        """
        return len(self.states[self.known(name)])

    def state_index(self, name: str, state: str) -> int:
        """Return the position of a state among those of a variable.

        Parameters
        ----------
        name, state : str
            The variable and its state.

        Returns
        -------
        int
        """
        states = self.states[self.known(name)]
        if state not in states:
            raise NetworkError(
                f"{shown(name)} has no state {shown(state)}; its states are "
                f"{listed(states)}."
            )
        return states.index(state)

    def known(self, name: str) -> str:
        """Return the name of a variable, or refuse it.

        Parameters
        ----------
        name : str
            Perhaps the name of a variable.

        Returns
        -------
        str

        Raises
        ------
        NetworkError
            If there is no such variable.
        """
        if name not in self.states:
            raise NetworkError(
                f"There is no variable {shown(name)}; the network has "
                f"{listed(list(self.states), 8)}."
            )
        return name

    def __repr__(self) -> str:
        return (
            f"BayesianNetwork({len(self.states)} variables, "
            f"{self.graph.number_of_edges()} arrows)"
        )


def _checked_states(name: str, states: Sequence[str]) -> tuple[str, ...]:
    if not isinstance(name, str) or not name.strip():
        raise NetworkError(
            f"A variable is called {shown(name)}; give it a name that is not empty."
        )
    checked = (states,) if isinstance(states, str) else tuple(str(s) for s in states)
    if not checked:
        raise NetworkError(f"{shown(name)} has no states; give one or more.")
    refuse_twins(checked, f"{shown(name)} has the state", NetworkError)
    return checked


def _checked_parents(
    name: str, parents: Sequence[str], states: Mapping[str, object]
) -> tuple[str, ...]:
    checked = (parents,) if isinstance(parents, str) else tuple(parents)
    for parent in checked:
        if parent not in states:
            raise NetworkError(
                f"{shown(name)} has the parent {shown(parent)}, which is not a "
                "variable; give its states and table, or drop the arrow."
            )
    refuse_twins(checked, f"{shown(name)} has the parent", NetworkError)
    return checked


def _refuse_cycles(parents: Mapping[str, tuple[str, ...]]) -> None:
    graph = nx.DiGraph((of, name) for name in parents for of in parents[name])
    if not nx.is_directed_acyclic_graph(graph):
        loop = [edge[0] for edge in nx.find_cycle(graph)]
        path = " -> ".join(shown(name) for name in [*loop[:6], loop[0]])
        raise NetworkError(
            f"The arrows run in a cycle: {path}; turn or drop one of them."
        )


def _checked_table(
    name: str, table: ArrayLike, shape: tuple[int, ...], states: tuple[str, ...]
) -> tuple[NDArray[np.float64], float]:
    """Return a table whose rows sum to 1, and what the worst of them summed to."""
    try:
        checked = np.array(table, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise NetworkError(
            f"The table of {shown(name)} is not made of numbers; give probabilities "
            f"in an array of shape {shape}."
        ) from error
    if checked.shape != shape:
        raise NetworkError(
            f"The table of {shown(name)} has shape {checked.shape}; with its parents' "
            f"states first and its own last it has shape {shape}."
        )
    wrong = checked[~(np.isfinite(checked) & (checked >= 0))]
    if wrong.size:
        raise NetworkError(
            f"The table of {shown(name)} holds {wrong[0]:g}; a probability is a "
            "number from 0 to 1."
        )
    sums = checked.sum(axis=-1, keepdims=True)
    worst = sums.flat[np.abs(sums - 1).argmax()]
    if abs(worst - 1) > ROUNDED_TOLERANCE:
        raise NetworkError(
            f"The table of {shown(name)} has a row that sums to {worst:.7g}; the "
            f"probabilities of {listed(states)} sum to 1."
        )
    if abs(worst - 1) > ROUNDING:
        checked /= sums
    checked.flags.writeable = False
    return checked, float(worst)
