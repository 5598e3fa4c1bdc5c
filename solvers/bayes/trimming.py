"""ECA-Trim: the affordable features and the threshold that decide most alike."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Literal, TypeAlias

from ..errors import NetworkError, shown
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
from .search_events import SearchEvent, Trimming, search_events

__all__ = ["Order", "search_trimmings", "trim"]

Order: TypeAlias = Literal["importance", "given"]

# Naive Bayes of more joint states is searched in samples: so far halves go.
MAX_NAIVE_SEARCH = 2**40


Events: TypeAlias = Iterator[SearchEvent]
_Searcher: TypeAlias = Callable[[SharedCosts, Sequence[int] | None], Events]


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
    search = _searcher(classifier, exact, n_samples, random_state)
    given = range(len(classifier.features)) if order == "given" else None
    return search(prices, given)


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


def _searcher(
    classifier: BayesianClassifier,
    exact: bool | None,
    n_samples: int,
    random_state: int | None,
) -> _Searcher:
    """Return what searches with given prices and an order."""
    if not (_is_within_reach(classifier) if exact is None else exact):
        refuse_hopeless_samples(classifier, n_samples)
        if is_large(classifier):
            return _opened(classifier, n_samples, random_state)
        samples = SampledDecisions.draw(classifier, n_samples, random_state)

        def sampled(prices: SharedCosts, _: Sequence[int] | None) -> Events:
            steps = sampled_search(samples, prices)
            return search_events(steps, classifier, samples)

        return sampled
    decisions = classifier.decisions
    refuse_hopeless_table(classifier)

    def exactly(prices: SharedCosts, order: Sequence[int] | None) -> Events:
        if isinstance(decisions, HalvesDecisions):
            steps = bracketed_search(decisions, prices, order)
        else:
            criterion = AchievableAgreement(classifier.masses, decisions)
            steps = branch_and_bound(criterion, prices, order)
        if is_large(classifier):
            return _opened_exactly(steps, classifier, prices, random_state)
        return search_events(steps, classifier, None)

    return exactly


def _opened(
    classifier: BayesianClassifier, n_samples: int, random_state: int | None
) -> _Searcher:
    """Return a sampled search whose first event comes from a few rows."""

    def search(prices: SharedCosts, _: Sequence[int] | None) -> Events:
        yield _first(classifier, prices, random_state)
        samples = SampledDecisions.draw(classifier, n_samples, random_state)
        steps = sampled_search(samples, prices)
        yield from search_events(steps, classifier, samples)

    return search


def _opened_exactly(
    steps: Iterator[SearchStep],
    classifier: BayesianClassifier,
    prices: SharedCosts,
    random_state: int | None,
) -> Events:
    yield _first(classifier, prices, random_state)
    yield from search_events(steps, classifier, None)


def _first(
    classifier: BayesianClassifier, prices: SharedCosts, random_state: int | None
) -> SearchEvent:
    """Return an event about no features, from as many rows as a moment allows."""
    rows = opening_rows(classifier)
    samples = SampledDecisions.draw(classifier, rows, random_state)
    step = next(sampled_search(samples, prices))
    (event,) = search_events(iter([step]), classifier, samples)
    return replace(
        event, state="improved", undecided=classifier.features, evaluations=0
    )


def _is_within_reach(classifier: BayesianClassifier) -> bool:
    most = MAX_NAIVE_SEARCH if classifier.is_naive_bayes else MAX_TABLE_ENTRIES
    return classifier.n_states <= most and not table_is_hopeless(classifier)
