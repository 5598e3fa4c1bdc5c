"""What a search for trimmings reports: the best so far, and every event on the way."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from .branching import Decision, SearchStep, State
from .classifier import BayesianClassifier
from .cuts import TOLERANCE, ThresholdInterval
from .sampled import SampledDecisions

__all__ = ["SearchEvent", "Trimming", "search_events"]


@dataclass(frozen=True)
class Trimming:
    """A set of features with the threshold that makes it agree most."""

    features: tuple[str, ...]  #: The features that are kept, in the classifier's order
    agreement: float  #: Expected classification agreement with the original
    #: Every threshold in it attains that agreement
    threshold_interval: ThresholdInterval
    cost: float  #: What the features cost
    evaluations: int  #: How many agreements and bounds were computed on the way
    bound: float = 1.0  #: No affordable set agrees more; as far as was proved
    #: Whether the agreement is exact; if not, it is estimated from samples
    exact: bool = True
    standard_error: float = 0.0  #: Of the agreement, 0 where it is exact

    @property
    def gap(self) -> float:
        """How much better another set may be, at most; 0 where this is the best."""
        return max(0.0, self.bound - self.agreement)

    @property
    def threshold(self) -> float:
        """A threshold that attains the agreement, well inside of the interval."""
        return self.threshold_interval.middle


@dataclass(frozen=True)
class SearchEvent:
    """Something that the search did, with all that is needed to draw it."""

    #: "expanded": its children follow; "improved": its features are the best so far
    #: (unless it is a leaf, another event of the same node says what becomes of it);
    #: "bounded": nothing below can be better; "infeasible": `feature` does not fit in
    #: the budget; "leaf": nothing more fits; "finished": the last event, whose node is
    #: the one where the best was found
    state: State
    node: int  #: Number of the node, rising; the root is 0
    #: Number of its parent; None for the root, and for the last event
    parent: int | None
    decision: Decision  #: What the node decides
    feature: str | None  #: About which feature
    depth: int  #: Decisions above it
    #: Where it stands. A feature in none of them no longer fits in the budget.
    included: tuple[str, ...]
    excluded: tuple[str, ...]
    undecided: tuple[str, ...]
    cost: float  #: What the included features cost
    #: Maximum achievable agreement of the included features, where computed
    maa: float | None
    #: Maximum potential agreement of included and undecided features: the bound of all
    #: sets below
    mpa: float
    best: Trimming  #: The best so far, its proved ``bound`` and the evaluations so far
    evaluations: int  #: Agreements and bounds computed so far


def search_events(
    steps: Iterator[SearchStep],
    classifier: BayesianClassifier,
    samples: SampledDecisions | None = None,
) -> Iterator[SearchEvent]:
    """Yield the steps of a search as people see them: by name, with the best so far.

    `samples`: those that were searched in; None where all joint states were.
    """

    @cache
    def named(chosen: tuple[int, ...]) -> tuple[str, ...]:
        return tuple(classifier.features[j] for j in chosen)

    @cache
    def assessed(chosen: tuple[int, ...]) -> tuple[float, ThresholdInterval, float]:
        """Return a set's agreement, its thresholds and the agreement's error."""
        if samples is None:
            return *classifier.decisions.achievable(chosen), 0.0
        _, interval = samples.achievable(chosen)
        value, error = samples.checked_agreement(chosen, interval.middle)
        return value, interval, error

    for step in steps:
        value, interval, error = assessed(step.best.chosen)
        best = Trimming(
            named(step.best.chosen),
            value,
            interval,
            step.best.cost,
            step.evaluations,
            step.upper if step.upper > value + TOLERANCE else value,
            samples is None,
            error,
        )
        yield SearchEvent(
            step.state,
            step.node,
            step.parent,
            step.decision,
            None if step.feature is None else classifier.features[step.feature],
            len(step.included) + len(step.excluded),
            named(step.included),
            named(step.excluded),
            named(step.undecided),
            step.cost,
            step.score,
            step.bound,
            best,
            step.evaluations,
        )
