"""What a search for trimmings reports: the best so far, and every event on the way."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from .branching import Decision, SearchStep, State
from .classifier import BayesianClassifier
from .cuts import TOLERANCE, ThresholdInterval
from .sampled import SampledDecisions

__all__ = ["SearchEvent", "Trimming", "search_events"]


@dataclass(frozen=True)
class Trimming:
    """A set of features with the threshold that makes it agree most.

    Parameters
    ----------
    features : tuple of str
        The features that are kept, in the classifier's order.
    agreement : float
        Expected classification agreement with the original.
    threshold_interval : ThresholdInterval
        Every threshold in it attains that agreement.
    cost : float
        What the features cost.
    evaluations : int
        How many agreements and bounds were computed on the way.
    bound : float
        No affordable set agrees more; as far as was proved.
    exact : bool
        Whether the agreement is exact; if not, it is estimated from samples.
    standard_error : float
        Of the agreement, 0 where it is exact.
    """

    features: tuple[str, ...]
    agreement: float
    threshold_interval: ThresholdInterval
    cost: float
    evaluations: int
    bound: float = 1.0
    exact: bool = True
    standard_error: float = 0.0

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
    """Something that the search did, with all that is needed to draw it.

    Parameters
    ----------
    state : {"expanded", "improved", "bounded", "infeasible", "leaf", "finished"}
        "expanded": its children follow; "improved": its features are the best so far
        (unless it is a leaf, another event of the same node says what becomes of it);
        "bounded": nothing below can be better; "infeasible": `feature` does not fit
        in the budget; "leaf": nothing more fits; "finished": the last event, whose
        node is the one where the best was found.
    node : int
        Number of the node, rising; the root is 0.
    parent : int or None
        Number of its parent; None for the root, and for the last event.
    decision : {"root", "included", "excluded"}
        What the node decides.
    feature : str or None
        About which feature.
    depth : int
        Decisions above it.
    included, excluded, undecided : tuple of str
        Where it stands. A feature in none of them no longer fits in the budget.
    cost : float
        What the included features cost.
    maa : float or None
        Maximum achievable agreement of the included features, where computed.
    mpa : float
        Maximum potential agreement of included and undecided features: the bound of
        all sets below.
    best : Trimming
        The best so far, its proved ``bound`` and the evaluations so far.
    evaluations : int
        Agreements and bounds computed so far.
    """

    state: State
    node: int
    parent: int | None
    decision: Decision
    feature: str | None
    depth: int
    included: tuple[str, ...]
    excluded: tuple[str, ...]
    undecided: tuple[str, ...]
    cost: float
    maa: float | None
    mpa: float
    best: Trimming
    evaluations: int


def search_events(
    steps: Iterator[SearchStep],
    classifier: BayesianClassifier,
    samples: SampledDecisions | None,
) -> Iterator[SearchEvent]:
    """Yield the steps of a search as people see them: by name, with the best so far.

    `samples`: those that were searched in; None where all joint states were.
    """
    names = _Names(classifier.features)
    found: tuple[tuple[int, ...], ThresholdInterval, float, float] | None = None
    for step in steps:
        chosen = step.best.chosen
        if found is None or found[0] != chosen:
            found = (chosen, *_assessed(classifier, samples, chosen))
        _, interval, value, error = found
        best = Trimming(
            names[chosen],
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
            names[step.included],
            names[step.excluded],
            names[step.undecided],
            step.cost,
            step.score,
            step.bound,
            best,
            step.evaluations,
        )


class _Names(dict[tuple[int, ...], tuple[str, ...]]):
    """Names of sets of positions, each put together once."""

    def __init__(self, names: tuple[str, ...]) -> None:
        self.names = names

    def __missing__(self, chosen: tuple[int, ...]) -> tuple[str, ...]:
        self[chosen] = tuple(self.names[j] for j in chosen)
        return self[chosen]


def _assessed(
    classifier: BayesianClassifier,
    samples: SampledDecisions | None,
    chosen: tuple[int, ...],
) -> tuple[ThresholdInterval, float, float]:
    """Return the thresholds, the agreement and its standard error of a set."""
    if samples is None:
        value, interval = classifier.decisions.achievable(chosen)
        return interval, value, 0.0
    _, interval = samples.achievable(chosen)
    value, error = samples.checked_agreement(chosen, interval.middle)
    return interval, value, error
