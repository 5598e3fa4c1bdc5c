"""The stages of a cascade: how they are trained, and how sure each is of a row."""

from __future__ import annotations

import math
from collections.abc import Generator
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray
from sklearn.isotonic import IsotonicRegression

from ...numerics.acquisition_order import cumulative_costs
from ...numerics.arrays import Floats, Integers, Mask
from ...numerics.inner_folds import deal_folds, left_out, stratified
from ...numerics.svm_stages import (
    StageSolution,
    StageSolver,
    class_signs,
    stage_margins,
    train_stages,
)
from ..grouped import GroupedTraining

_FOLDS = 3


@dataclass(frozen=True)
class StageTrained:
    """Progress of training."""

    #: Stages trained so far, and in all; calibration trains each several times
    done: int
    total: int
    gap: float  #: The largest relative duality gap of this stage


@dataclass(frozen=True, eq=False)
class Stages:
    """The machines of a cascade."""

    # (n_outputs, n_stages, n_features) Weights, zero where a stage has not acquired a
    # feature
    coef: Floats
    intercept: Floats  # (n_outputs, n_stages)
    gap: Floats  # (n_outputs, n_stages) Relative duality gaps
    spread: Floats  # (n_features,) The units that columns were measured in


@dataclass(frozen=True, eq=False)
class TrainingPlan:
    """What is to be trained, and on which rows."""

    training: GroupedTraining
    groups: tuple[Integers, ...]  # What each stage adds
    n_classes: int
    C: float  # Weight of the losses
    solver: StageSolver  # How the machines are solved
    random_state: int | None  # Seed of the folds and of the path's perturbation
    standardise: bool  # Whether columns are measured in units of their spread

    def train(self, rows: Integers) -> Generator[StageSolution, None, Stages]:
        """Train stage after stage on some rows, and yield each."""
        solved = []
        for stage in train_stages(
            self.training.X[rows],
            class_signs(self.training.labels[rows], self.n_classes),
            self.C * self.training.weights[rows],
            self.groups,
            self.solver,
            self.random_state,
            self.standardise,
        ):
            solved.append(stage)
            yield stage
        return Stages(
            np.stack([stage.coef for stage in solved], axis=1),
            np.stack([stage.intercept for stage in solved], axis=1),
            np.stack([stage.gap for stage in solved], axis=1),
            solved[-1].spread,
        )

    @cached_property
    def costs(self) -> Floats:
        """Cost of a row that leaves at each stage, (n_stages,); shared ones once."""
        hypergraph = self.training.hypergraph
        needs = [hypergraph.required_components(group) for group in self.groups]
        return cumulative_costs(np.array(needs), self.training.costs)

    @cached_property
    def folds(self) -> list[tuple[Integers, Integers]]:
        """Training and held-out rows of each fold of a calibration."""
        labels, groups = self.training.labels, self.training.row_groups
        everything = np.arange(len(labels))
        n_folds = min(_FOLDS, int(np.bincount(labels).min()))
        if n_folds < 2:
            return [(everything, everything)]
        folds = deal_folds(
            labels, n_folds, self.random_state, groups, freely=stratified
        )
        return list(left_out(folds))

    def calibrate(self) -> Generator[StageSolution, None, Calibration]:
        """Train on folds, and calibrate on the rows that were held out."""
        training = self.training
        n_outputs = 1 if self.n_classes == 2 else self.n_classes
        margins = np.empty((len(training.X), n_outputs, len(self.groups)))
        for rows, held_out in self.folds:
            stages = yield from self.train(rows)
            table = training.X[held_out]
            margins[held_out] = stage_margins(table, stages.coef, stages.intercept)
        return calibrate(margins, training.labels, training.weights)


# How sure a stage is of its prediction.


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
