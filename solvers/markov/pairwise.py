"""Tables over nodes and edges: scores to maximise, or energies to minimise."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .graph import CostGraph


@dataclass(frozen=True, eq=False)
class PairwiseModel:
    """A function of a labelling: a sum of node tables and of edge tables.

    Read as scores, it is the log of an unnormalised Markov network.

    Parameters
    ----------
    node_tables : ndarray of float, shape (n, L)
        Value of each label of each node.
    edges : ndarray of int, shape (E, 2)
        Ends of each edge.
    edge_tables : ndarray of float, shape (E, L, L)
        Value of each pair of labels, of the first and the second end.
    """

    node_tables: NDArray[np.float64]
    edges: NDArray[np.intp]
    edge_tables: NDArray[np.float64]

    @property
    def n_nodes(self) -> int:
        """Number of nodes."""
        return int(self.node_tables.shape[0])

    @property
    def n_labels(self) -> int:
        """Number of labels."""
        return int(self.node_tables.shape[1])

    def total(self, labels: NDArray[np.intp]) -> float:
        """Return the value of a labelling.

        Parameters
        ----------
        labels : ndarray of int, shape (n,)
            From 0 to L - 1.

        Returns
        -------
        float
        """
        nodes = pick_nodes(self.node_tables, labels)
        edges = pick_edges(self.edge_tables, self.edges, labels)
        return float(nodes.sum() + edges.sum())

    def negated(self) -> PairwiseModel:
        """Return energies for scores, or scores for energies.

        Returns
        -------
        PairwiseModel
        """
        return PairwiseModel(-self.node_tables, self.edges, -self.edge_tables)


@dataclass(frozen=True, eq=False)
class Beliefs:
    """What inference says of a Markov network."""

    node: NDArray[np.float64]  #: (n, L) Marginal probability of each label
    edge: NDArray[np.float64]  #: (E, L, L) Marginal probability of each pair of labels
    log_partition: float  #: log Z, exact or Bethe, in nats
    converged: bool = True  #: Whether messages came to rest; True for exact inference
    iterations: int = 0  #: Rounds of messages; 0 for exact inference
    residual: float = 0.0  #: Largest change of a message in the last round
    messages: NDArray[np.float64] | None = None  #: The messages, to go on from


def linear_scores(
    graph: CostGraph,
    node_weights: NDArray[np.float64],
    edge_weights: NDArray[np.float64],
) -> PairwiseModel:
    """Return the scores that weights give to labels and to pairs of labels.

    Shapes: `node_weights` (D, L), `edge_weights` (L, L).
    """
    return PairwiseModel(
        graph.attributes @ node_weights,
        graph.edges,
        np.broadcast_to(edge_weights, (graph.n_edges, *edge_weights.shape)),
    )


def pick_nodes(
    tables: NDArray[np.float64], labels: NDArray[np.intp]
) -> NDArray[np.float64]:
    """Return the entry of each node's table at its label.

    Shapes: `tables` (n, L), `labels` (n,) -> (n,).
    """
    return tables[np.arange(len(tables)), labels]


def pick_edges(
    tables: NDArray[np.float64], edges: NDArray[np.intp], labels: NDArray[np.intp]
) -> NDArray[np.float64]:
    """Return the entry of each edge's table at the labels of its ends.

    Shapes: `tables` (E, L, L, ...), `edges` (E, 2), `labels` (n,) -> (E, ...).
    """
    return tables[np.arange(len(edges)), labels[edges[:, 0]], labels[edges[:, 1]]]


def log_sums(
    logs: NDArray[np.float64], axis: int | tuple[int, ...] | None = None
) -> NDArray[np.float64]:
    """Return log sum exp over some axes; scipy's checks take longer than the sum."""
    top = logs.max(axis=axis, keepdims=True)
    sums = np.exp(logs - top).sum(axis=axis, keepdims=True)
    return (np.log(sums) + top).squeeze(axis=axis)
