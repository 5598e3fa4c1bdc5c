"""Graphs whose nodes and edges both have a price for being labelled wrongly."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..checks import finite_numbers, refuse_uneven_labels
from ..decisions.mistakes import MistakeCosts
from ..errors import DataError

# What a graph checks of its parts before it stores them.


def checked_attributes(values: Any) -> NDArray[np.float64]:
    """Return the attributes of the nodes.

    Shapes: `values` (n, D) -> (n, D).
    """
    attributes = finite_numbers("The attributes", values)
    if attributes.ndim != 2 or 0 in attributes.shape:
        raise DataError(
            f"The attributes have shape {attributes.shape}; give one row for each node "
            "and at least one column."
        )
    return attributes


def checked_node_costs(values: Any, n: int) -> NDArray[np.float64]:
    """Return what mistakes on nodes cost.

    Shapes: `values` (n, L, L), or `MistakeCosts` of every node -> (n, L, L).
    """
    if isinstance(values, MistakeCosts):  # [true, answered], of every node
        values = np.tile(values.costs.T, (n, 1, 1))
    costs = finite_numbers("The node costs", values)
    if costs.ndim != 3 or len(costs) != n or costs.shape[1] != costs.shape[2]:
        raise DataError(
            f"The node costs have shape {costs.shape}; give ({n}, L, L), indexed "
            "[node, predicted, true]."
        )
    if costs.shape[1] < 2:
        raise DataError("The node costs are for 1 label; give two labels or more.")
    _refuse_negative(costs, "node")
    free = np.einsum("ill->il", costs)
    if np.any(free):
        node, label = np.argwhere(free)[0]
        raise DataError(
            f"Node {node} pays {free[node, label]:g} for the right label {label}; a "
            "right label costs 0."
        )
    return costs


def checked_edges(values: Any, n: int) -> NDArray[np.intp]:
    """Return the ends of the edges.

    Shapes: `values` (E, 2) -> (E, 2).
    """
    given = np.array(values)
    if given.size == 0:
        return np.zeros((0, 2), dtype=np.intp)
    if given.ndim != 2 or given.shape[1] != 2 or given.dtype.kind not in "iu":
        raise DataError(
            f"The edges have shape {given.shape} and type {given.dtype}; give whole "
            "numbers, one row of two ends for each edge."
        )
    edges = given.astype(np.intp)
    outside = edges[(edges < 0) | (edges >= n)]
    if outside.size:
        raise DataError(
            f"An edge ends in node {outside[0]}; nodes run from 0 to {n - 1}."
        )
    loops = np.flatnonzero(edges[:, 0] == edges[:, 1])
    if loops.size:
        raise DataError(
            f"Edge {loops[0]} links node {edges[loops[0], 0]} with itself; leave loops "
            "out."
        )
    _refuse_twice(edges, n)
    return edges


def _refuse_twice(edges: NDArray[np.intp], n: int) -> None:
    low, high = edges.min(axis=1), edges.max(axis=1)
    keys = np.sort(low * n + high)
    again = np.flatnonzero(keys[1:] == keys[:-1])
    if again.size:
        pair = divmod(int(keys[again[0]]), n)
        raise DataError(
            f"Nodes {pair[0]} and {pair[1]} are linked twice; store each edge once, "
            "and add up its costs."
        )


def checked_labels(values: Any, n: int, n_labels: int) -> NDArray[np.intp]:
    """Return labels of the nodes.

    Shapes: `values` (n,) -> (n,).
    `values`: from 0 to n_labels - 1.
    """
    given = np.array(values)
    refuse_uneven_labels(given, n, "node")
    whole = given.dtype.kind in "iub" or (
        given.dtype.kind == "f" and np.array_equal(given, np.floor(given))
    )
    if not whole:
        raise DataError(
            f"The labels are {given.dtype}; give whole numbers from 0 to "
            f"{n_labels - 1}."
        )
    labels = given.astype(np.intp)
    outside = labels[(labels < 0) | (labels >= n_labels)]
    if outside.size:
        raise DataError(
            f"A node is labelled {outside[0]}; labels run from 0 to {n_labels - 1}."
        )
    return labels


def checked_edge_costs(
    values: Any, edges: NDArray[np.intp], n_labels: int
) -> NDArray[np.float64]:
    """Return what mistakes on edges cost.

    Shapes: `values` (E, L, L, L, L), `edges` (E, 2) -> (E, L, L, L, L).
    """
    costs = finite_numbers("The edge costs", values)
    wanted = (len(edges), *(n_labels,) * 4)
    if not len(edges) and not costs.size:
        return np.zeros(wanted)
    if costs.shape != wanted:
        raise DataError(
            f"The edge costs have shape {costs.shape}; give {wanted}, indexed [edge, "
            "predicted i, predicted j, true i, true j]."
        )
    _refuse_negative(costs, "edge")
    free = np.einsum("eabab->eab", costs)
    if np.any(free):
        edge, a, b = np.argwhere(free)[0]
        raise DataError(
            f"Edge {edge} pays {free[edge, a, b]:g} for the right labels ({a}, {b}); "
            "right labels cost 0."
        )
    return costs


def _refuse_negative(costs: NDArray[np.float64], what: str) -> None:
    negative = np.argwhere(costs < 0)
    if len(negative):
        value = costs[tuple(negative[0])]
        raise DataError(
            f"A mistake on {what} {negative[0][0]} costs {value:g}; a cost is 0 or "
            "more."
        )


def checked_names(
    names: Sequence[str] | None, n: int, what: str
) -> tuple[str, ...] | None:
    """Return distinct names, or None where there are none."""
    if names is None:
        return None
    checked = tuple(str(name) for name in names)
    if len(checked) != n or len(set(checked)) != n:
        raise DataError(
            f"There are {len(set(checked))} different {what} names for {n} {what}s; "
            f"give every {what} a name of its own."
        )
    return checked


def checked_positions(values: Any, n: int) -> NDArray[np.float64] | None:
    """Return where the nodes lie, or None where that is not known.

    Shapes: `values` (n, 2) -> (n, 2).
    """
    if values is None:
        return None
    positions = finite_numbers("The positions", values)
    if positions.shape != (n, 2):
        raise DataError(
            f"The positions have shape {positions.shape}; give x and y for each of the "
            f"{n} nodes."
        )
    return positions


# Graphs whose nodes and edges both have a price for being labelled wrongly.
#
# >>> import numpy as np
# >>> from solvers.markov import CostGraph, misclassification_cost
# >>> pair = CostGraph(
# ...     attributes=[[1.0], [1.0]],
# ...     edges=[[0, 1]],
# ...     labels=[1, 0],
# ...     node_costs=[[[0, 2], [1, 0]], [[0, 2], [1, 0]]],
# ...     edge_costs=np.zeros((1, 2, 2, 2, 2)),
# ... )
# >>> misclassification_cost(pair, [0, 0])  # node 0 is called 0 where 1 is true
# 2.0


@dataclass(frozen=True, eq=False)
class CostGraph:
    """Labelled nodes, links between them, and what each mistake costs.

    A graph is a value: its arrays are copies that cannot be written to.

    Parameters
    ----------
    attributes : array_like of float, shape (n, D)
        What is observed of each node. No column is added: give a column of ones for a
        bias.
    edges : array_like of int, shape (E, 2)
        Ends of each link, stored once; which end stands first only says how
        `edge_costs` is to be read.
    labels : array_like of int, shape (n,), or None
        True labels, from 0 to L - 1; None where they are not known.
    node_costs : array_like of float, shape (n, L, L), or MistakeCosts
        ``node_costs[i, p, t]`` is paid when node ``i`` is called ``p`` and is ``t``;
        zero where ``p == t``. `MistakeCosts` are those of every node.
    edge_costs : array_like of float, shape (E, L, L, L, L)
        ``edge_costs[e, p_i, p_j, t_i, t_j]`` is paid on edge ``(i, j)`` when its ends
        are called ``p_i, p_j`` and are ``t_i, t_j``; zero where both are right.
    node_names : sequence of str, optional
        Names of the nodes, for people.
    label_names : sequence of str, optional
        Names of the labels, for people.
    positions : array_like of float, shape (n, 2), optional
        Where the nodes lie on a plan.

    Raises
    ------
    DataError
        If shapes disagree, a value is not finite, a cost is negative or is asked for a
        right label, a label or an end does not exist, or an edge is a loop or stands
        twice.
    """

    attributes: NDArray[np.float64]
    edges: NDArray[np.intp]
    labels: NDArray[np.intp] | None
    node_costs: NDArray[np.float64]
    edge_costs: NDArray[np.float64]
    node_names: tuple[str, ...] | None = None
    label_names: tuple[str, ...] | None = None
    positions: NDArray[np.float64] | None = None

    def __post_init__(self) -> None:
        attributes = checked_attributes(self.attributes)
        node_costs = checked_node_costs(self.node_costs, len(attributes))
        n, n_labels = node_costs.shape[:2]
        edges = checked_edges(self.edges, n)
        checked = {
            "attributes": attributes,
            "edges": edges,
            "labels": None
            if self.labels is None
            else checked_labels(self.labels, n, n_labels),
            "node_costs": node_costs,
            "edge_costs": checked_edge_costs(self.edge_costs, edges, n_labels),
            "node_names": checked_names(self.node_names, n, "node"),
            "label_names": checked_names(self.label_names, n_labels, "label"),
            "positions": checked_positions(self.positions, n),
        }
        for field, value in checked.items():
            if isinstance(value, np.ndarray):
                value.flags.writeable = False
            object.__setattr__(self, field, value)  # how a frozen class normalises

    @property
    def n_nodes(self) -> int:
        """Number of nodes."""
        return len(self.attributes)

    @property
    def n_edges(self) -> int:
        """Number of edges."""
        return len(self.edges)

    @property
    def n_labels(self) -> int:
        """Number of labels."""
        return int(self.node_costs.shape[1])

    @property
    def n_attributes(self) -> int:
        """Number of attributes, a bias column included."""
        return int(self.attributes.shape[1])

    @property
    def truth(self) -> NDArray[np.intp]:
        """The true labels; refuses to go on where they are not known."""
        if self.labels is None:
            raise DataError(
                "The graph has no labels; give the true label of each node."
            )
        return self.labels

    def check_labels(self, labels: ArrayLike) -> NDArray[np.intp]:
        """Return labels of the nodes as checked integers.

        Parameters
        ----------
        labels : array_like of int, shape (n,)
            From 0 to L - 1.

        Returns
        -------
        ndarray of int, shape (n,)
        """
        return checked_labels(labels, self.n_nodes, self.n_labels)

    def with_labels(self, labels: ArrayLike | None) -> CostGraph:
        """Return the same graph with other true labels.

        Parameters
        ----------
        labels : array_like of int, shape (n,), or None
            The labels.

        Returns
        -------
        CostGraph
        """
        return replace(self, labels=cast(Any, labels))

    def with_costs(
        self, node_costs: ArrayLike | MistakeCosts, edge_costs: ArrayLike
    ) -> CostGraph:
        """Return the same graph with other prices.

        Parameters
        ----------
        node_costs : array_like of float, shape (n, L, L), or MistakeCosts
            Prices of the nodes.
        edge_costs : array_like of float, shape (E, L, L, L, L)
            Prices of the edges.

        Returns
        -------
        CostGraph
        """
        return replace(
            self, node_costs=cast(Any, node_costs), edge_costs=cast(Any, edge_costs)
        )

    def __repr__(self) -> str:
        return (
            f"CostGraph({self.n_nodes} nodes, {self.n_edges} edges, "
            f"{self.n_labels} labels, {self.n_attributes} attributes)"
        )


def paid_costs(
    graph: CostGraph, labels: ArrayLike
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return what is paid on each node and on each edge.

    Parameters
    ----------
    graph : CostGraph
        With its true labels.
    labels : array_like of int, shape (n,)
        What the nodes are called.

    Returns
    -------
    node_costs : ndarray of float, shape (n,)
    edge_costs : ndarray of float, shape (E,)
    """
    called, true = graph.check_labels(labels), graph.truth
    i, j = graph.edges.T
    nodes = graph.node_costs[np.arange(graph.n_nodes), called, true]
    edges = graph.edge_costs[
        np.arange(graph.n_edges), called[i], called[j], true[i], true[j]
    ]
    return nodes, edges


def misclassification_cost(graph: CostGraph, labels: ArrayLike) -> float:
    """Return what a labelling costs: the sum over nodes and edges.

    Parameters
    ----------
    graph : CostGraph
        With its true labels.
    labels : array_like of int, shape (n,)
        What the nodes are called.

    Returns
    -------
    float
        0 for the true labels.

    Raises
    ------
    DataError
        If the graph has no true labels, or `labels` do not suit it.

    References
    ----------
    .. [1] Sen and Getoor, "Cost-sensitive learning with conditional Markov networks",
       ICML 2006, section 3.
    """
    nodes, edges = paid_costs(graph, labels)
    return float(nodes.sum() + edges.sum())


def disjoint_union(graphs: Iterable[CostGraph]) -> CostGraph:
    """Return several graphs side by side as one; objectives and costs add up.

    Names of nodes and positions are left out.
    """
    parts = list(graphs)
    if not parts:
        raise DataError("There is no graph; give at least one.")
    kinds = {(graph.n_attributes, graph.n_labels) for graph in parts}
    if len(kinds) > 1:
        raise DataError(
            "The graphs have (attributes, labels) of "
            f"{', '.join(str(kind) for kind in sorted(kinds))}; give graphs of one "
            "kind."
        )
    if len(parts) == 1:
        return parts[0]
    offsets = np.cumsum([0, *(graph.n_nodes for graph in parts[:-1])])
    known = all(graph.labels is not None for graph in parts)
    return CostGraph(
        np.concatenate([graph.attributes for graph in parts]),
        np.concatenate([g.edges + k for g, k in zip(parts, offsets, strict=True)]),
        np.concatenate([graph.truth for graph in parts]) if known else None,
        np.concatenate([graph.node_costs for graph in parts]),
        np.concatenate([graph.edge_costs for graph in parts]),
        label_names=parts[0].label_names,
    )
