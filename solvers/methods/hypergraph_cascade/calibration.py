"""How sure a stage may be, learned on rows that its model was not trained on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from sklearn.isotonic import IsotonicRegression

from ...decisions.platt import counted_curve, soft_targets
from ...numerics.arrays import Floats, Integers, Mask

__all__ = ["Platt", "Shares", "calibrate", "fit_platt", "fit_shares"]


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
