"""How sure a stage may be, learned on rows that its model was not trained on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit
from sklearn.isotonic import IsotonicRegression

__all__ = ["Platt", "Shares", "calibrate", "fit_platt", "fit_shares"]

_MAX_STEPS = 50
_TOL = 1e-10
_HALVINGS = 30


@dataclass(frozen=True)
class Platt:
    """Probability of the second of two classes, logistic in the score of a stage."""

    slope: float  # Of the log-odds; the slope is 0 or more
    intercept: float

    def odds(self, u: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return calibrated log-odds.

        Shapes: `u` (n_rows,) -> (n_rows,).
        """
        return self.slope * u + self.intercept


@dataclass(frozen=True, eq=False)
class Shares:
    """How often the best of several classes is right, as the score of a stage rises."""

    scores: NDArray[np.float64]  # (k,) Corners of a curve that never falls
    rates: NDArray[np.float64]

    def rate(self, u: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return how often rows of such scores are right.

        Shapes: `u` (n_rows,) -> (n_rows,).
        """
        return np.interp(u, self.scores, self.rates)


def fit_platt(
    u: NDArray[np.float64], is_second: NDArray[np.bool_], weights: NDArray[np.float64]
) -> Platt:
    """Return the logistic curve through labels that are held back a little [1]_.

    Shapes: `u` (n_rows,), `is_second` (n_rows,), `weights` (n_rows,).

    References
    ----------
    .. [1] Platt, "Probabilistic outputs for support vector machines", 1999, with the
       targets of its section 2.2; by Newton's method with step halving.
    """
    n_second = float(weights[is_second].sum())
    n_first = float(weights.sum()) - n_second
    target = np.where(is_second, (n_second + 1) / (n_second + 2), 1 / (n_first + 2))
    centre, scale = float(u.mean()), float(u.std())
    z = (u - centre) / (scale if scale > _TOL else np.inf)
    mean = float(weights @ target / weights.sum())
    w = np.array([0.0, np.log(mean / (1.0 - mean))])
    table = np.column_stack([z, np.ones(len(z))])
    for _ in range(_MAX_STEPS):
        p = expit(table @ w)
        # Cross-entropy with soft targets: gradient X'(p - t), Hessian X'diag(p - p²)X.
        gradient = table.T @ (weights * (p - target))
        if np.abs(gradient).max() <= _TOL * weights.sum():
            break
        hessian = (table.T * (weights * p * (1.0 - p))) @ table
        hessian[np.diag_indices(2)] += _TOL * weights.sum()
        w = _halved(w, -np.linalg.solve(hessian, gradient), table, target, weights)
    # A score that falls with the class says nothing: the base rate for every row.
    if w[0] <= 0.0:
        return Platt(0.0, float(np.log(mean / (1.0 - mean))))
    slope = float(w[0]) / scale if scale > _TOL else 0.0
    return Platt(slope, float(w[1]) - slope * centre)


def _halved(
    w: NDArray, step: NDArray, table: NDArray, target: NDArray, weights: NDArray
) -> NDArray[np.float64]:
    value = _loss(table @ w, target, weights)
    for _ in range(_HALVINGS):
        if _loss(table @ (w + step), target, weights) <= value:
            return w + step
        step = step / 2.0
    return w


def _loss(odds: NDArray, target: NDArray, weights: NDArray) -> float:
    return float(weights @ (np.logaddexp(0.0, odds) - target * odds))


def fit_shares(
    u: NDArray[np.float64], is_right: NDArray[np.bool_], weights: NDArray[np.float64]
) -> Shares:
    """Return how often rows are right, by isotonic regression.

    Shapes: `u` (n_rows,), `is_right` (n_rows,), `weights` (n_rows,).
    """
    fitted = IsotonicRegression(y_min=0.0, y_max=1.0).fit(
        u, is_right.astype(float), sample_weight=weights
    )
    return Shares(fitted.X_thresholds_, fitted.y_thresholds_)


def calibrate(
    u: NDArray[np.float64],
    hits: NDArray[np.bool_],
    weights: NDArray[np.float64],
    folds: NDArray[np.int_],
    is_binary: bool,
) -> tuple[NDArray[np.float64], Platt | Shares]:
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
    belief = _belief(curve, u)
    for fold in range(folds.max() + 1 if np.ptp(u) > 0 else 0):
        held = folds == fold
        if held.any() and not held.all():
            own = fit(u[~held], hits[~held], weights[~held])
            belief[held] = _belief(own, u[held])
    return belief, curve


def _belief(curve: Platt | Shares, u: NDArray[np.float64]) -> NDArray[np.float64]:
    return curve.odds(u) if isinstance(curve, Platt) else curve.rate(u)
