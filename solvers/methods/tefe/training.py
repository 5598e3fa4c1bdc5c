"""Training the stages of a cascade, and calibrating how sure they are."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import dataclass

import numpy as np
from sklearn.model_selection import StratifiedKFold

from ...arrays import Floats, Integers
from ...grouped import GroupedTraining
from ...numerics.svm_stages import StageSolver, class_signs, rounded, train_stages
from .confidence import Calibration, Confidence, calibrate

__all__ = [
    "StageTrained",
    "Stages",
    "TrainingPlan",
    "calibration_folds",
    "held_out_calibration",
    "train",
]

_FOLDS = 3


@dataclass(frozen=True)
class StageTrained:
    """Progress of training."""

    #: Stages trained so far, and in all; calibration trains each several times
    done: int
    total: int
    gap: float  #: The largest relative duality gap of this stage


@dataclass(eq=False)
class Stages:
    """The machines of a cascade, filled in as they are trained."""

    # (n_outputs, n_stages, n_features) Weights, zero where a stage has not acquired a
    # feature
    coef: Floats
    intercept: Floats  # (n_outputs, n_stages) Intercepts
    gap: Floats  # (n_outputs, n_stages) Relative duality gaps
    spread: Floats  # (n_features,) The units that columns were measured in

    def margins(self, X: Floats) -> Floats:
        """Return the decision of every machine on every row.

        Shapes: `X` (n_samples, n_features) -> (n_samples, n_outputs, n_stages).
        """
        flat = X @ self.coef.reshape(-1, X.shape[1]).T
        return rounded(flat.reshape(len(X), *self.intercept.shape) + self.intercept)


@dataclass(frozen=True)
class TrainingPlan:
    """What is to be trained."""

    groups: tuple[Integers, ...]  # What each stage adds
    n_classes: int  # How many classes there are
    C: float  # Weight of the losses
    solver: StageSolver  # How the machines are solved
    random_state: int | None  # Seed of the folds and of the path's perturbation
    standardise: bool  # Whether columns are measured in units of their spread

    def empty_stages(self, n_features: int) -> Stages:
        """Return stages that are all zero."""
        n_outputs = 1 if self.n_classes == 2 else self.n_classes
        flat = (n_outputs, len(self.groups))
        return Stages(
            np.zeros((*flat, n_features)),
            np.zeros(flat),
            np.zeros(flat),
            np.ones(n_features),
        )

    def n_trainings(self, training: GroupedTraining, confidence: Confidence) -> int:
        """Return how often every stage is trained."""
        if confidence != "calibrated":
            return 1
        return 1 + len(calibration_folds(training.labels, self.random_state))


def train(
    plan: TrainingPlan, training: GroupedTraining, rows: Integers, stages: Stages
) -> Iterator[float]:
    """Train stage after stage on some rows, and yield the largest gap of each."""
    signs = class_signs(training.labels[rows], plan.n_classes)
    caps = plan.C * training.weights[rows]
    solutions = train_stages(
        training.X[rows],
        signs,
        caps,
        plan.groups,
        plan.solver,
        plan.random_state,
        plan.standardise,
    )
    for stage, solved in enumerate(solutions):
        stages.coef[:, stage] = solved.coef
        stages.intercept[:, stage] = solved.intercept
        stages.gap[:, stage] = solved.gap
        stages.spread = solved.spread
        yield float(solved.gap.max())


def calibration_folds(
    labels: Integers, random_state: int | None
) -> list[tuple[Integers, Integers]]:
    """Return training and held-out rows of each fold.

    Shapes: `labels` (n_samples,).
    """
    everything = np.arange(len(labels))
    folds = min(_FOLDS, int(np.bincount(labels).min()))
    if folds < 2:
        return [(everything, everything)]
    cut = StratifiedKFold(folds, shuffle=True, random_state=random_state)
    return list(cut.split(everything, labels))


def held_out_calibration(
    plan: TrainingPlan, training: GroupedTraining
) -> Generator[float, None, Calibration]:
    """Train on folds, and calibrate on the rows that were held out."""
    n_samples, n_features = training.X.shape
    stages = plan.empty_stages(n_features)
    margins = np.empty((n_samples, *stages.intercept.shape))
    for rows, held_out in calibration_folds(training.labels, plan.random_state):
        yield from train(plan, training, rows, stages)
        margins[held_out] = stages.margins(training.X[held_out])
    return calibrate(margins, training.labels, training.weights)
