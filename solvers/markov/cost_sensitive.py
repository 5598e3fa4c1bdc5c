"""CSMN: a Markov network whose evidence is scaled by what mistakes cost."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, Literal, TypeAlias, get_args

from .checks import check_choice, check_count, check_number
from .classifier import Labelling
from .decoding import Decoded, decode
from .engines import exact_maximum, make_engine
from .expected_cost import clique_losses
from .forests import is_forest
from .graph import CostGraph
from .health import NetworkClassifier
from .losses import Loss, cost_sensitive_loss
from .pairwise import PairwiseModel, linear_scores
from .two_step import InferenceStep, InferenceTrace, alternate

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
