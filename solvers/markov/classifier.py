"""What every classifier of graphs can do, and whether its labelling can be trusted."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..checks import check_number, finite_numbers
from ..errors import DataError, ThriftscopeError
from .belief_propagation import TOLERANCE
from .graph import CostGraph, disjoint_union
from .losses import Loss
from .pairwise import Beliefs, PairwiseModel
from .training import FittedWeights, WeightLayout, fit_weights

if TYPE_CHECKING:
    from .two_step import InferenceTrace


@dataclass(frozen=True, eq=False)
class Labelling:
    """A labelling, and what it was decided on."""

    labels: NDArray[np.intp]  #: (n,) What the nodes are called
    #: What the labels minimise in sum: expected costs, or what takes their place
    energies: PairwiseModel | None = None
    beliefs: Beliefs | None = None  #: Marginals that the energies come from
    trace: InferenceTrace | None = None  #: Steps of cost-sensitive inference


class StructuredClassifier(ABC):
    """A classifier that labels all nodes of a graph together."""

    title: ClassVar[str] = ""

    @abstractmethod
    def fit(self, graphs: CostGraph | Iterable[CostGraph]) -> Self:
        """Learn from labelled graphs.

        Parameters
        ----------
        graphs : iterable of CostGraph, or one
            With their true labels.

        Returns
        -------
        self

        Raises
        ------
        ThriftscopeError
            If the graphs differ in kind or lack labels, or a parameter makes no sense.
        """

    @abstractmethod
    def decide(self, graph: CostGraph) -> Labelling:
        """Label a graph and say on what grounds.

        Parameters
        ----------
        graph : CostGraph
            With attributes, edges and costs like those learned from.

        Returns
        -------
        Labelling
        """

    def predict(self, graph: CostGraph) -> NDArray[np.intp]:
        """Return the labels of the nodes.

        Parameters
        ----------
        graph : CostGraph
            With attributes, edges and costs like those learned from.

        Returns
        -------
        ndarray of int, shape (n,)
        """
        return self.decide(graph).labels


class WeightedClassifier(StructuredClassifier):
    """A classifier that scores labels and pairs of labels by weights.

    `node_weights_`: (D, L), of each attribute for each label; `edge_weights_`: (L, L),
    of each pair of labels; `training_`: where training ended; `majority_share_`: the
    largest share of one label in a training graph; both None for given weights.
    """

    alpha: float | None
    tolerance: float
    symmetric: bool = True
    training_: FittedWeights | None
    majority_share_: float | None

    @classmethod
    def from_weights(
        cls,
        node_weights: ArrayLike,
        edge_weights: ArrayLike | None = None,
        **parameters: Any,
    ) -> Self:
        """Return a classifier with given weights instead of learned ones.

        Shapes: `node_weights` (D, L), `edge_weights` (L, L).
        `edge_weights`: weight of each pair of labels, of the first and the second end;
        zero by default.
        """
        nodes = finite_numbers("The node weights", node_weights)
        if nodes.ndim != 2 or nodes.shape[1] < 2:
            raise DataError(
                f"The node weights have shape {nodes.shape}; give (D, L): one row for "
                "each attribute, one column for each of two labels or more."
            )
        n_labels = nodes.shape[1]
        given = np.zeros((n_labels, n_labels)) if edge_weights is None else edge_weights
        edges = finite_numbers("The edge weights", given)
        if edges.shape != (n_labels, n_labels):
            raise DataError(
                f"The edge weights have shape {edges.shape}; give ({n_labels}, "
                f"{n_labels}), one for each pair of labels."
            )
        classifier = cls(**parameters)
        classifier._check_parameters()
        classifier._take(nodes, edges)
        return classifier

    def fit(self, graphs: CostGraph | Iterable[CostGraph]) -> Self:
        """Learn the weights from labelled graphs."""
        self._check_parameters()
        parts = checked_training(graphs)
        fitted = self._train(disjoint_union(parts))
        self._take(fitted.node_weights, fitted.edge_weights)
        self.training_ = fitted
        shares = (np.bincount(part.truth).max() / part.n_nodes for part in parts)
        self.majority_share_ = float(max(shares))
        return self

    def objective(self, graph: CostGraph, labels: ArrayLike | None = None) -> float:
        """Return the loss that training minimises, on a graph, without the prior.

        Shapes: `labels` (n,).
        In nats.
        """
        graph = self._check_graph(graph)
        asked = graph if labels is None else graph.with_labels(labels)
        loss = self._loss(asked, self._rest())
        return loss(self.node_weights_, self.edge_weights_).value

    def gradient(
        self, graph: CostGraph
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the derivatives of the objective by the weights.

        Shape: (D, L), (L, L).
        """
        graph = self._check_graph(graph)
        loss = self._loss(graph, self._rest())
        value = loss(self.node_weights_, self.edge_weights_)
        return value.node_gradient, value.edge_gradient

    @abstractmethod
    def _loss(self, graph: CostGraph, message_tolerance: float) -> Loss:
        """Return what training minimises."""

    def _prior(self, union: CostGraph) -> float:
        """Return λ."""
        return float(self.alpha or 0.0)

    def _rest(self) -> float:
        """Return what messages may still change by: never more than in training."""
        return min(TOLERANCE, self.tolerance / 100)

    def _train(self, union: CostGraph) -> FittedWeights:
        # Messages rest well below the gradient they are to give.
        loss = self._loss(union, self.tolerance / 100)
        layout = WeightLayout(union.n_attributes, union.n_labels, self.symmetric)
        return fit_weights(loss, layout, self._prior(union), self.tolerance)

    def _check_parameters(self) -> None:
        if self.alpha is not None:
            check_number("alpha", self.alpha, 0.0)
        check_number("tolerance", self.tolerance, 1e-10, 10.0)

    def _take(self, nodes: NDArray[np.float64], edges: NDArray[np.float64]) -> None:
        self.node_weights_ = nodes
        self.edge_weights_ = edges
        self.training_ = None
        self.majority_share_ = None

    def _check_graph(self, graph: CostGraph) -> CostGraph:
        if not hasattr(self, "node_weights_"):
            raise ThriftscopeError(
                f"This {type(self).__name__} has no weights yet; call fit, or make it "
                "with from_weights."
            )
        _refuse_other_than_graph(graph)
        known = self.node_weights_.shape
        if (graph.n_attributes, graph.n_labels) != known:
            raise DataError(
                f"The graph has {graph.n_attributes} attributes and {graph.n_labels} "
                f"labels, but the weights are for {known[0]} and {known[1]}; give a "
                "graph of the kind learned from."
            )
        return graph


def checked_training(graphs: CostGraph | Iterable[CostGraph]) -> list[CostGraph]:
    """Return training graphs, after a look at whether they can be learned from."""
    parts = [graphs] if isinstance(graphs, CostGraph) else list(graphs)
    for part in parts:
        _refuse_other_than_graph(part)
    if not parts:
        raise DataError("There is no graph to learn from; give at least one.")
    labels = np.unique(np.concatenate([part.truth for part in parts]))
    if len(labels) < 2:
        raise DataError(
            f"Every node is labelled {labels[0]}; a classifier learns from two labels "
            "or more."
        )
    return parts


def _refuse_other_than_graph(graph: Any) -> None:
    if not isinstance(graph, CostGraph):
        raise DataError(f"{graph!r:.80} is not a CostGraph; make one of it first.")


# A labelling counts as collapsed when one label has so much larger a share than any has
# in a training graph: on grown graphs 0.2 to 0.45, and below 0.1 where all is well.
STUCK_EXCESS = 0.18


@dataclass(frozen=True)
class HealthReport:
    """What to know before trusting a labelling."""

    converged: bool  #: Whether messages came to rest
    iterations: int  #: Rounds of messages
    residual: float  #: Largest change of a message in the last round, in nats
    one_class_share: float  #: Share of the nodes that got the commonest label
    #: The label that far more nodes got than have one label in any training graph
    stuck_at: int | None
    #: How far training ended above a restart with cold messages; None if unknown
    nats_above_cold: float | None
    #: Whether training came to rest; given weights are taken as they are
    trained: bool = True

    @property
    def is_healthy(self) -> bool:
        """Whether nothing is wrong."""
        above = self.nats_above_cold or 0.0
        at_rest = self.trained and self.converged
        return at_rest and self.stuck_at is None and above <= 1.0

    def sentences(self) -> tuple[str, ...]:
        """Return what is wrong, one sentence each; nothing if all is well.

        Returns
        -------
        tuple of str
        """
        said = []
        if not self.trained:
            said.append("Training did not converge: its weights are where it gave up.")
        if not self.converged:
            said.append(
                f"Messages still changed by {self.residual:.2g} nats after "
                f"{self.iterations} rounds."
            )
        if self.stuck_at is not None:
            said.append(
                f"{self.one_class_share:.0%} of the nodes are called {self.stuck_at}, "
                "far more than in training."
            )
        if self.nats_above_cold is not None and self.nats_above_cold > 1.0:
            said.append(
                f"The training objective is {self.nats_above_cold:.0f} nats above a "
                "cold restart."
            )
        return tuple(said)


class NetworkClassifier(WeightedClassifier):
    """A classifier whose decisions rest on inference that may fail."""

    nats_above_cold_: float | None = None

    def health(
        self, graph: CostGraph, decision: Labelling | None = None
    ) -> HealthReport:
        """Return whether inference on a graph can be trusted.

        `decision`: what `decide` said of it, if it was asked already.
        """
        return report_health(
            decision or self.decide(graph),
            graph.n_labels,
            self.majority_share_,
            self.nats_above_cold_,
            self.training_,
        )


def report_health(
    decision: Labelling,
    n_labels: int,
    majority_share: float | None,
    nats_above_cold: float | None = None,
    training: FittedWeights | None = None,
) -> HealthReport:
    """Return the health of a decision.

    `majority_share`: largest share of one label in a training graph; 1 / L if unknown.
    `training`: where training ended; None for given weights.
    """
    counts = np.bincount(decision.labels, minlength=n_labels)
    share = float(counts.max() / counts.sum())
    expected = 1.0 / n_labels if majority_share is None else majority_share
    stuck = share - expected >= STUCK_EXCESS
    beliefs = decision.beliefs
    return HealthReport(
        converged=beliefs is None or beliefs.converged,
        iterations=0 if beliefs is None else beliefs.iterations,
        residual=0.0 if beliefs is None else beliefs.residual,
        one_class_share=share,
        stuck_at=int(counts.argmax()) if stuck else None,
        nats_above_cold=nats_above_cold,
        trained=training is None or training.converged,
    )
