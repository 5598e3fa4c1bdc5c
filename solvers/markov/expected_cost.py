"""Expected cost of each label: what cost-sensitive decisions minimise."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .graph import CostGraph
from .pairwise import PairwiseModel, pick_edges


def expected_costs(
    graph: CostGraph,
    node_marginals: NDArray[np.float64],
    edge_marginals: NDArray[np.float64] | None,
) -> PairwiseModel:
    """Return what each label, and each pair of labels, is expected to cost.

    Parameters
    ----------
    graph : CostGraph
        With its costs; labels are not looked at.
    node_marginals : ndarray of float, shape (n, L)
        Probability that a label is the true one.
    edge_marginals : ndarray of float, shape (E, L, L), or None
        Probability of each pair of labels; None leaves the edges out.

    Returns
    -------
    PairwiseModel
        Energies; the labelling of the smallest total is the decision.

    References
    ----------
    .. [1] Sen and Getoor (2006), section 4.
    """
    # E_c(p) = sum_t Cost_c(p, t) mu_c(t).
    nodes = np.einsum("ipt,it->ip", graph.node_costs, node_marginals)
    shape = graph.n_edges, graph.n_labels, graph.n_labels
    if edge_marginals is None:
        return PairwiseModel(nodes, graph.edges, np.zeros(shape))
    pairs = graph.n_labels**2
    costs = graph.edge_costs.reshape(-1, pairs, pairs)
    edges = np.einsum("ept,et->ep", costs, edge_marginals.reshape(-1, pairs))
    return PairwiseModel(nodes, graph.edges, edges.reshape(shape))


def clique_losses(
    graph: CostGraph, floor: float = 0.0
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the losses that scale the evidence of each node and edge.

    Shape: `node_losses` (n, L, L), `edge_losses` (E, L, L, L, L).
    `floor`: added for each wrong label. A loss of zero makes a node or an edge speak of
    nothing; a floor keeps its evidence.
    """
    if not floor:
        return graph.node_costs, graph.edge_costs
    wrong = 1.0 - np.eye(graph.n_labels)
    hamming = wrong[:, None, :, None] + wrong[None, :, None, :]
    return graph.node_costs + floor * wrong, graph.edge_costs + floor * hamming


def losses_against(
    node_losses: NDArray[np.float64],
    edge_losses: NDArray[np.float64],
    edges: NDArray[np.intp],
    labels: NDArray[np.intp],
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the losses of every label where given labels play the truth.

    Shapes: `node_losses` (n, L, L), `edge_losses` (E, L, L, L, L), `edges` (E, 2),
    `labels` (n,) -> (n, L), (E, L, L).
    """
    nodes = node_losses[np.arange(len(labels)), :, labels]
    every = np.arange(len(edges))
    return nodes, edge_losses[every, :, :, labels[edges[:, 0]], labels[edges[:, 1]]]


def loss_scaled_scores(
    scores: PairwiseModel,
    node_losses: NDArray[np.float64],
    edge_losses: NDArray[np.float64],
    labels: NDArray[np.intp],
) -> PairwiseModel:
    """Return the network whose log Z is the objective, eq. (2) of [1]_.

    Its tables are ``l_c(y'_c, y_c) [s_c(y'_c) - s_c(y_c)]`` for labels ``y``.

    Shapes: `node_losses` (n, L), `edge_losses` (E, L, L), `labels` (n,).

    References
    ----------
    .. [1] Sen and Getoor (2006).
    """
    nodes = scores.node_tables
    held = nodes[np.arange(len(labels)), labels]
    pairs = pick_edges(scores.edge_tables, scores.edges, labels)
    return PairwiseModel(
        node_losses * (nodes - held[:, None]),
        scores.edges,
        edge_losses * (scores.edge_tables - pairs[:, None, None]),
    )


def expected_scores(
    scores: PairwiseModel,
    node_losses: NDArray[np.float64],
    edge_losses: NDArray[np.float64],
    node_marginals: NDArray[np.float64],
    edge_marginals: NDArray[np.float64],
) -> PairwiseModel:
    """Return the energies that step 2 of inference minimises, eq. (8) of [1]_.

    Shapes: `node_losses` (n, L, L), `edge_losses` (E, L, L, L, L), `node_marginals` (n,
    L), `edge_marginals` (E, L, L).

    References
    ----------
    .. [1] Sen and Getoor (2006).
    """
    n_edges, n_labels = len(scores.edges), scores.n_labels
    pairs = n_labels * n_labels
    nodes = _expected_score(node_marginals, node_losses, scores.node_tables)
    edges = _expected_score(
        edge_marginals.reshape(n_edges, pairs),
        edge_losses.reshape(n_edges, pairs, pairs),
        scores.edge_tables.reshape(n_edges, pairs),
    )
    return PairwiseModel(
        nodes, scores.edges, edges.reshape(n_edges, n_labels, n_labels)
    )


def _expected_score(
    marginals: NDArray[np.float64],
    losses: NDArray[np.float64],
    scores: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Return sum_p q(p) l(p, t) [s(p) - s(t)] for each clique and each t."""
    # Two products instead of one table of differences, (n_cliques, p, t).
    gained = np.einsum("cp,cpt->ct", marginals * scores, losses)
    return gained - scores * np.einsum("cp,cpt->ct", marginals, losses)
