"""Where stages end, the models that answer there, and how sure they may be."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from scipy.special import log_softmax
from sklearn import config_context
from sklearn.base import clone
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.isotonic import IsotonicRegression
from sklearn.linear_model import LogisticRegression
from sklearn.utils import check_random_state

from ...decisions.platt import counted_curve, soft_targets
from ...numerics.arrays import Floats, Integers, Mask
from .order import ColumnOrder
from .rows import WeightedRows

# Stages are three times as close while little has been paid.
_EARLY_SHARE = 0.12
_EARLY_CLOSENESS = 3
# Log-odds beyond it are no surer: about 1 - 1e-9.
SURE = 20.0
_MOST_STEPS = 2000
_TREES = 60
_LEAVES = 8
_BINS = 63


@dataclass(frozen=True, eq=False)
class StagePlan:
    """The stages of one cascade: prefixes of an order of columns."""

    columns: Integers  # (k,) The columns in the order in which they are bought
    # (n_stages,) How many of them each stage has; the first has what costs nothing
    ends: Integers
    costs: Floats  # (n_stages,) What a row has paid that leaves at each

    @property
    def n_stages(self) -> int:
        """How many stages there are."""
        return len(self.ends)

    def bought(self, stage: int) -> Integers:
        """Return the columns that a stage has."""
        return self.columns[: self.ends[stage]]


def stage_plan(
    order: ColumnOrder,
    n_stages: int | None,
    prepaid: float = 0.0,
    *,
    before_jumps: bool = False,
) -> StagePlan:
    """Return stages that end each time the cost has grown by its share of the full one.

    `n_stages`: into how many steps the full cost is cut; None ends a stage wherever it
    can. `before_jumps`: whether one ends, too, where the next purchase alone is a
    share: what is cheap before it may pay for itself.
    """
    # Stage 0 pays nothing: columns without a price, or the shares of the classes alone.
    free = int(np.searchsorted(order.spent, 0.0, side="right"))
    ends, paid = [free], 0.0
    full = float(order.spent[-1]) if len(order.spent) else 0.0
    for position in np.flatnonzero(order.ends):
        spent = float(order.spent[position])
        if position < free:
            continue
        step = 0.0
        if n_stages is not None:
            step = full / n_stages
            step /= _EARLY_CLOSENESS if paid < _EARLY_SHARE * full else 1.0
        # Sums of the same costs differ in the last places.
        least, is_last = step * (1.0 - 1e-9), position == len(order.spent) - 1
        jumps = (
            before_jumps and not is_last and order.spent[position + 1] - spent >= least
        )
        if spent - paid >= least or is_last or (jumps and spent > paid):
            ends.append(int(position) + 1)
            paid = spent
    spent_at = np.concatenate([[0.0], order.spent])
    return StagePlan(order.columns, np.array(ends), prepaid + spent_at[ends])


# ----------------------------------------------------------------------------- models


@dataclass(frozen=True, eq=False)
class StageModel:
    """What answers at a stage: weights of the columns, or a fitted estimator."""

    # (n_outputs, k) Weights; missing where there is an estimator
    coef: Floats | None = None
    intercept: Floats | None = None  # (n_outputs,) Intercepts
    estimator: Any = None  # With ``decision_function`` or ``predict_proba``

    def outputs(self, table: Floats) -> Floats:
        """Return log-odds for two classes, log-probabilities for more.

        Shapes: `table` (n_rows, k) -> (n_rows, n_outputs).
        """
        if self.coef is not None and self.intercept is not None:
            raw = table @ self.coef.T + self.intercept
        elif hasattr(self.estimator, "predict_proba"):
            chances = self.estimator.predict_proba(table)
            raw = np.log(np.maximum(chances, np.finfo(float).tiny))
            raw = raw[:, 1:] - raw[:, :1] if chances.shape[1] == 2 else raw
        else:
            raw = np.asarray(self.estimator.decision_function(table), dtype=float)
            raw = raw[:, np.newaxis] if raw.ndim == 1 else raw
        if raw.shape[1] == 1:
            return np.clip(raw, -SURE, SURE)
        return np.maximum(log_softmax(raw, axis=1), -SURE)

    def answer(self, values: Floats) -> Floats:
        """Return what is said of one row, in little time.

        Shapes: `values` (k,) -> (n_outputs,).
        As `outputs`, for more classes than two perhaps up to a constant, and without
        its bounds.
        """
        if self.coef is None or self.intercept is None:
            return self.outputs(values[np.newaxis])[0]
        return np.asarray(self.coef @ values + self.intercept)


def confidences(outputs: Floats) -> Floats:
    """Return the one number that rows are told apart by: u.

    Shapes: `outputs` (n_rows, n_outputs) -> (n_rows,).
    Log-odds for two classes; for more, by how much the best class beats the second.
    """
    if outputs.shape[1] == 1:
        return outputs[:, 0]
    best = np.partition(outputs, -2, axis=1)
    return best[:, -1] - best[:, -2]


def prior_model(rows: WeightedRows) -> StageModel:
    """Return the model of a stage that has no column: the shares of the classes."""
    logs = np.log(np.bincount(rows.labels, rows.shares, minlength=rows.n_classes))
    intercept = np.array([logs[1] - logs[0]]) if rows.n_classes == 2 else logs
    return StageModel(np.zeros((len(intercept), 0)), intercept)


#: Returns the model of some columns, (n_rows, k), for the stage that has them.
Trainer: TypeAlias = Callable[[Floats, WeightedRows], StageModel]


def train_logistic(table: Floats, rows: WeightedRows, C: float) -> StageModel:
    """Return a logistic regression with a ridge, on columns of variance one.

    Shapes: `table` (n_rows, k).
    `C`: weight of the losses.
    """
    shares = rows.shares
    centre = shares @ table
    # In the order that scikit-learn takes without another copy.
    scaled = np.subtract(table, centre, order="C")
    scale = np.sqrt(np.einsum("i,ij,ij->j", shares, scaled, scaled))
    scale = np.where(scale > 1e-12 * np.maximum(1.0, np.abs(centre)), scale, np.inf)
    scaled /= scale
    model = LogisticRegression(C=C, max_iter=_MOST_STEPS)
    # A cascade trains hundreds: what it hands over need not be looked at each time.
    with config_context(assume_finite=True, skip_parameter_validation=True):
        model.fit(scaled, rows.labels, sample_weight=rows.weights)
    coef = model.coef_ / scale
    return StageModel(coef, model.intercept_ - coef @ centre)


def train_clone(table: Floats, rows: WeightedRows, template: Any) -> StageModel:
    """Return a clone of a scikit-learn classifier that takes weights, fitted.

    Shapes: `table` (n_rows, k).
    """
    fitted = clone(template)
    if np.ptp(rows.weights) == 0:  # boosted trees take weights, but slowly
        return StageModel(estimator=fitted.fit(table, rows.labels))
    weights = rows.weights / rows.weights.mean()
    fitted.fit(table, rows.labels, sample_weight=weights)
    return StageModel(estimator=fitted)


def boosted(random_state: int | None) -> HistGradientBoostingClassifier:
    """Return small boosted trees: 60 of 8 leaves."""
    return HistGradientBoostingClassifier(
        max_iter=_TREES,
        max_leaf_nodes=_LEAVES,
        max_bins=_BINS,
        early_stopping=False,
        random_state=random_state,
    )


# What features are worth to boosted trees, interactions included.


_FOLDS = 3
# Rows that are shuffled, and rows that trees look at in one go.
_MOST_ROWS = 1000
_AT_ONCE = 100_000
# Features that trees do not need stay in the order, behind all others of their price.
_LEAST_SHARE = 1e-3


def importances(rows: WeightedRows, random_state: int | None) -> Floats:
    """Return by how much log-loss rises where a feature is shuffled, (n_features,).

    Boosted trees are trained on two thirds of the rows, and features shuffled in the
    rest: what two features say only together counts for both.
    """
    n_features = rows.X.shape[1]
    held_out = rows.folds(_FOLDS, random_state) == 0
    if not held_out.any():
        return np.ones(n_features)
    trees = boosted(random_state)
    model = train_clone(rows.X[~held_out], rows.part(~held_out), trees)
    looked_at = np.flatnonzero(held_out)
    generator = check_random_state(random_state)
    if len(looked_at) > _MOST_ROWS:
        looked_at = np.sort(generator.choice(looked_at, _MOST_ROWS, replace=False))
    test = rows.part(looked_at)
    shuffled = _shuffled_losses(model, test, generator.permutation(len(test.labels)))
    # Permutation importance (Breiman, 2001), in log-loss on rows the trees did not see.
    rises = np.maximum(shuffled - _loss(model.outputs(test.X), test), 0.0)
    return rises + (_LEAST_SHARE * rises.mean() or 1.0)


def log_losses(outputs: Floats, labels: Integers) -> Floats:
    """Return the log-loss of each row, from what `StageModel.outputs` says of it."""
    if outputs.shape[1] == 1:
        outputs = np.column_stack([np.zeros(len(outputs)), outputs[:, 0]])
    logs = log_softmax(outputs, axis=1)
    return -np.asarray(logs[np.arange(len(logs)), labels])


def _loss(outputs: Floats, rows: WeightedRows) -> float:
    return float(rows.shares @ log_losses(outputs, rows.labels))


def _shuffled_losses(
    model: StageModel, rows: WeightedRows, shuffle: Integers
) -> Floats:
    """Return the log-loss with each feature shuffled, shape (n_features,)."""
    n_rows, n_features = rows.X.shape
    at_once = max(_AT_ONCE // n_rows, 1)
    losses = np.empty(n_features)
    for first in range(0, n_features, at_once):
        chunk = np.arange(first, min(first + at_once, n_features))
        tables = np.repeat(rows.X[np.newaxis], len(chunk), axis=0)
        # One shuffle for all features: differences between them are not chance.
        tables[np.arange(len(chunk)), :, chunk] = rows.X[shuffle][:, chunk].T
        outputs = model.outputs(tables.reshape(-1, n_features))
        said = outputs.reshape(len(chunk), n_rows, -1)
        losses[chunk] = [_loss(of_feature, rows) for of_feature in said]
    return losses


# How sure a stage may be, learned on rows that its model was not trained on.


@dataclass(frozen=True)
class Platt:
    """Probability of the second of two classes, logistic in the score of a stage."""

    slope: float  # Of the log-odds; the slope is 0 or more
    intercept: float

    def belief(self, u: Floats) -> Floats:
        """Return calibrated log-odds, (n_rows,) -> (n_rows,)."""
        return self.slope * u + self.intercept


@dataclass(frozen=True, eq=False)
class Shares:
    """How often the best of several classes is right, as the score of a stage rises."""

    scores: Floats  # (k,) Corners of a curve that never falls
    rates: Floats

    def belief(self, u: Floats) -> Floats:
        """Return how often rows of such scores are right, (n_rows,) -> (n_rows,)."""
        return np.interp(u, self.scores, self.rates)


def fit_platt(u: Floats, is_second: Mask, weights: Floats) -> Platt:
    """Return the logistic curve through labels, a row of weight 2 written twice.

    Shapes: `u` (n_rows,), `is_second` (n_rows,), `weights` (n_rows,).
    """
    targets = soft_targets(is_second, weights)
    slope, intercept = counted_curve(u, targets, weights)
    if slope <= 0.0:
        # A score that falls with the class says nothing: the base rate for every row.
        mean = float(weights @ targets / weights.sum())
        return Platt(0.0, float(np.log(mean / (1.0 - mean))))
    return Platt(slope, intercept)


def fit_shares(u: Floats, is_right: Mask, weights: Floats) -> Shares:
    """Return how often rows are right, by isotonic regression.

    Shapes: `u` (n_rows,), `is_right` (n_rows,), `weights` (n_rows,).
    """
    fitted = IsotonicRegression(y_min=0.0, y_max=1.0).fit(
        u, is_right.astype(float), sample_weight=weights
    )
    return Shares(fitted.X_thresholds_, fitted.y_thresholds_)


def calibrate(
    u: Floats, hits: Mask, weights: Floats, folds: Integers, is_binary: bool
) -> tuple[Floats, Platt | Shares]:
    """Return beliefs of curves that were fitted without each row's fold, and the curve.

    Shapes: `u` (n_rows,), `hits` (n_rows,), `weights` (n_rows,), `folds` (n_rows,) ->
    `belief` (n_rows,).
    `hits`: of two classes, whether the second is the row's; of more, whether the best
    is.
    `folds`: which rows were held out together; -1 for those that never were.
    `belief`: log-odds of two classes; of more, how often such rows are right.
    """
    fit: Callable[..., Platt | Shares] = fit_platt if is_binary else fit_shares
    curve = fit(u, hits, weights)
    belief = curve.belief(u)
    for fold in range(folds.max() + 1 if np.ptp(u) > 0 else 0):
        held = folds == fold
        if held.any() and not held.all():
            own = fit(u[~held], hits[~held], weights[~held])
            belief[held] = own.belief(u[held])
    return belief, curve
