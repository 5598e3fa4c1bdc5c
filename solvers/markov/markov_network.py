"""MN: a conditional Markov network, then the labels of smallest expected cost."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Literal, TypeAlias, get_args

from .checks import check_choice
from .classifier import Labelling
from .decoding import minimise_energy
from .engines import EngineKind, make_engine
from .expected_cost import expected_costs
from .graph import CostGraph
from .health import NetworkClassifier
from .losses import Loss, likelihood_loss, pseudolikelihood_loss
from .pairwise import Beliefs, linear_scores
from .training import FittedWeights

Training: TypeAlias = Literal[
    "cold", "warm", "tree-reweighted", "pseudo-likelihood", "exact"
]


@dataclass(eq=False)
class MarkovNetworkClassifier(NetworkClassifier):
    """Markov network on attributes and links, then least expected cost (MN in [1]_).

    Parameters
    ----------
    training : str, default="cold"
        How marginals are computed in training and prediction. "cold": belief
        propagation from uniform messages each time; "warm": in training each
        evaluation goes on from the messages of the last, as in 2006, and can stick
        where all nodes share a label; "tree-reweighted": belief propagation with a
        bound on log Z from above; "pseudo-likelihood": trained on each label given its
        neighbours', cold in prediction; "exact": by elimination, for graphs of small
        width.
    alpha : float, default=10.0
        λ in [1]_: weight of the squared weights, against the sum of the losses.
    symmetric : bool, default=True
        Whether a pair of labels weighs the same in both orders.
    tolerance : float, default=1e-2
        Largest component of the gradient at which training stops.

    Attributes
    ----------
    nats_above_cold_ : float or None
        How far the trained objective lies above that of cold messages; only known for
        "cold" (0) and "warm".

    References
    ----------
    .. [1] Sen and Getoor (2006), section 4.
    """

    training: Training = "cold"
    alpha: float | None = 10.0
    symmetric: bool = True
    tolerance: float = 1e-2

    title: ClassVar[str] = "MN"

    def decide(self, graph: CostGraph) -> Labelling:
        """Label a graph by least expected cost."""
        beliefs = self.marginals(graph)
        energies = expected_costs(graph, beliefs.node, beliefs.edge)
        return Labelling(minimise_energy(energies), energies, beliefs)

    def marginals(self, graph: CostGraph) -> Beliefs:
        """Return the probability of each label and of each pair of labels.

        Parameters
        ----------
        graph : CostGraph
            With attributes and edges like those learned from.

        Returns
        -------
        Beliefs
        """
        graph = self._check_graph(graph)
        engine = make_engine(self._engine_kind("cold"), graph.n_nodes, graph.edges)
        return engine(linear_scores(graph, self.node_weights_, self.edge_weights_))

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_choice("training", self.training, get_args(Training))

    def _engine_kind(self, otherwise: EngineKind) -> EngineKind:
        """Return the engine; messages are carried over in training only."""
        if self.training in ("tree-reweighted", "exact"):
            return self.training
        return otherwise

    def _loss(self, graph: CostGraph, message_tolerance: float) -> Loss:
        if self.training == "pseudo-likelihood":
            return pseudolikelihood_loss(graph)
        # The first call of an engine that carries messages over is a cold one.
        carried: EngineKind = "warm" if self.training == "warm" else "cold"
        engine = make_engine(
            self._engine_kind(carried), graph.n_nodes, graph.edges, message_tolerance
        )
        return likelihood_loss(graph, engine)

    def _train(self, union: CostGraph) -> FittedWeights:
        fitted = super()._train(union)
        self.nats_above_cold_ = 0.0 if self.training == "cold" else None
        if self.training == "warm":
            cold = replace(self, training="cold")._train(union)
            self.nats_above_cold_ = fitted.objective - cold.objective
        return fitted
