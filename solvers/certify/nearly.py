"""All selections of components that are nearly as good as the best."""

from __future__ import annotations

from collections.abc import Iterator

from numpy.typing import ArrayLike

from ..hypergraph import FeatureHypergraph
from ..selection import Selection
from .near_set import NearOptimal
from .nearly_search import NearOptimalSearch

__all__ = ["near_optimal", "near_optimal_stream"]


def near_optimal(
    X: ArrayLike,
    y: ArrayLike,
    hypergraph: FeatureHypergraph,
    *,
    ridge: float,
    budget: float,
    within: float = 0.01,
    seconds: float = 60.0,
    limit: int = 10_000,
    without: Selection | None = None,
    sample_weight: ArrayLike | None = None,
) -> NearOptimal:
    """List every selection of components that is nearly as good as the best.

    Parameters
    ----------
    X : array_like of float, shape (n_rows, n_features)
        The table.
    y : array_like, shape (n_rows,)
        Labels of two classes.
    hypergraph : FeatureHypergraph
        What features need and what that costs.
    ridge : float
        Weight of the ridge, as in `certified_frontier`.
    budget : float
        What a selection may cost.
    within : float, default=0.01
        How far above the best objective, as a share of what all features bring.
    seconds : float, default=60
        When to stop, complete or not.
    limit : int, default=10000
        How many to list at most.
    without : selection of components, optional
        Components that must not be bought.
    sample_weight : array_like of float, shape (n_rows,), optional
        How much each row counts, as in `certified_frontier`.

    Returns
    -------
    NearOptimal

    Raises
    ------
    ThriftscopeError
        If an argument makes no sense.
    """
    *_, last = near_optimal_stream(
        X,
        y,
        hypergraph,
        ridge=ridge,
        budget=budget,
        within=within,
        seconds=seconds,
        limit=limit,
        without=without,
        sample_weight=sample_weight,
    )
    return last


def near_optimal_stream(
    X: ArrayLike,
    y: ArrayLike,
    hypergraph: FeatureHypergraph,
    *,
    ridge: float,
    budget: float,
    within: float = 0.01,
    seconds: float = 60.0,
    limit: int = 10_000,
    without: Selection | None = None,
    sample_weight: ArrayLike | None = None,
) -> Iterator[NearOptimal]:
    """Return the search of `near_optimal` step by step, to be watched or stopped.

    Parameters
    ----------
    X, y, hypergraph, ridge, budget, within, seconds, limit, without, sample_weight
        As of `near_optimal`.

    Returns
    -------
    iterator of NearOptimal
        What is found so far, now and then; the last is what `near_optimal` returns.

    Raises
    ------
    ThriftscopeError
        If an argument makes no sense.
    """
    search = NearOptimalSearch(
        X,
        y,
        hypergraph,
        ridge=ridge,
        budget=budget,
        within=within,
        without=without,
        sample_weight=sample_weight,
    )
    return search.stream(seconds=seconds, limit=limit)
