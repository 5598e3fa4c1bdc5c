"""Cost-sensitive inference in two alternating steps, with bounds on how good it is.

Step 1 finds q, the marginals of the loss-scaled network for the labels at hand; step
2 the labels of smallest expected score under q. Each q bounds the smallest objective
from below, and each labelling from above; the steps themselves need not descend, and
mostly end in a cycle of two.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from .decoding import Decoded
from .engines import Engine
from .expected_cost import expected_scores, loss_scaled_scores, losses_against
from .pairwise import Beliefs, PairwiseModel

# Bounds that differ by less are taken to meet; messages rest at 1e-8.
MEETING = 1e-6


@dataclass(frozen=True, eq=False)
class InferenceStep:
    """One labelling, and what step 2 says should come next."""

    index: int  #: From 0
    labels: NDArray[np.intp]  #: (n,) The labelling y of this step
    objective: float  #: G(y), eq. (5): no labelling's is smaller than the smallest.
    lower_bound: float  #: No labelling's objective is below this, for exact inference
    beliefs: Beliefs  #: Marginals and log Z of the loss-scaled network for `labels`
    energies: PairwiseModel  #: What step 2 minimises
    proposal: NDArray[np.intp]  #: (n,) Where step 2 ends: the next labelling
    seen_at: int | None  #: The step that had `proposal` already
    #: Whether q is the mean over the steps from the start of the cycle on
    averaged: bool = False
    #: Whether all that `lower_bound` rests on has converged: messages, those of every
    #: step that q is a mean of, and step 2
    settled: bool = True


@dataclass(frozen=True, eq=False)
class InferenceTrace:
    """All steps of one inference, and what they prove."""

    steps: tuple[InferenceStep, ...]  #: In order
    #: Whether both steps were exact, so that bounds are proofs; otherwise they hold for
    #: the Bethe objective, as far as step 2 found its minimum
    exact: bool

    @property
    def best(self) -> InferenceStep:
        """The step of smallest objective."""
        return min(self.steps, key=lambda step: step.objective)

    @property
    def labels(self) -> NDArray[np.intp]:
        """The visited labelling of smallest objective: what is predicted."""
        return self.best.labels

    @property
    def objective(self) -> float:
        """Smallest objective seen: an upper bound on the smallest there is."""
        return self.best.objective

    @property
    def lower_bound(self) -> float:
        """Largest lower bound on the smallest objective there is.

        Of the steps that settled; without one it is 0, since y' = y alone adds exp(0)
        to Z.
        """
        bounds = [step.lower_bound for step in self.steps if step.settled]
        return max(bounds, default=0.0)

    @property
    def gap(self) -> float:
        """Upper less lower bound, in nats; never below 0."""
        return max(0.0, self.objective - self.lower_bound)

    @property
    def period(self) -> int | None:
        """Length of the cycle that the steps ran into; 1 is a fixed point."""
        for step in self.steps:
            if step.seen_at is not None and not step.averaged:
                return step.index - step.seen_at + 1
        return None

    @property
    def certificate(self) -> Literal["exact", "bethe", "none"]:
        """What is known of the labels.

        "exact": no labelling has a smaller objective; "bethe": none has, as far as
        belief propagation and decoding can tell; "none": the bounds do not meet, or
        messages did not rest.
        """
        if not self.best.beliefs.converged:
            return "none"
        if self.gap > MEETING * max(1.0, abs(self.objective)):
            return "none"
        return "exact" if self.exact else "bethe"


def alternate(
    scores: PairwiseModel,
    losses: tuple[NDArray[np.float64], NDArray[np.float64]],
    engine: Engine,
    minimise: Callable[[PairwiseModel], Decoded],
    *,
    max_steps: int,
    average: bool,
) -> Iterator[InferenceStep]:
    """Yield the steps of cost-sensitive inference, eqs. (5) to (8) of [1]_.

    `losses`: losses of the nodes and edges, indexed predicted, then true.
    `minimise`: step 2: gives labels of smallest energy, and whether it settled.
    `max_steps`: where to stop at the latest.
    `average`: whether to go on, once labels come back, with the mean of all q since
    they were first there: that tightens the bounds. Otherwise they end it.

    Notes
    -----
    The paper alternates "until the objective stabilises", which it need not do: step 1
    maximises and step 2 minimises.

    For every q, G(y) >= E_q + H(q) at every y. So it is above the mean of several such
    bounds too, the energies of the mean q plus the mean of the entropies; the Bethe
    entropy of the mean q can be larger than its entropy, and would prove nothing.

    References
    ----------
    .. [1] Sen and Getoor (2006), section 5.2.
    """
    # The paper names no start; from here, MAP labels or chance it ends alike.
    labels = np.argmax(scores.node_tables, axis=1)
    visited: dict[bytes, int] = {}
    bounds: list[_Bound] = []
    first_averaged: int | None = None
    for index in range(max_steps):
        visited.setdefault(labels.tobytes(), index)
        against = losses_against(*losses, scores.edges, labels)
        beliefs = engine(loss_scaled_scores(scores, *against, labels))
        single = expected_scores(scores, *losses, beliefs.node, beliefs.edge)
        # H(q) = log Z - E_q[score]: eq. (6) holds with equality at its own q.
        entropy = beliefs.log_partition - single.total(labels)
        bounds.append(_Bound(single, entropy, beliefs.converged))
        averaging = first_averaged is not None
        bound = _mean(bounds[first_averaged:]) if averaging else bounds[-1]
        proposal, found = minimise(bound.energies)
        seen_at = visited.get(proposal.tobytes())
        yield InferenceStep(
            index,
            labels,
            beliefs.log_partition,
            # Eq. (6): G(y) >= E_q(y) + H(q), whose minimum over y is step 2's.
            bound.energies.total(proposal) + bound.entropy,
            beliefs,
            bound.energies,
            proposal,
            seen_at,
            averaging,
            bound.converged and found,
        )
        if seen_at is not None and not averaging:
            if not average or seen_at == index:  # at a fixed point the bounds meet
                return
            first_averaged = seen_at
        labels = proposal


@dataclass(frozen=True, eq=False)
class _Bound:
    """E_q as energies of a labelling, and H(q): together below G everywhere."""

    energies: PairwiseModel
    entropy: float
    converged: bool


def _mean(bounds: list[_Bound]) -> _Bound:
    """Return the mean of several bounds, which is one too."""
    models = [bound.energies for bound in bounds]
    return _Bound(
        PairwiseModel(
            np.mean([model.node_tables for model in models], axis=0),
            models[0].edges,
            np.mean([model.edge_tables for model in models], axis=0),
        ),
        float(np.mean([bound.entropy for bound in bounds])),
        all(bound.converged for bound in bounds),
    )
