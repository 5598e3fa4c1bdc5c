"""How sure a stage of the cascade is of its prediction."""

from __future__ import annotations

import math
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray
from sklearn.isotonic import IsotonicRegression

from ...numerics.arrays import Floats, Integers, Mask

Confidence: TypeAlias = Literal["distance", "raw", "gap", "calibrated"]

# For each stage gaps, rising, and the share of rows of such a gap that are right.
Calibration: TypeAlias = "list[tuple[Floats, Floats]]"


def called_classes(margins: Floats) -> Integers:
    """Return the code of the class that each stage predicts.

    Shapes: `margins` (n_samples, n_outputs, n_stages) -> (n_samples, n_stages).
    `margins`: decisions of the machines: one output for two classes, one a class for
    more.
    """
    if margins.shape[1] == 1:
        return (margins[:, 0] > 0).astype(np.int64)
    return np.argmax(margins, axis=1)


def stage_confidences(
    margins: Floats,
    norms: Floats,
    blocked: Mask,
    kind: Confidence,
    calibration: Calibration | None = None,
) -> Floats:
    """Return how sure each stage is of each row; minus infinity: it may not answer.

    Shapes: `margins` (n_samples, n_outputs, n_stages), `norms` (n_outputs, n_stages),
    `blocked` (n_outputs, n_stages) -> (n_samples, n_stages).
    `blocked`: machines that say the same of every row; none may end a row's way.
    `kind`: "distance": Eq. (12) of [1]_, the distance from the boundary; "raw": the
    decision itself; of more than two classes exactly one must claim the row. "gap": by
    how much the best class beats the second. "calibrated": how often rows of such a gap
    are right at this stage.

    References
    ----------
    .. [1] Liu et al., "TEFE: a time-efficient approach to feature extraction", 2008.
    """
    if kind in ("distance", "raw"):
        # Eq. (12): |f| / |w|, the distance from the boundary; 0 / 0 where blocked.
        lengths = np.where(blocked, 1.0, norms) if kind == "distance" else 1.0
        sure = _claimed(margins, margins / lengths)
    else:
        sure = gaps(margins)
        if kind == "calibrated":
            sure = _calibrated(sure, calibration or [])
    winners = called_classes(margins) if margins.shape[1] > 1 else 0
    return np.where(blocked[winners, np.arange(margins.shape[2])], -np.inf, sure)


def _claimed(margins: NDArray, scaled: NDArray) -> Floats:
    """Return the score of the only class that claims a row, if only one does."""
    if margins.shape[1] == 1:
        return np.abs(scaled[:, 0])
    winners = np.argmax(margins, axis=1)[:, np.newaxis]
    best = np.take_along_axis(scaled, winners, axis=1)[:, 0]
    return np.where((margins > 0).sum(axis=1) == 1, best, -np.inf)


def gaps(margins: Floats) -> Floats:
    """Return by how much the best class beats the second at each stage.

    Shapes: `margins` (n_samples, n_outputs, n_stages) -> (n_samples, n_stages).
    """
    if margins.shape[1] == 1:
        # One output is f for the second class and -f for the first.
        return 2.0 * np.abs(margins[:, 0])
    best = np.partition(margins, -2, axis=1)
    return best[:, -1] - best[:, -2]


def _calibrated(gap: NDArray, calibration: Calibration) -> Floats:
    return np.column_stack(
        [
            np.interp(gap[:, stage], known, shares)
            for stage, (known, shares) in enumerate(calibration)
        ]
    )


def calibrate(margins: Floats, labels: Integers, weights: Floats) -> Calibration:
    """Return how often each stage is right, as a function of the gap that rises.

    Shapes: `margins` (n_samples, n_outputs, n_stages), `labels` (n_samples,), `weights`
    (n_samples,).
    """
    gap, right = gaps(margins), called_classes(margins) == labels[:, np.newaxis]
    curves = []
    for stage in range(gap.shape[1]):
        fitted = IsotonicRegression(y_min=0.0, y_max=1.0).fit(
            gap[:, stage], right[:, stage].astype(float), sample_weight=weights
        )
        curves.append((fitted.X_thresholds_, fitted.y_thresholds_))
    return curves


def least_gap(gaps: Floats, shares: Floats, share: float) -> float:
    """Return the smallest gap at which a curve that rises reaches a share."""
    if np.interp(-math.inf, gaps, shares) >= share:
        return -math.inf
    low, high = 0.0, float(gaps[-1])
    if np.interp(low, gaps, shares) >= share:
        return low
    if np.interp(high, gaps, shares) < share:
        return math.inf
    while low < (middle := low + (high - low) / 2.0) < high:
        if np.interp(middle, gaps, shares) >= share:
            high = middle
        else:
            low = middle
    return high
