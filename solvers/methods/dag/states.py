"""What each state has computed, where it may go, and what it says of a row."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin, clone

from ...costs.budgets import room_of
from ...costs.hypergraph import FeatureHypergraph
from ...errors import DataError, shown
from ...numerics.arrays import Floats, Integers, Mask
from ...numerics.distinct_rows import DistinctRows
from ...numerics.forward import forward_order
from ...numerics.inner_folds import left_out
from ...numerics.multinomial import class_loss
from ...numerics.ridge_classes import ClassScores, fit_classes
from ...numerics.ridge_logistic import LogisticModel, fit_logistic

# A row is covered where some state is right at such log-odds.
_MARGIN = 1.0
_FEWEST_ROWS = 10


@dataclass(frozen=True, eq=False)
class StateGraph:
    """States in an order in which ways only go forward; the first is the start."""

    supports: Mask  # (n_states, n_features) What each state has computed
    # Where each state may go; later states that have computed more
    children: tuple[tuple[int, ...], ...]
    hypergraph: FeatureHypergraph  # Prices of the features

    @property
    def n_states(self) -> int:
        """Number of states."""
        return len(self.children)

    @cached_property
    def costs(self) -> Floats:
        """What each state has paid, shape (n_states,)."""
        return np.array([self.hypergraph.cost(support) for support in self.supports])


def chain(groups: Sequence[NDArray], hypergraph: FeatureHypergraph) -> StateGraph:
    """Return states that add one group after the other.

    Shapes: `groups` (n_features,).
    `groups`: what is added; the first group is what the start has computed.
    """
    supports = [groups[0]]
    for group in groups[1:]:
        grown = supports[-1] | group
        if (grown != supports[-1]).any():
            supports.append(grown)
    last = len(supports) - 1
    children = tuple((k + 1,) if k < last else () for k in range(len(supports)))
    return StateGraph(np.array(supports), children, hypergraph)


def lattice(groups: Sequence[NDArray], hypergraph: FeatureHypergraph) -> StateGraph:
    """Return a state for every union of groups; each step adds one.

    Shapes: `groups` (n_features,).
    `groups`: what is added; the first group is what the start has computed.
    """
    start = groups[0]
    added = [group for group in groups[1:] if (group & ~start).any()]
    supports, children = [], []
    for union in range(2 ** len(added)):
        members = [group for bit, group in enumerate(added) if union >> bit & 1]
        supports.append(np.logical_or.reduce([start, *members]))
        children.append(
            tuple(union | 1 << bit for bit in range(len(added)) if not union >> bit & 1)
        )
    return StateGraph(np.array(supports), tuple(children), hypergraph)


def prefix_within(
    order: Integers, hypergraph: FeatureHypergraph, budget: float
) -> Mask:
    """Return the longest prefix of an order that costs no more than a budget.

    Shape: (n_features,).
    `budget`: in the hypergraph's unit.
    """
    kept = np.zeros(hypergraph.n_features, dtype=bool)
    for feature in order:
        grown = kept.copy()
        grown[feature] = True
        if hypergraph.cost(grown) > room_of(budget):
            return kept
        kept = grown
    return kept


def greedy_order(
    rows: DistinctRows,
    hypergraph: FeatureHypergraph,
    paid: Mask | None = None,
    budget: float = np.inf,
) -> Integers:
    """Return features by what they explain for what they add to the cost.

    Shapes: `paid` (n_components,).
    """
    loss = class_loss(rows.X, rows.targets, rows.shares)
    costs = hypergraph.component_costs
    if paid is not None:
        costs = np.where(paid, 0.0, costs)
    order = forward_order(loss, hypergraph.incidence, costs, budget)
    return np.array([feature for feature, _ in order], dtype=int)


def increments_by_cover(
    rows: DistinctRows,
    hypergraph: FeatureHypergraph,
    start: Mask,
    n_increments: int,
    budget: float,
) -> list[Mask]:
    """Return sets of features, each for the rows that none before is sure about.

    Shapes: `start` (n_features,) -> (n_features,).
    """
    paid = hypergraph.required_components(start)
    covered = _is_sure(rows, start)
    increments: list[Mask] = []
    while len(increments) < n_increments:
        left = rows.signs[~covered]
        if len(left) < _FEWEST_ROWS or np.ptp(left) == 0:
            break
        chosen = np.zeros(hypergraph.n_features, dtype=bool)
        chosen[greedy_order(rows.part(~covered), hypergraph, paid, budget)] = True
        increments.append(chosen & ~start)
        covered |= _is_sure(rows, start | chosen)
    return increments


def _is_sure(rows: DistinctRows, support: Mask) -> Mask:
    """Return which rows a classifier on some features gets right with a margin."""
    X = rows.X[:, support]
    if rows.n_classes == 2:
        model = fit_logistic(X, rows.signs, rows.shares)
        return rows.signs * model.odds(X) >= _MARGIN
    scores = fit_classes(X, rows.codes, rows.n_classes, rows.shares).scores(X)
    is_right = np.argmax(scores, axis=1) == rows.codes
    return is_right & (leads(scores) >= _MARGIN)


# What a state says of a row: its classifier, and scores that are not flattered.


# Log-odds beyond it are no surer: about 1 - 1e-9.
SURE = 20.0


@dataclass(frozen=True, eq=False)
class StateScores:
    """The classifier of a state, and held-out scores of the training rows."""

    model: Any  # Trained on all rows
    # (n_rows,) or (n_rows, n_classes) Scores by classifiers that were trained without
    # the row
    held_out: Floats


def check_base(base: Any) -> None:
    """Refuse what cannot score rows."""
    scores = hasattr(base, "decision_function") or hasattr(base, "predict_proba")
    if base is not None and not (hasattr(base, "fit") and scores):
        raise DataError(
            f"base is {shown(base)}; give a scikit-learn classifier with "
            "decision_function or predict_proba, or None for logistic regression."
        )


def train_state(
    rows: DistinctRows, support: Mask, folds: Integers, base: ClassifierMixin | None
) -> StateScores:
    """Train a state's classifier on all rows, and once without each fold.

    Shapes: `support` (n_features,), `folds` (n_rows,).
    """
    X = rows.X[:, support]
    n_classes = rows.n_classes
    told: NDArray = rows.signs if n_classes == 2 else rows.codes
    model = _trained(X, told, rows.shares, base, None, n_classes)
    if np.ptp(folds) == 0:
        return StateScores(model, score_rows(model, X, n_classes))
    held_out = np.empty(rows.n_rows if n_classes == 2 else (rows.n_rows, n_classes))
    for learned, out in left_out(folds):
        part = _trained(
            X[learned], told[learned], rows.shares[learned], base, model, n_classes
        )
        held_out[out] = score_rows(part, X[out], n_classes)
    return StateScores(model, held_out)


def score_rows(model: Any, X: Floats, n_classes: int = 2) -> Floats:
    """Return how strongly rows are held to be of the second class, or of each.

    Shapes: `X` (n_rows, n_columns) -> (n_rows,), of more than two classes (n_rows,
    n_classes).
    """
    if n_classes > 2:
        return _class_scores(model, X, n_classes)
    if not len(X):
        return np.empty(0)
    if isinstance(model, LogisticModel):
        scores = model.odds(X)
    elif hasattr(model, "decision_function"):
        scores = model.decision_function(X)
    else:
        chances = np.clip(model.predict_proba(X)[:, 1], 1e-9, 1.0 - 1e-9)
        scores = np.log(chances / (1.0 - chances))
    return np.clip(scores, -SURE, SURE)


def leads(scores: Floats) -> Floats:
    """Return by how much the largest score leads, no more than it may be sure.

    Shapes: `scores` (n_rows, n_classes) -> (n_rows,).
    """
    ranked = np.partition(scores, -2, axis=1)
    return np.minimum(ranked[:, -1] - ranked[:, -2], SURE)


def _class_scores(model: Any, X: Floats, n_classes: int) -> Floats:
    if not len(X):
        return np.empty((0, n_classes))
    if isinstance(model, ClassScores):
        return model.scores(X)
    if hasattr(model, "decision_function"):
        known = np.asarray(model.decision_function(X), dtype=float)
        if known.ndim == 1:
            known = np.column_stack([-known / 2.0, known / 2.0])
    else:
        known = np.log(np.clip(model.predict_proba(X), 1e-9, 1.0))
    if known.shape[1] != len(model.classes_):
        raise DataError(
            f"{type(model).__name__} gives {known.shape[1]} scores of "
            f"{len(model.classes_)} classes; give a base with one a class."
        )
    # A class that a fold has no row of trails the mean of the others: never called.
    scores = np.tile(known.mean(axis=1, keepdims=True) - SURE, n_classes)
    scores[:, np.asarray(model.classes_, dtype=int)] = known
    return scores


def _trained(
    X: NDArray, signs: NDArray, shares: NDArray, base: Any, start: Any, n_classes: int
) -> Any:
    # Without columns, or with one class, there is nothing for a classifier to learn.
    if base is None or not X.shape[1] or np.ptp(signs) == 0:
        if n_classes > 2:
            known = start if isinstance(start, ClassScores) else None
            return fit_classes(X, signs, n_classes, shares, start=known)
        begin = start if isinstance(start, LogisticModel) else None
        return fit_logistic(X, signs, shares, start=begin)
    return clone(base).fit(X, signs, sample_weight=shares / shares.mean())
