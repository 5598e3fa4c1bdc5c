"""Exact marginals by eliminating one node at a time, and the choice of an engine."""

from __future__ import annotations

import heapq
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.sparse.csgraph import minimum_spanning_tree

from ..errors import DataError
from .belief_propagation import TOLERANCE, sum_product
from .forests import peel
from .pairwise import Beliefs, PairwiseModel, log_sums

# Exact marginals, log Z and best labellings by eliminating one node at a time.
#
# The work grows with the largest table, L to the power of the width: a forest, which
# two passes solve at any size, has width 1, a growth graph with 300 nodes and a quarter
# of extra links 10 to 12.


MAX_ENTRIES = 2**20  # 8 MB a table; there is one table a node


def eliminate(n_nodes: int, edges: NDArray[np.intp]) -> dict[int, tuple[int, ...]]:
    """Return what each node's table speaks of, nodes in a min-fill elimination order.

    That is the node itself, then its separator: later nodes, in the order in which they
    go. The first of them is the one that its message goes to.

    Shapes: `edges` (E, 2).

    Notes
    -----
    Each step takes the node whose going adds fewest links between its neighbours;
    only nodes near a change are counted anew.
    """
    neighbours: list[set[int]] = [set() for _ in range(n_nodes)]
    for i, j in edges.tolist():
        neighbours[i].add(j)
        neighbours[j].add(i)
    fill = [_fill(neighbours, node) for node in range(n_nodes)]
    queue = [(fill[node], node) for node in range(n_nodes)]
    heapq.heapify(queue)
    gone: dict[int, frozenset[int]] = {}
    while queue:
        added, node = heapq.heappop(queue)
        if node in gone or added != fill[node]:
            continue  # an entry that a later one has replaced
        gone[node] = frozenset(neighbours[node])
        for changed in _remove(neighbours, node):
            fill[changed] = _fill(neighbours, changed)
            heapq.heappush(queue, (fill[changed], changed))
    place = {node: index for index, node in enumerate(gone)}
    return {
        node: (node, *sorted(rest, key=place.__getitem__))
        for node, rest in gone.items()
    }


def exact_marginals(model: PairwiseModel) -> Beliefs:
    """Return exact marginals and log Z of a Markov network of small width.

    Parameters
    ----------
    model : PairwiseModel
        The scores.

    Returns
    -------
    Beliefs

    Raises
    ------
    DataError
        If a table would have more than 2**20 entries.
    """
    forest = peel(model.n_nodes, model.edges)
    if forest is not None:
        return forest.marginals(model)
    tree = _Tree.of(model)
    messages, log_partition = tree.send_up(log_sums)
    joints: dict[int, NDArray[np.float64]] = {}
    for node in reversed(tree.scopes):
        # log p(node, separator) = own table + what the rest says of the separator.
        joints[node] = tree.tables[node] + tree.from_parent(node, joints, messages)
    return Beliefs(
        np.stack([tree.marginal(joints[v], v, (v,)) for v in range(model.n_nodes)]),
        tree.edge_marginals(model, joints),
        log_partition,
    )


def exact_maximum(model: PairwiseModel) -> NDArray[np.intp]:
    """Return a labelling of largest total, by elimination.

    Parameters
    ----------
    model : PairwiseModel
        The scores, of a graph of small width.

    Returns
    -------
    ndarray of int, shape (n,)

    Raises
    ------
    DataError
        If a table would have more than 2**20 entries.
    """
    forest = peel(model.n_nodes, model.edges)
    if forest is not None:
        return forest.maximum(model)
    tree = _Tree.of(model)
    tree.send_up(np.max)
    labels = np.zeros(model.n_nodes, dtype=np.intp)
    for node in reversed(tree.scopes):
        # Later nodes are decided: the best label given theirs.
        fixed = tuple(labels[list(tree.scopes[node][1:])])
        labels[node] = np.argmax(tree.tables[node][(slice(None), *fixed)])
    return labels


@dataclass(eq=False)
class _Tree:
    """A table for each node, over itself and its separator, and where they connect."""

    scopes: dict[int, tuple[int, ...]]  # in the order of elimination
    tables: dict[int, NDArray[np.float64]]

    @classmethod
    def of(cls, model: PairwiseModel) -> _Tree:
        scopes = eliminate(model.n_nodes, model.edges)
        entries = float(model.n_labels) ** max(map(len, scopes.values()))
        if entries > MAX_ENTRIES:
            raise DataError(
                f"Exact inference needs tables of {entries:.3g} entries here, and "
                f"{MAX_ENTRIES} are allowed; use belief propagation."
            )
        tables = {
            node: np.zeros((model.n_labels,) * len(scope))
            for node, scope in scopes.items()
        }
        tree = cls(scopes, tables)
        tree._add_scores(model)
        return tree

    def _add_scores(self, model: PairwiseModel) -> None:
        for node, scores in enumerate(model.node_tables):
            self.tables[node] += self._spread(scores, (node,), node)
        for (i, j), scores in zip(model.edges.tolist(), model.edge_tables, strict=True):
            # The end that goes first has the other in its scope.
            if j in self.scopes[i]:
                self.tables[i] += self._spread(scores, (i, j), i)
            else:
                self.tables[j] += self._spread(scores.T, (j, i), j)

    def _spread(
        self, values: NDArray[np.float64], scope: tuple[int, ...], node: int
    ) -> NDArray[np.float64]:
        """Return values over a part of a node's scope, ready to be added."""
        sizes = dict(zip(scope, values.shape, strict=True))
        return values.reshape([sizes.get(other, 1) for other in self.scopes[node]])

    def send_up(
        self, reduce: Callable[..., NDArray[np.float64]]
    ) -> tuple[dict[int, NDArray[np.float64]], float]:
        """Return each node's message, and the sum of what the last ones say."""
        messages, total = {}, 0.0
        for node in self.scopes:
            messages[node] = reduce(self.tables[node], axis=0)
            separator = self.scopes[node][1:]
            if not separator:
                total += float(messages[node])
                continue
            parent = separator[0]
            self.tables[parent] += self._spread(messages[node], separator, parent)
        return messages, total

    def from_parent(
        self,
        node: int,
        joints: dict[int, NDArray[np.float64]],
        messages: dict[int, NDArray[np.float64]],
    ) -> NDArray[np.float64] | float:
        """Return what the rest of the graph says of a node's separator."""
        separator = self.scopes[node][1:]
        if not separator:
            return 0.0
        parent = separator[0]
        # The parent's joint holds the node's own message already: divide it out.
        return self._log_marginal(joints[parent], parent, separator) - messages[node]

    def marginal(
        self, joint: NDArray[np.float64], node: int, kept: tuple[int, ...]
    ) -> NDArray[np.float64]:
        """Return probabilities of some nodes of a scope, in the order of the scope."""
        logs = self._log_marginal(joint, node, kept)
        return np.exp(logs - log_sums(logs))

    def _log_marginal(
        self, joint: NDArray[np.float64], node: int, kept: tuple[int, ...]
    ) -> NDArray[np.float64]:
        scope = self.scopes[node]
        dropped = tuple(axis for axis, v in enumerate(scope) if v not in kept)
        return log_sums(joint, axis=dropped) if dropped else joint

    def edge_marginals(
        self, model: PairwiseModel, joints: dict[int, NDArray[np.float64]]
    ) -> NDArray[np.float64]:
        """Return the marginals of all edges, shape (E, L, L)."""
        marginals = np.empty(model.edge_tables.shape)
        for edge, (i, j) in enumerate(model.edges.tolist()):
            if j in self.scopes[i]:
                marginals[edge] = self.marginal(joints[i], i, (i, j))
            else:
                marginals[edge] = self.marginal(joints[j], j, (j, i)).T
        return marginals


def _fill(neighbours: list[set[int]], node: int) -> int:
    """Return twice the number of links missing between a node's neighbours."""
    around = neighbours[node]
    return sum(len(around) - 1 - len(neighbours[other] & around) for other in around)


def _remove(neighbours: list[set[int]], node: int) -> set[int]:
    """Link a node's neighbours, take it out, and return the nodes it changed."""
    around = neighbours[node]
    changed = set(around)
    for other in around:
        missing = around - neighbours[other] - {other}
        neighbours[other] |= missing
        neighbours[other].discard(node)
        if missing:
            changed |= neighbours[other]
    return changed


# How marginals are computed: the choices that training and prediction share.


PATIENT_ITERATIONS = 2000
MIN_TREES = 10

Engine: TypeAlias = Callable[[PairwiseModel], Beliefs]
EngineKind: TypeAlias = Literal["cold", "warm", "tree-reweighted", "exact"]


def make_engine(
    kind: EngineKind,
    n_nodes: int,
    edges: NDArray[np.intp],
    tolerance: float = TOLERANCE,
) -> Engine:
    """Return what turns scores on one graph into marginals; exactly, on forests.

    Shapes: `edges` (E, 2).
    `kind`: "cold": belief propagation from uniform messages; "warm": going on from the
    messages of the call before, as in 2006; "tree-reweighted": with edges weighed by
    their share of spanning trees; "exact": elimination, for graphs of small width.
    """
    forest = peel(n_nodes, edges)
    if forest is not None:
        return forest.marginals
    if kind == "exact":
        return exact_marginals
    if kind == "warm":
        return _with_carried_messages(tolerance)
    if kind == "tree-reweighted":
        shares = edge_appearance(n_nodes, edges)
        # Its one fixed point is always reached, but late where links are strong.
        return partial(
            sum_product,
            appearance=shares,
            tolerance=tolerance,
            max_iterations=PATIENT_ITERATIONS,
        )
    return partial(sum_product, tolerance=tolerance)


def _with_carried_messages(tolerance: float) -> Engine:
    """Return belief propagation that goes on from where its last call ended."""
    messages: NDArray[np.float64] | None = None

    def engine(model: PairwiseModel) -> Beliefs:
        nonlocal messages
        beliefs = sum_product(model, start=messages, tolerance=tolerance)
        messages = beliefs.messages
        return beliefs

    return engine


def edge_appearance(n_nodes: int, edges: NDArray[np.intp]) -> NDArray[np.float64]:
    """Return in which share of a set of spanning trees each edge is.

    Trees are drawn until every edge is in one, each tree preferring the edges that
    were used least. So the shares lie in the spanning-tree polytope, inside it for
    every edge, and are 1 for bridges.

    Shapes: `edges` (E, 2) -> (E,).
    """
    rng = np.random.default_rng(0)
    uses = np.zeros(len(edges))
    trees = 0
    while len(edges) and (trees < MIN_TREES or not uses.all()):
        # Averages of trees' indicators make up the spanning-tree polytope.
        uses[_least_used_tree(n_nodes, edges, uses + rng.random(len(edges)))] += 1
        trees += 1
    return uses / max(trees, 1)


def _least_used_tree(
    n_nodes: int, edges: NDArray[np.intp], preference: NDArray[np.float64]
) -> NDArray[np.intp]:
    """Return the edges of the spanning forest of smallest total preference."""
    low, high = edges.min(axis=1), edges.max(axis=1)
    # A stored zero would be no edge at all.
    shape = (n_nodes, n_nodes)
    weights = sparse.csr_array((1.0 + preference, (low, high)), shape=shape)
    tree = minimum_spanning_tree(weights).tocoo()
    order = np.argsort(low * n_nodes + high)
    # An edge by one number: the tree comes back as pairs of nodes, in scipy's order.
    keys = (low * n_nodes + high)[order]
    return order[np.searchsorted(keys, tree.coords[0] * n_nodes + tree.coords[1])]
