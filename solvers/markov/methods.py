"""LOGREG, MN and CSMN of the paper, and what any classifier must be compared with."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import ClassVar, Literal, Self, TypeAlias, get_args

import numpy as np
from scipy.special import softmax

from ..checks import check_choice, check_count, check_number
from ..errors import DataError
from .classifier import (
    Labelling,
    NetworkClassifier,
    StructuredClassifier,
    WeightedClassifier,
)
from .decoding import Decoded, decode, minimise_energy
from .engines import EngineKind, exact_maximum, make_engine
from .expected_cost import clique_losses, expected_costs
from .forests import is_forest
from .graph import CostGraph
from .losses import (
    Loss,
    cost_sensitive_loss,
    likelihood_loss,
    node_loss,
    pseudolikelihood_loss,
)
from .pairwise import Beliefs, PairwiseModel, linear_scores
from .training import FittedWeights
from .two_step import InferenceStep, InferenceTrace, alternate

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


Inference: TypeAlias = Literal["cold", "exact"]


@dataclass(eq=False)
class CostSensitiveMarkovNetwork(NetworkClassifier):
    """Markov network that pays attention to costs in learning and inference [1]_.

    Parameters
    ----------
    cost_sensitive_inference : bool, default=True
        Whether prediction minimises the objective over labels, in two alternating
        steps. If not, it maximises the plain scores of the same weights ("CSMN w/o
        CSINF").
    alpha : float, default=20.0
        λ in [1]_: weight of the squared weights, against the sum of the losses.
    symmetric : bool, default=True
        Whether a pair of labels weighs the same in both orders.
    inference : {"cold", "exact"}, default="cold"
        "cold": belief propagation; "exact": elimination, for graphs of small width.
    max_steps : int, default=10
        Most labellings that prediction looks at.
    average : bool, default=False
        Whether prediction goes on with averaged marginals once labels come back, for
        tighter bounds.
    loss_floor : float, default=0.0
        Added to the costs for each wrong label; keeps the evidence of nodes and edges
        whose mistakes cost nothing.
    tolerance : float, default=1e-2
        Largest component of the gradient at which training stops.

    Notes
    -----
    A binary node without links is called 1 exactly where its score is above that of 0,
    whatever its costs: there they act in training only.

    References
    ----------
    .. [1] Sen and Getoor (2006), section 5.
    """

    cost_sensitive_inference: bool = True
    alpha: float | None = 20.0
    symmetric: bool = True
    inference: Inference = "cold"
    max_steps: int = 10
    average: bool = False
    loss_floor: float = 0.0
    tolerance: float = 1e-2

    title: ClassVar[str] = "CSMN"

    def decide(self, graph: CostGraph) -> Labelling:
        """Label a graph."""
        if not self.cost_sensitive_inference:
            energies = self._scores(self._check_graph(graph)).negated()
            return Labelling(self._minimise(energies).labels, energies)
        trace = self.trace(graph)
        best = trace.best
        return Labelling(best.labels, best.energies, best.beliefs, trace)

    def trace(self, graph: CostGraph) -> InferenceTrace:
        """Return all steps of cost-sensitive inference, with bound and certificate.

        Parameters
        ----------
        graph : CostGraph
            With attributes, edges and costs like those learned from.

        Returns
        -------
        InferenceTrace
        """
        exact = self.inference == "exact" or is_forest(graph.n_nodes, graph.edges)
        return InferenceTrace(tuple(self.steps(graph)), exact)

    def steps(self, graph: CostGraph) -> Iterator[InferenceStep]:
        """Return an iterator over the steps of cost-sensitive inference.

        Input is checked before the iterator is returned.

        Parameters
        ----------
        graph : CostGraph
            With attributes, edges and costs like those learned from.

        Returns
        -------
        iterator of InferenceStep
        """
        graph = self._check_graph(graph)
        return alternate(
            self._scores(graph),
            clique_losses(graph, self.loss_floor),
            make_engine(self.inference, graph.n_nodes, graph.edges),
            self._minimise,
            max_steps=self.max_steps,
            average=self.average,
        )

    def _scores(self, graph: CostGraph) -> PairwiseModel:
        return linear_scores(graph, self.node_weights_, self.edge_weights_)

    def _minimise(self, energies: PairwiseModel) -> Decoded:
        if self.inference == "exact":
            return Decoded(exact_maximum(energies.negated()), True)
        return decode(energies)

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_choice("inference", self.inference, get_args(Inference))
        check_count("max_steps", self.max_steps, 1)
        check_number("loss_floor", self.loss_floor, 0.0)

    def _loss(self, graph: CostGraph, message_tolerance: float) -> Loss:
        engine = make_engine(
            self.inference, graph.n_nodes, graph.edges, message_tolerance
        )
        return cost_sensitive_loss(graph, engine, self.loss_floor)


@dataclass(eq=False)
class ConstantLabelClassifier(StructuredClassifier):
    """Calls every node the same.

    Parameters
    ----------
    label : int, default=0
        What every node is called.
    """

    label: int = 0

    title: ClassVar[str] = "One label"

    def fit(self, graphs: CostGraph | Iterable[CostGraph]) -> Self:
        """Check the label; there is nothing to learn."""
        check_count("label", self.label, 0)
        return self

    def decide(self, graph: CostGraph) -> Labelling:
        """Call every node of a graph the same."""
        if not 0 <= self.label < graph.n_labels:
            raise DataError(
                f"There is no label {self.label}; labels run from 0 to "
                f"{graph.n_labels - 1}."
            )
        return Labelling(np.full(graph.n_nodes, self.label, dtype=np.intp))


@dataclass(eq=False)
class TruthClassifier(StructuredClassifier):
    """Calls every node what it is: the floor of every cost, 0."""

    title: ClassVar[str] = "Truth"

    def fit(self, graphs: CostGraph | Iterable[CostGraph]) -> Self:
        """Do nothing; the truth need not be learned."""
        return self

    def decide(self, graph: CostGraph) -> Labelling:
        """Return the true labels of a graph."""
        return Labelling(graph.truth.copy())
