"""Probabilities from scores: the logistic curve that labelled rows ask for.

Of many classes it is a softmax: one slope for all scores, and an offset of each class.
"""

from __future__ import annotations

import numpy as np
from scipy.optimize import minimize
from scipy.special import expit, log_expit, log_softmax

from ..numerics.arrays import Floats, Integers, Mask

_STEPS = 50
_TOLERANCE = 1e-10
# Of a class that training did not know a row has this chance.
_UNKNOWN = 1e-15


def curve(
    scores: Floats, positive: Mask, weight: Floats | None = None
) -> tuple[float, float]:
    """Return slope and intercept of the curve that fits best.

    Weights are scaled to average to one: they say how rows compare, not how many there
    are.

    Shapes: `scores`, `positive` and `weight` (n_samples,).
    """
    counts = np.ones(len(scores)) if weight is None else weight / weight.mean()
    return counted_curve(scores, soft_targets(positive, counts), counts)


def soft_targets(positive: Mask, counts: Floats) -> Floats:
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
    scores: Floats, targets: Floats, counts: Floats
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


def log_loss(odds: Floats, positive: Mask, weight: Floats | None = None) -> float:
    """Return the mean negative logarithm of the probability of what is true."""
    said = log_expit(np.where(positive, odds, -odds))
    return float(-np.average(said, weights=weight))


def _loss(odds: Floats, targets: Floats, counts: Floats) -> float:
    said = targets * log_expit(odds) + (1 - targets) * log_expit(-odds)
    return float(-(counts @ said))


def _stepped(
    design: Floats,
    targets: Floats,
    counts: Floats,
    weights: Floats,
    step: Floats,
    loss: float,
) -> tuple[Floats, float, float]:
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


def class_curve(
    scores: Floats, labels: Integers, weight: Floats | None = None
) -> tuple[float, Floats]:
    """Return slope and offsets of the softmax that fits best: `curve` of many classes.

    Shapes: `scores` (n_samples, n_classes), `labels` and `weight` (n_samples,) ->
    (n_classes,).
    `labels`: codes of the classes; rows of another one, -1, are not looked at.
    """
    known = labels >= 0
    counts = np.ones(len(labels)) if weight is None else weight / weight.mean()
    scores, labels, counts = scores[known], labels[known], counts[known]
    n_classes = scores.shape[1]
    # As `soft_targets`: each other class counts as one row more.
    of_class = np.bincount(labels, counts, n_classes)[labels]
    targets = np.tile(1.0 / (of_class + n_classes), (n_classes, 1)).T
    targets[np.arange(len(labels)), labels] *= of_class + 1.0
    centred = scores - scores.mean(axis=1, keepdims=True)
    spread = float(centred.std()) or 1.0

    def value_and_slope(x: Floats) -> tuple[float, Floats]:
        said = log_softmax(x[0] * centred / spread + x[1:], axis=1)
        off = counts[:, np.newaxis] * (np.exp(said) - targets)
        slope = np.append((off * centred).sum() / spread, off.sum(axis=0))
        total = max(float(counts.sum()), 1.0)
        return -float(counts @ (targets * said).sum(axis=1)) / total, slope / total

    if not len(labels):
        return 1.0, np.zeros(n_classes)
    found = minimize(value_and_slope, np.zeros(1 + n_classes), jac=True).x
    return float(found[0] / spread), found[1:] - found[1:].mean()


def class_log_loss(
    scores: Floats, labels: Integers, weight: Floats | None = None
) -> float:
    """Return the mean negative logarithm of the softmax of the true class's score.

    Shapes: `scores` (n_samples, n_classes), `labels` and `weight` (n_samples,).
    `labels`: codes; of a row of another class, -1, it is that of a tiny chance.
    """
    said = log_softmax(scores, axis=1)
    of_rows = said[np.arange(len(labels)), np.maximum(labels, 0)]
    of_rows = np.where(labels >= 0, of_rows, np.log(_UNKNOWN))
    return float(-np.average(of_rows, weights=weight))
