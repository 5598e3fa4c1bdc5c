"""Cross-validated accuracy of every affordable set of features."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import compress
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.model_selection import StratifiedKFold

from ..alignment import generic_names, named_columns
from ..errors import DataError, shown
from ..naming import free_name
from .classifier import BayesianClassifier, checked_threshold
from .cuts import TOLERANCE
from .learning import Model, checked_learner
from .pricing import Costs, SharedCosts, as_prices
from .subsets import affordable_masks

__all__ = ["AccuracySelection", "most_accurate_selection"]

# Decisions held at once: rows times sets.
BLOCK_ENTRIES = 2**22


@dataclass(frozen=True, eq=False)
class AccuracySelection:
    """The most accurate affordable set, and the accuracy of all of them."""

    features: tuple[str, ...]  #: The best set; of equally good ones the cheapest
    accuracy: float  #: Its cross-validated accuracy
    cost: float  #: What it costs
    masks: NDArray[np.bool_]  #: (n_subsets, n_features) Every affordable set
    #: (n_subsets,) What each gets right, and what it costs
    accuracies: NDArray[np.float64]
    costs: NDArray[np.float64]


def most_accurate_selection(
    codes: ArrayLike,
    labels: ArrayLike,
    positive: Any,
    budget: float,
    costs: Costs = None,
    *,
    feature_names: tuple[str, ...] | None = None,
    model: Model = "naive_bayes",
    threshold: float = 0.5,
    laplace: float = 1.0,
    n_folds: int = 10,
    masks: NDArray[np.bool_] | None = None,
    random_state: int | None = 0,
) -> AccuracySelection:
    """Return the affordable set of features of best cross-validated accuracy.

    In each fold the model is learned once, on all features; a set is judged by the
    posterior that sees only its features, as in Fig. 5 of the paper.

    Parameters
    ----------
    codes : array_like of int, shape (n_samples, n_features)
        Training rows, as positions of states. The columns of a frame are taken by
        name.
    labels : array_like, shape (n_samples,)
        Two classes.
    positive : object
        The label that counts as positive.
    budget : float
        Most that the features may cost.
    costs : array_like, mapping or FeatureHypergraph, optional
        As for `trim`.
    feature_names : tuple of str, optional
        Names of the features; by default those of the columns, or x0, x1, ...
    model : {"naive_bayes", "tan"}, default="naive_bayes"
        What is learned.
    threshold : float, default=0.5
        Rows of at least this posterior are called positive.
    laplace : float, default=1.0
        Rows of each state that are imagined.
    n_folds : int, default=10
        Folds, stratified; fewer where a class has fewer rows.
    masks : ndarray of bool, shape (n_subsets, n_features), optional
        The sets to judge, say those of `score_affordable_subsets`; every affordable
        one by default.
    random_state : int or None, default=0
        Seed of the folds.

    Returns
    -------
    AccuracySelection
    """
    codes, named = named_columns(codes, feature_names)
    rows, truth = np.asarray(codes), np.asarray(labels) == positive
    if rows.ndim != 2 or rows.dtype.kind not in "iu" or len(rows) != len(truth):
        raise DataError(
            f"codes has shape {rows.shape} and there are {len(truth)} labels; give "
            "positions of states, one row for each label."
        )
    n_folds = _checked_folds(truth, positive, n_folds)
    learn = checked_learner(model)
    names = tuple(named or generic_names(rows.shape[1]))
    prices = as_prices(names, costs, budget)
    judged = affordable_masks(prices) if masks is None else np.asarray(masks, bool)
    hits = np.zeros(len(judged))
    cut = checked_threshold(threshold)
    states = [tuple(map(str, range(top + 1))) for top in rows.max(axis=0)]
    target = free_name("class", names)
    folds = StratifiedKFold(n_folds, shuffle=True, random_state=random_state)
    for train, test in folds.split(rows, truth):
        network = learn(
            rows[train],
            truth[train].astype(int),
            feature_states=states,
            feature_names=names,
            target=target,
            laplace=laplace,
        )
        judge = BayesianClassifier(network, target, "1", names, cut)
        hits += _hits(judge, rows[test], truth[test], judged)
    return _chosen(names, judged, hits / len(rows), prices)


def _hits(
    judge: BayesianClassifier,
    rows: NDArray[np.integer],
    truth: NDArray[np.bool_],
    masks: NDArray[np.bool_],
) -> NDArray[np.float64]:
    """Return how many rows each set gets right."""
    if judge.is_naive_bayes:
        return _naive_hits(judge, rows, truth, masks)
    return np.array([(judge.decide(rows, mask) == truth).sum() for mask in masks])


def _naive_hits(
    judge: BayesianClassifier,
    rows: NDArray[np.integer],
    truth: NDArray[np.bool_],
    masks: NDArray[np.bool_],
) -> NDArray[np.float64]:
    """Return how many rows each set gets right: log-odds add up, one product for all.

    A state that a class never shows counts as 1e-300, which outweighs all others.
    """
    odds = np.empty(rows.shape)
    for j in range(rows.shape[1]):
        given = judge.masses.posterior((j,), np.arange(rows[:, j].max() + 1)[:, None])
        odds[:, j] = _log_odds(given)[rows[:, j]]
    # Log-odds of a row = prior + sum_j (log-odds given x_j alone - prior).
    prior = float(_log_odds(judge.posterior(rows[:1], [])).item())
    least = judge.threshold - TOLERANCE
    # From a threshold of 0 on, all is positive, however far log-odds add up.
    level = float(_log_odds(np.array([least])).item()) if least > 0 else -np.inf
    found = np.zeros(len(masks))
    step = max(1, BLOCK_ENTRIES // len(rows))
    for start in range(0, len(masks), step):
        block = masks[start : start + step].T.astype(float)
        called = (odds - prior) @ block + prior >= level
        found[start : start + step] = (called == truth[:, np.newaxis]).sum(axis=0)
    return found


def _log_odds(share: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.log(np.maximum(share, 1e-300)) - np.log(np.maximum(1 - share, 1e-300))


def _chosen(
    names: tuple[str, ...],
    masks: NDArray[np.bool_],
    accuracies: NDArray[np.float64],
    prices: SharedCosts,
) -> AccuracySelection:
    costs = prices.costs_of(masks)
    best = int(np.lexsort((costs, -accuracies))[0])
    return AccuracySelection(
        tuple(compress(names, masks[best])),
        float(accuracies[best]),
        float(costs[best]),
        masks,
        accuracies,
        costs,
    )


def _checked_folds(truth: NDArray[np.bool_], positive: Any, n_folds: int) -> int:
    fewest = int(min(truth.sum(), (~truth).sum()))
    if fewest < 2:
        raise DataError(
            f"{int(truth.sum())} of {len(truth)} rows are labelled {shown(positive)}; "
            "cross-validation needs two rows of each class."
        )
    if not isinstance(n_folds, int | np.integer) or n_folds < 2:
        raise DataError(f"n_folds is {shown(n_folds)}; give 2 or more.")
    return min(int(n_folds), fewest)
