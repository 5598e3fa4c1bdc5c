"""Whether a labelling can be trusted: did all come to rest, is it all one label."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .classifier import Labelling, WeightedClassifier
from .graph import CostGraph
from .training import FittedWeights

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

        Parameters
        ----------
        graph : CostGraph
            The graph.
        decision : Labelling, optional
            What `decide` said of it, if it was asked already.

        Returns
        -------
        HealthReport
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
