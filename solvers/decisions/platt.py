"""Probabilities from scores: the logistic curve that labelled rows ask for."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, log_expit

_STEPS = 50
_TOLERANCE = 1e-10


def curve(
    scores: NDArray[np.float64],
    positive: NDArray[np.bool_],
    weight: NDArray[np.float64] | None = None,
) -> tuple[float, float]:
    """Return slope and intercept of the curve that fits best.

    Weights are scaled to average to one: they say how rows compare, not how many there
    are.

    Shapes: `scores`, `positive` and `weight` (n_samples,).
    """
    counts = np.ones(len(scores)) if weight is None else weight / weight.mean()
    return counted_curve(scores, soft_targets(positive, counts), counts)


def soft_targets(
    positive: NDArray[np.bool_], counts: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return what rows count as: not 0 and 1, but held back a little.

    So scores that part the classes have a curve, too: Platt, "Probabilistic outputs for
    support vector machines", 1999, section 2.2.

    Shapes: `positive` and `counts`, as how many rows each counts, (n_samples,).
    """
    n_positive = float(counts @ positive)
    n_negative = float(counts.sum()) - n_positive
    return np.where(
        positive, (n_positive + 1.0) / (n_positive + 2.0), 1.0 / (n_negative + 2.0)
    )


def counted_curve(
    scores: NDArray[np.float64],
    targets: NDArray[np.float64],
    counts: NDArray[np.float64],
) -> tuple[float, float]:
    """Return slope and intercept of least cross-entropy, by Newton's method.

    Shapes: `scores`, `targets` and `counts` (n_samples,).
    """
    # Standardised: Newton's system is well conditioned in any unit of the score.
    centre, spread = float(scores.mean()), float(scores.std()) or 1.0
    if scores.min() == scores.max():  # of many, the mean differs by rounding
        centre, spread = float(scores[0]), 1.0
    design = np.column_stack([(scores - centre) / spread, np.ones(len(scores))])
    # A breath of ridge that is not lost beside sums over many rows.
    ridge = 1e-12 * max(1.0, float(counts.sum())) * np.eye(2)
    weights = np.zeros(2)
    loss = _loss(design @ weights, targets, counts)
    for _ in range(_STEPS):
        said = expit(design @ weights)
        # Cross-entropy with soft targets: gradient X'(p - t), Hessian X'diag(p - p²)X.
        gradient = design.T @ (counts * (said - targets))
        variance = counts * said * (1.0 - said)
        curvature = (design * variance[:, np.newaxis]).T @ design
        step = np.linalg.solve(curvature + ridge, gradient)
        weights, before, loss = _stepped(design, targets, counts, weights, step, loss)
        if before - loss <= _TOLERANCE * abs(before):
            break
    slope, intercept = weights
    return float(slope / spread), float(intercept - slope * centre / spread)


def log_loss(
    odds: NDArray[np.float64],
    positive: NDArray[np.bool_],
    weight: NDArray[np.float64] | None = None,
) -> float:
    """Return the mean negative logarithm of the probability of what is true."""
    said = log_expit(np.where(positive, odds, -odds))
    return float(-np.average(said, weights=weight))


def _loss(
    odds: NDArray[np.float64], targets: NDArray[np.float64], counts: NDArray[np.float64]
) -> float:
    said = targets * log_expit(odds) + (1 - targets) * log_expit(-odds)
    return float(-(counts @ said))


def _stepped(
    design: NDArray[np.float64],
    targets: NDArray[np.float64],
    counts: NDArray[np.float64],
    weights: NDArray[np.float64],
    step: NDArray[np.float64],
    loss: float,
) -> tuple[NDArray[np.float64], float, float]:
    """Return where a step leads that lowers the loss, with the loss before and after.

    Halved until it does, or given up.
    """
    for _ in range(30):
        moved = weights - step
        found = _loss(design @ moved, targets, counts)
        if found <= loss:
            return moved, loss, found
        step = step / 2
    return weights, loss, loss
