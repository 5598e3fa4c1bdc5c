"""Exact marginals and best labellings of forests, of any size, in two passes.

Leaves are summed out round by round, all of a round at once, and then answered for in
the reverse order: work and memory grow with the number of nodes only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from .pairwise import Beliefs, PairwiseModel, log_sums

Floats: TypeAlias = NDArray[np.float64]
Indices: TypeAlias = NDArray[np.intp]
Reduce: TypeAlias = Callable[[Floats], Floats]


@dataclass(frozen=True, eq=False)
class LeafLayer:
    """Leaves that go at once, what each hangs on, and the edge between the two."""

    leaves: Indices
    parents: Indices
    edges: Indices
    forward: NDArray[np.bool_]  # whether the leaf is the first end of its edge


@dataclass(frozen=True, eq=False)
class Peeling:
    """A forest as rounds of leaves; what is left in the end are its roots."""

    rounds: tuple[LeafLayer, ...]
    roots: Indices

    def marginals(self, model: PairwiseModel) -> Beliefs:
        """Return exact marginals and log Z of a Markov network on this forest."""
        below, tables, messages = self._send_up(model, partial(log_sums, axis=1))
        nodes, edges = np.empty_like(below), np.empty(model.edge_tables.shape)
        sums = log_sums(below[self.roots], axis=1)
        nodes[self.roots] = np.exp(below[self.roots] - sums[:, None])
        rounds = zip(self.rounds, tables, messages, strict=True)
        for here, table, message in reversed(list(rounds)):
            # q(leaf, parent) = q(leaf | parent) q(parent)
            joint = np.exp(table - message[:, None, :]) * nodes[here.parents][:, None]
            nodes[here.leaves] = joint.sum(axis=2)
            edges[here.edges] = _turned(joint, here.forward)
        return Beliefs(nodes, edges, float(sums.sum()))

    def maximum(self, model: PairwiseModel) -> Indices:
        """Return a labelling of largest total on this forest."""
        below, tables, _ = self._send_up(model, partial(np.max, axis=1))
        labels = np.zeros(model.n_nodes, dtype=np.intp)
        labels[self.roots] = np.argmax(below[self.roots], axis=1)
        for here, table in zip(reversed(self.rounds), reversed(tables), strict=True):
            given = table[np.arange(len(table)), :, labels[here.parents]]
            labels[here.leaves] = np.argmax(given, axis=1)
        return labels

    def _send_up(
        self, model: PairwiseModel, reduce: Reduce
    ) -> tuple[Floats, list[Floats], list[Floats]]:
        """Return what the nodes below say of each node, and each round's working.

        A round's tables are (k, label of leaf, label of parent), its messages
        (k, label of parent).
        """
        below = np.array(model.node_tables, dtype=float)
        tables, messages = [], []
        for here in self.rounds:
            table = _turned(model.edge_tables[here.edges], here.forward)
            tables.append(table + below[here.leaves][:, :, None])
            messages.append(reduce(tables[-1]))
            np.add.at(below, here.parents, messages[-1])
        return below, tables, messages


def peel(n_nodes: int, edges: Indices) -> Peeling | None:
    """Return a graph's rounds of leaves; None if it has a cycle."""
    if len(edges) >= max(n_nodes, 1):
        return None
    return _peel(n_nodes, np.asarray(edges, dtype=np.intp).tobytes())


@lru_cache(maxsize=8)  # inference asks for the same graph at every step
def _peel(n_nodes: int, ends: bytes) -> Peeling | None:
    edges = np.frombuffer(ends, dtype=np.intp).reshape(-1, 2)
    rounds = tuple(_rounds(n_nodes, edges))
    if sum(len(here.leaves) for here in rounds) < len(edges):
        return None
    is_root = np.ones(n_nodes, dtype=bool)
    for here in rounds:
        is_root[here.leaves] = False
    return Peeling(rounds, np.flatnonzero(is_root))


def is_forest(n_nodes: int, edges: Indices) -> bool:
    """Return whether a graph has no cycle, so that two passes are exact."""
    return peel(n_nodes, edges) is not None


def _rounds(n_nodes: int, edges: Indices) -> Iterator[LeafLayer]:
    degrees = np.bincount(edges.ravel(), minlength=n_nodes)
    # The exclusive or of the edges at a node: at a leaf, the one edge that is left.
    last = np.zeros(n_nodes, dtype=np.intp)
    np.bitwise_xor.at(last, edges.ravel(), np.repeat(np.arange(len(edges)), 2))
    # Repeat: leaves go, their parents lose a link; on a cycle every degree stays at 2.
    leaves = np.flatnonzero(degrees == 1)
    while leaves.size:
        touched = edges[last[leaves]]
        forward = touched[:, 0] == leaves
        parents = np.where(forward, touched[:, 1], touched[:, 0])
        # Of two leaves that hang on each other one stays.
        going = (degrees[parents] > 1) | (leaves < parents)
        here = LeafLayer(
            leaves[going], parents[going], last[leaves[going]], forward[going]
        )
        yield here
        degrees[here.leaves] = 0
        np.subtract.at(degrees, here.parents, 1)
        np.bitwise_xor.at(last, here.parents, here.edges)
        leaves = np.unique(here.parents[degrees[here.parents] == 1])


def _turned(tables: Floats, forward: NDArray[np.bool_]) -> Floats:
    """Return tables with both labels swapped where the leaf is the second end."""
    return np.where(forward[:, None, None], tables, tables.swapaxes(1, 2))
