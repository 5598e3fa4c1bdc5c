"""ECA-Trim: the affordable features and the threshold that decide most alike."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Literal, TypeAlias

from ..checks import eager
from ..errors import NetworkError, shown
from ..numerics.threads import one_thread
from .bracketed import bracketed_search
from .branching import Decision, SearchStep, State, branch_and_bound
from .classifier import BayesianClassifier
from .criteria import AchievableAgreement
from .cuts import TOLERANCE, ThresholdInterval
from .elimination import joint_operations, row_operations
from .halves import HalvesDecisions
from .masses import KEPT_ENTRIES
from .network import MAX_TABLE_ENTRIES
from .pricing import Costs, SharedCosts, as_prices
from .sampled import DEFAULT_SAMPLES, SampledDecisions, checked_count, sampled_search

# What a search will take, known before it starts, so that nobody waits in vain.


# About ten minutes of elimination; more is refused.
MOST_OPERATIONS = 5e10
# Under a second of elimination: rows for the first event.
OPENING_OPERATIONS = 3e7
OPENING_ROWS = 500


def is_large(classifier: BayesianClassifier) -> bool:
    """Return whether joint states are too many to have a table of them at once."""
    return classifier.n_states > KEPT_ENTRIES


def opening_rows(classifier: BayesianClassifier) -> int:
    """Return how many sampled rows are decided in well under a second."""
    affordable = OPENING_OPERATIONS / (2 * _of_row(classifier))
    return int(min(OPENING_ROWS, max(1, affordable)))


def table_is_hopeless(classifier: BayesianClassifier) -> bool:
    """Return whether the table of decisions takes too many operations."""
    return _of_table(classifier) > MOST_OPERATIONS


def refuse_hopeless_table(classifier: BayesianClassifier) -> None:
    """Refuse a table of decisions that takes too many operations."""
    needed = _of_table(classifier)
    if needed > MOST_OPERATIONS:
        raise NetworkError(
            f"The table of {float(classifier.n_states):.1e} joint states takes about "
            f"{needed:.0e} operations, more than {MOST_OPERATIONS:.0e}. Use fewer "
            "features, or exact=False."
        )


def refuse_hopeless_samples(classifier: BayesianClassifier, n_samples: int) -> None:
    """Refuse to decide more sampled rows than can be waited for."""
    each = _of_row(classifier)
    # Twice: rows to choose by, and as many fresh ones to judge the choice by.
    if 2 * n_samples * each > MOST_OPERATIONS:
        most = max(1, int(MOST_OPERATIONS / (2 * each)))
        raise NetworkError(
            f"Deciding one row takes about {each:.0e} operations, twice {n_samples} "
            f"rows too many. Use fewer features, or n_samples={most} at most."
        )


def _of_row(classifier: BayesianClassifier) -> float:
    if classifier.is_naive_bayes or not is_large(classifier):
        return float(len(classifier.features))
    return row_operations(classifier.network, classifier.target, classifier.features)


def _of_table(classifier: BayesianClassifier) -> float:
    if classifier.is_naive_bayes or not is_large(classifier):
        return float(min(classifier.n_states, MOST_OPERATIONS))
    return joint_operations(
        classifier.network, (classifier.target, *classifier.features)
    )


# What a search for trimmings reports: the best so far, and every event on the way.


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

    def __str__(self) -> str:
        kept = "\n    ".join(["features:", *self.features])
        return (
            f"{kept}\nagreement: {self.agreement:.6f}, cost: {self.cost:g}\n"
            f"new threshold: any in {self.threshold_interval}"
        )


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


# ECA-Trim: the affordable features and the threshold that decide most alike.


Order: TypeAlias = Literal["importance", "given"]

# Naive Bayes of more joint states is searched in samples: so far halves go.
MAX_NAIVE_SEARCH = 2**40


@eager
def search_trimmings(
    classifier: BayesianClassifier,
    budget: float,
    costs: Costs = None,
    *,
    order: Order = "importance",
    exact: bool | None = None,
    n_samples: int = DEFAULT_SAMPLES,
    random_state: int | None = 0,
) -> Iterator[SearchEvent | None]:
    """Search for the best trimming within a budget, event by event.

    Closing the iterator stops the search: ``event.best`` of the last event is the
    best so far, with what was proved about all others in its ``bound``.

    Parameters
    ----------
    classifier : BayesianClassifier
        The original.
    budget : float
        Most that the features may cost, 0 or more.
    costs : array_like, mapping or FeatureHypergraph, optional
        Cost of each feature, in order or by name, or a hypergraph with features of
        these names, whose shared components are paid once; one each by default.
    order : {"importance", "given"}, default="importance"
        In which order features are decided: by what their loss costs in the bound, or
        as they stand in the classifier.
    exact : bool, optional
        Whether to compute with all joint states or with samples of them. By default
        exact up to 2 ** 28 joint states (2 ** 40 in naive Bayes).
    n_samples : int, default=20000
        How many samples, where not exact.
    random_state : int or None, default=0
        Seed of the samples.

    Yields
    ------
    SearchEvent
        At least one; the last has the state "finished".

    Raises
    ------
    ThriftscopeError
        Before the first event, if a cost, the budget or an option makes no sense, or
        exactness is asked for and out of reach.

    References
    ----------
    .. [1] Choi and Van den Broeck, "On robust trimming of Bayesian network
       classifiers", IJCAI 2018, Algorithm 1.
    """
    prices = as_prices(classifier.features, costs, budget)
    if order not in ("importance", "given"):
        raise NetworkError(f'The order is {shown(order)}; use "importance" or "given".')
    given = range(len(classifier.features)) if order == "given" else None
    if _is_within_reach(classifier) if exact is None else exact:
        steps = _exact_steps(classifier, prices, given)
        refuse_hopeless_table(classifier)
        events = search_events(steps, classifier)
    else:
        refuse_hopeless_samples(classifier, checked_count(n_samples))
        events = _sampled_events(classifier, prices, n_samples, random_state)
    yield None  # checked
    if is_large(classifier):
        # An event about no features, from as many rows as a moment allows.
        rows = opening_rows(classifier)
        first = next(_sampled_events(classifier, prices, rows, random_state))
        undecided = classifier.features
        yield replace(first, state="improved", undecided=undecided, evaluations=0)
    yield from events


@one_thread()
def trim(
    classifier: BayesianClassifier,
    budget: float,
    costs: Costs = None,
    *,
    threshold: float | None = None,
    max_evaluations: int | None = None,
    seconds: float | None = None,
    exact: bool | None = None,
    n_samples: int = DEFAULT_SAMPLES,
    random_state: int | None = 0,
) -> Trimming:
    """Return the best trimming within a budget, or the best found in time.

    Parameters
    ----------
    classifier : BayesianClassifier
        The original.
    budget : float
        Most that the features may cost, 0 or more.
    costs : array_like, mapping or FeatureHypergraph, optional
        As for `search_trimmings`.
    threshold : float, optional
        At which the original decides; its own by default.
    max_evaluations : int, optional
        Stop after so many agreements and bounds; never by default.
    seconds : float, optional
        Stop after so much time; never by default.
    exact, n_samples, random_state
        As for `search_trimmings`.

    Returns
    -------
    Trimming
        ``gap`` is 0 where it is proved to be the best.

    Examples
    --------
    >>> from solvers.bayes import bundled_classifier
    >>> best = trim(bundled_classifier("quiz"), budget=2)
    >>> best.features, round(best.agreement, 4), best.gap
    (('Q1', 'Q2'), 0.9748, 0.0)
    """
    started = time.monotonic()
    if threshold is not None:
        classifier = classifier.with_threshold(threshold)
    events = search_trimmings(
        classifier,
        budget,
        costs,
        exact=exact,
        n_samples=n_samples,
        random_state=random_state,
    )
    for event in events:
        spent = time.monotonic() - started
        if max_evaluations is not None and event.evaluations >= max_evaluations:
            break
        if seconds is not None and spent >= seconds:
            break
    return event.best


def _exact_steps(
    classifier: BayesianClassifier, prices: SharedCosts, order: Sequence[int] | None
) -> Iterator[SearchStep]:
    decisions = classifier.decisions
    if isinstance(decisions, HalvesDecisions):
        return bracketed_search(decisions, prices, order)
    criterion = AchievableAgreement(classifier.masses, decisions)
    return branch_and_bound(criterion, prices, order)


def _sampled_events(
    classifier: BayesianClassifier,
    prices: SharedCosts,
    n_samples: int,
    random_state: int | None,
) -> Iterator[SearchEvent]:
    samples = SampledDecisions.draw(classifier, n_samples, random_state)
    yield from search_events(sampled_search(samples, prices), classifier, samples)


def _is_within_reach(classifier: BayesianClassifier) -> bool:
    most = MAX_NAIVE_SEARCH if classifier.is_naive_bayes else MAX_TABLE_ENTRIES
    return classifier.n_states <= most and not table_is_hopeless(classifier)
