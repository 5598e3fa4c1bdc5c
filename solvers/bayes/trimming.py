"""ECA-Trim: the affordable features and the threshold that decide most alike."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Literal, TypeAlias

from ..errors import NetworkError, shown
from ..numerics.threads import one_thread
from .bracketed import bracketed_search
from .branching import SearchStep, branch_and_bound
from .classifier import BayesianClassifier
from .criteria import AchievableAgreement
from .forecasts import (
    is_large,
    opening_rows,
    refuse_hopeless_samples,
    refuse_hopeless_table,
    table_is_hopeless,
)
from .halves import HalvesDecisions
from .network import MAX_TABLE_ENTRIES
from .pricing import Costs, SharedCosts, as_prices
from .sampled import DEFAULT_SAMPLES, SampledDecisions
from .sampled_search import sampled_search
from .sampling import checked_count
from .search_events import SearchEvent, Trimming, search_events

__all__ = ["Order", "search_trimmings", "trim"]

Order: TypeAlias = Literal["importance", "given"]

# Naive Bayes of more joint states is searched in samples: so far halves go.
MAX_NAIVE_SEARCH = 2**40


def search_trimmings(
    classifier: BayesianClassifier,
    budget: float,
    costs: Costs = None,
    *,
    order: Order = "importance",
    exact: bool | None = None,
    n_samples: int = DEFAULT_SAMPLES,
    random_state: int | None = 0,
) -> Iterator[SearchEvent]:
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
    return _opened(classifier, prices, random_state, events)


@one_thread()
def trim(
    classifier: BayesianClassifier,
    budget: float,
    costs: Costs = None,
    *,
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


def _opened(
    classifier: BayesianClassifier,
    prices: SharedCosts,
    random_state: int | None,
    events: Iterator[SearchEvent],
) -> Iterator[SearchEvent]:
    """Yield events; before those of a large search one about no features."""
    if is_large(classifier):
        # From as many rows as a moment allows.
        rows = opening_rows(classifier)
        first = next(_sampled_events(classifier, prices, rows, random_state))
        undecided = classifier.features
        yield replace(first, state="improved", undecided=undecided, evaluations=0)
    yield from events


def _is_within_reach(classifier: BayesianClassifier) -> bool:
    most = MAX_NAIVE_SEARCH if classifier.is_naive_bayes else MAX_TABLE_ENTRIES
    return classifier.n_states <= most and not table_is_hopeless(classifier)
