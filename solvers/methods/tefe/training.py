"""Training the stages of a cascade, and calibrating how sure they are."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ...numerics.acquisition_order import cumulative_costs
from ...numerics.arrays import Floats, Integers
from ...numerics.inner_folds import deal_folds, left_out, stratified
from ...numerics.svm_stages import (
    StageSolution,
    StageSolver,
    class_signs,
    stage_margins,
    train_stages,
)
from ..grouped import GroupedTraining
from .confidence import Calibration, calibrate

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
