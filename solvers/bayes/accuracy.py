"""Cross-validated accuracy of every affordable set of features."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import compress
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..checks import check_count, row_weights
from ..costs.alignment import generic_names, named_columns
from ..errors import DataError, shown
from ..numerics.arrays import Floats, Integers, Mask
from ..numerics.inner_folds import deal_folds, group_codes, left_out, stratified
from ..values.distinct_names import free_name
from .classifier import BayesianClassifier, checked_threshold
from .cuts import TOLERANCE
from .learning import Model, checked_learner
from .pricing import Costs, SharedCosts, as_prices
from .selections import affordable_masks

# Decisions held at once: rows times sets.
BLOCK_ENTRIES = 2**22


@dataclass(frozen=True, eq=False)
class AccuracySelection:
    """The most accurate affordable set, and the accuracy of all of them."""

    features: tuple[str, ...]  #: The best set; of equally good ones the cheapest
    accuracy: float  #: Its cross-validated accuracy
    cost: float  #: What it costs
    masks: Mask  #: (n_subsets, n_features) Every affordable set
    #: (n_subsets,) What each gets right, and what it costs
    accuracies: Floats
    costs: Floats


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
    masks: Mask | None = None,
    random_state: int | None = 0,
    sample_weight: ArrayLike | None = None,
    groups: ArrayLike | None = None,
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
    sample_weight : array_like of float, shape (n_samples,), optional
        Weights of the rows, 0 or more, in learning and in accuracy.
    groups : array_like, shape (n_samples,), optional
        Which rows belong together, as those of one patient: no fold tears a group.

    Returns
    -------
    AccuracySelection

    Raises
    ------
    DataError
        If the rows, labels, weights or groups do not fit together, or a class has one
        row or group alone.
    """
    codes, named = named_columns(codes, feature_names)
    rows, truth = np.asarray(codes), np.asarray(labels) == positive
    if rows.ndim != 2 or rows.dtype.kind not in "iu" or len(rows) != len(truth):
        raise DataError(
            f"codes has shape {rows.shape} and there are {len(truth)} labels; give "
            "positions of states, one row for each label."
        )
    weights = row_weights(sample_weight, len(rows))
    together = group_codes(groups, len(rows))
    there = weights > 0  # a row of weight 0 is not there
    rows, truth, weights = rows[there], truth[there], weights[there]
    together = None if together is None else together[there]
    folds = _folds(truth, positive, n_folds, random_state, together)
    learn = checked_learner(model)
    names = tuple(named or generic_names(rows.shape[1]))
    prices = as_prices(names, costs, budget)
    judged = affordable_masks(prices) if masks is None else np.asarray(masks, bool)
    hits = np.zeros(len(judged))
    cut = checked_threshold(threshold)
    states = [tuple(map(str, range(top + 1))) for top in rows.max(axis=0)]
    target = free_name("class", names)
    for train, test in left_out(folds):
        network = learn(
            rows[train],
            truth[train].astype(int),
            feature_states=states,
            feature_names=names,
            target=target,
            laplace=laplace,
            sample_weight=weights[train],
        )
        judge = BayesianClassifier(network, target, "1", names, cut)
        hits += _hits(judge, rows[test], truth[test], weights[test], judged)
    return _chosen(names, judged, hits / weights.sum(), prices)


def _hits(
    judge: BayesianClassifier,
    rows: NDArray[np.integer],
    truth: Mask,
    weights: Floats,
    masks: Mask,
) -> Floats:
    """Return the weight of the rows that each set gets right."""
    if judge.is_naive_bayes:
        return _naive_hits(judge, rows, truth, weights, masks)
    right = (judge.decide(rows, mask) == truth for mask in masks)
    return np.array([weights @ of_set for of_set in right])


def _naive_hits(
    judge: BayesianClassifier,
    rows: NDArray[np.integer],
    truth: Mask,
    weights: Floats,
    masks: Mask,
) -> Floats:
    """Return what rows each set gets right: log-odds add up, one product for all.

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
        found[start : start + step] = weights @ (called == truth[:, np.newaxis])
    return found


def _log_odds(share: Floats) -> Floats:
    return np.log(np.maximum(share, 1e-300)) - np.log(np.maximum(1 - share, 1e-300))


def _chosen(
    names: tuple[str, ...], masks: Mask, accuracies: Floats, prices: SharedCosts
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


def _folds(
    truth: Mask,
    positive: Any,
    n_folds: int,
    random_state: int | None,
    groups: Integers | None,
) -> Integers:
    """Return the fold of each row; fewer folds where a class has fewer rows."""
    fewest = int(min(truth.sum(), (~truth).sum()))
    if fewest < 2:
        raise DataError(
            f"{int(truth.sum())} of {len(truth)} rows are labelled {shown(positive)}; "
            "cross-validation needs two rows of each class."
        )
    n_folds = check_count("n_folds", n_folds, 2, error=DataError)
    folds = deal_folds(
        truth.astype(np.int64),
        min(n_folds, fewest),
        random_state,
        groups,
        freely=stratified,
    )
    if (folds < 0).any():
        raise DataError(
            "All rows of a class are of one group; cross-validation needs two groups "
            "that hold it."
        )
    return folds
