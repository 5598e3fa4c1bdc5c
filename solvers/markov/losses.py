"""What training minimises, each as value and gradient by the weights, in nats."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from .engines import Engine
from .expected_cost import clique_losses, loss_scaled_scores, losses_against
from .graph import CostGraph
from .pairwise import Beliefs, linear_scores


class LossValue(NamedTuple):
    """A loss, and its derivatives by the weights.

    Shapes: `node_gradient` (D, L), `edge_gradient` (L, L).
    `value`: in nats.
    """

    value: float
    node_gradient: NDArray[np.float64]
    edge_gradient: NDArray[np.float64]
    beliefs: Beliefs | None = None


Loss: TypeAlias = Callable[[NDArray[np.float64], NDArray[np.float64]], LossValue]


def node_loss(graph: CostGraph) -> Loss:
    """Return minus the log-likelihood of the labels, each node by itself."""
    wanted = _indicators(graph)

    def loss(nodes: NDArray[np.float64], edges: NDArray[np.float64]) -> LossValue:
        value, excess = _softmax_excess(graph.attributes @ nodes, wanted)
        return LossValue(value, graph.attributes.T @ excess, np.zeros_like(edges))

    return loss


def pseudolikelihood_loss(graph: CostGraph) -> Loss:
    """Return minus the log-likelihood of each label given its neighbours'.

    References
    ----------
    .. [1] Besag, "Statistical analysis of non-lattice data", 1975.
    """
    wanted = _indicators(graph)
    i, j = graph.edges.T
    after, before = np.zeros_like(wanted), np.zeros_like(wanted)
    np.add.at(after, i, wanted[j])  # labels at the second ends of a node's edges
    np.add.at(before, j, wanted[i])  # and at the first ends

    def loss(nodes: NDArray[np.float64], edges: NDArray[np.float64]) -> LossValue:
        scores = graph.attributes @ nodes + after @ edges.T + before @ edges
        value, excess = _softmax_excess(scores, wanted)
        # Each edge counts at both ends: given its second end's label, and its first's.
        edge_gradient = excess.T @ after + before.T @ excess
        return LossValue(value, graph.attributes.T @ excess, edge_gradient)

    return loss


def likelihood_loss(graph: CostGraph, engine: Engine) -> Loss:
    """Return minus the log-likelihood of all labels together."""
    labels, wanted = graph.truth, _indicators(graph)
    counts = _pair_sums(graph, np.ones(graph.n_edges))

    def loss(nodes: NDArray[np.float64], edges: NDArray[np.float64]) -> LossValue:
        scores = linear_scores(graph, nodes, edges)
        beliefs = engine(scores)
        return LossValue(
            # -log P(y | x) = log Z - score(y); gradient: expected less observed.
            beliefs.log_partition - scores.total(labels),
            graph.attributes.T @ (beliefs.node - wanted),
            beliefs.edge.sum(axis=0) - counts,
            beliefs,
        )

    return loss


def cost_sensitive_loss(graph: CostGraph, engine: Engine, floor: float = 0.0) -> Loss:
    """Return eq. (2) of [1]_: log Z of the loss-scaled network at the true labels.

    It is convex in the weights, never negative, and n log L at zero weights.

    References
    ----------
    .. [1] Sen and Getoor (2006), eqs. (2) and (4).
    """
    labels = graph.truth
    losses = clique_losses(graph, floor)
    node_losses, edge_losses = losses_against(*losses, graph.edges, labels)
    every = np.arange(graph.n_nodes)

    def loss(nodes: NDArray[np.float64], edges: NDArray[np.float64]) -> LossValue:
        scores = linear_scores(graph, nodes, edges)
        beliefs = engine(loss_scaled_scores(scores, node_losses, edge_losses, labels))
        # eq. (4): q times loss, moved from every label to the true one.
        node_mass = beliefs.node * node_losses
        node_mass[every, labels] -= node_mass.sum(axis=1)
        edge_mass = beliefs.edge * edge_losses
        moved = _pair_sums(graph, edge_mass.sum(axis=(1, 2)))
        return LossValue(
            beliefs.log_partition,
            graph.attributes.T @ node_mass,
            edge_mass.sum(axis=0) - moved,
            beliefs,
        )

    return loss


def _indicators(graph: CostGraph) -> NDArray[np.float64]:
    return np.eye(graph.n_labels)[graph.truth]


def _softmax_excess(
    scores: NDArray[np.float64], wanted: NDArray[np.float64]
) -> tuple[float, NDArray[np.float64]]:
    """Return minus the log-likelihood, and by how much probabilities are off."""
    # log sum exp without overflow: the largest score of a row counts as 0.
    shifted = scores - scores.max(axis=1, keepdims=True)
    chances = np.exp(shifted)
    sums = chances.sum(axis=1, keepdims=True)
    value = float(np.log(sums).sum() - np.sum(shifted * wanted))
    return value, chances / sums - wanted


def _pair_sums(graph: CostGraph, values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return, (L, L), the sum of values over the edges of each pair of true labels."""
    labels, n_labels = graph.truth, graph.n_labels
    pairs = labels[graph.edges[:, 0]] * n_labels + labels[graph.edges[:, 1]]
    sums = np.bincount(pairs, values, n_labels**2).astype(float)
    return sums.reshape(n_labels, n_labels)
