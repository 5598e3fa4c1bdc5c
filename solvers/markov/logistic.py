"""LOGREG: each node by itself, then the labels of smallest expected cost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from scipy.special import softmax

from .classifier import Labelling, WeightedClassifier
from .decoding import minimise_energy
from .expected_cost import expected_costs
from .graph import CostGraph
from .losses import Loss, node_loss
from .pairwise import Beliefs

# λ per training node: the paper's choice, after Zhang and Oles.
ALPHA_PER_NODE = 1e-4


@dataclass(eq=False)
class NodeLogisticClassifier(WeightedClassifier):
    """Logistic regression on attributes, then least expected cost (LOGREG in [1]_).

    Parameters
    ----------
    edge_aware : bool, default=False
        Whether decisions weigh the costs of edges too, with the ends' probabilities
        multiplied. The paper's does not.
    alpha : float, optional
        λ in [1]_: weight of the squared weights; 1e-4 for each training node by
        default.
    tolerance : float, default=1e-2
        Largest component of the gradient at which training stops.

    References
    ----------
    .. [1] Sen and Getoor (2006), section 6.
    """

    edge_aware: bool = False
    alpha: float | None = None
    tolerance: float = 1e-2

    title: ClassVar[str] = "LOGREG"

    def decide(self, graph: CostGraph) -> Labelling:
        """Label a graph by least expected cost."""
        beliefs = self._beliefs(self._check_graph(graph))
        edges = beliefs.edge if self.edge_aware else None
        energies = expected_costs(graph, beliefs.node, edges)
        if self.edge_aware:
            return Labelling(minimise_energy(energies), energies, beliefs)
        return Labelling(np.argmin(energies.node_tables, axis=1), energies, beliefs)

    def _beliefs(self, graph: CostGraph) -> Beliefs:
        scores = graph.attributes @ self.node_weights_
        nodes = softmax(scores, axis=1)
        i, j = graph.edges.T
        edges = nodes[i][:, :, None] * nodes[j][:, None, :]
        return Beliefs(nodes, edges, float(np.logaddexp.reduce(scores, axis=1).sum()))

    def _loss(self, graph: CostGraph, message_tolerance: float) -> Loss:
        return node_loss(graph)

    def _prior(self, union: CostGraph) -> float:
        return ALPHA_PER_NODE * union.n_nodes if self.alpha is None else self.alpha
