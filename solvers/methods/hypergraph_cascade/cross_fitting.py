"""What stages say of rows that nothing about them was learned from.

Each fold has its own tree, order and models, learned from the other folds. Stages of
different orders are pooled by what they cost: a row hears, at each stage of the cascade
of all rows, the models of its fold's own cascade for the nearest cost.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...numerics.arrays import Floats, Integers
from .blueprint import Blueprint, Sample
from .calibration import Platt, Shares, calibrate
from .policy_objective import HeldOut
from .rows import WeightedRows
from .stages import StageModel, StagePlan, Trainer, confidences, prior_model

__all__ = ["Said", "fill_fold", "held_out_leaf", "train_leaf", "trained_model"]


@dataclass(frozen=True, eq=False)
class Said:
    """Scores and best classes, shape (n_rows, n_stages of the row's leaf)."""

    u: Floats
    called: Integers

    @classmethod
    def nothing(cls, n_rows: int, plans: tuple[StagePlan, ...]) -> Said:
        shape = n_rows, max(plan.n_stages for plan in plans)
        return cls(np.full(shape, np.nan), np.zeros(shape, dtype=np.int64))

    def write(self, rows: Integers, stage: int, outputs: Floats) -> None:
        self.u[rows, stage] = confidences(outputs)
        if outputs.shape[1] > 1:
            self.called[rows, stage] = np.argmax(outputs, axis=1)


def trained_model(trainer: Trainer, table: Floats, rows: WeightedRows) -> StageModel:
    """Return the model of a stage; shares of the classes where it has no column."""
    return trainer(table, rows) if table.shape[1] else prior_model(rows)


def train_leaf(
    rows: WeightedRows, blueprint: Blueprint, leaf: int, trainer: Trainer
) -> tuple[StageModel, ...]:
    """Return the models of a leaf's stages, from its rows."""
    plan = blueprint.plans[leaf]
    table = blueprint.columns.table(rows.X, plan.columns)
    rows = rows.without_columns()
    return tuple(trained_model(trainer, table[:, :end], rows) for end in plan.ends)


def fill_fold(
    said: Said,
    rows: WeightedRows,
    fold: Integers,
    member: Blueprint,
    sample: Sample,
    drawn: Blueprint,
    trainer: Trainer,
) -> None:
    """Write what a fold's own cascade says of its rows, at the costs of the member's.

    `said`: where to.
    """
    leaf_of = member.tree.leaves(rows.X)
    own_leaf = drawn.tree.leaves(rows.X[fold])
    trained_on = drawn.tree.leaves(sample.rows.X)
    for number, plan in enumerate(drawn.plans):
        here = fold[own_leaf == number]
        if not here.size:
            continue
        part = sample.rows.part(trained_on == number)
        known = drawn.columns.table(rows.X[here], plan.columns)
        table = drawn.columns.table(part.X, plan.columns)
        part = part.without_columns()
        models: dict[int, StageModel] = {}
        for leaf, full in enumerate(member.plans):
            mine = leaf_of[here] == leaf
            for stage, cost in enumerate(full.costs if mine.any() else ()):
                # The fold's own cascade ends elsewhere: its stage of nearest cost.
                end = int(plan.ends[np.argmin(np.abs(plan.costs - cost))])
                if end not in models:
                    models[end] = trained_model(trainer, table[:, :end], part)
                said.write(here[mine], stage, models[end].outputs(known[mine, :end]))


def held_out_leaf(
    said: Said, rows: WeightedRows, folds: Integers, here: Integers, plan: StagePlan
) -> tuple[HeldOut, tuple[Platt | Shares, ...]]:
    """Return what is said of a leaf's rows, and the calibrations of its stages."""
    is_binary = rows.n_classes == 2
    labels, weights = rows.labels[here], rows.weights[here]
    u, called = said.u[here, : plan.n_stages].T, said.called[here, : plan.n_stages].T
    hits = np.broadcast_to(labels == 1, u.shape) if is_binary else called == labels
    found = [
        calibrate(u[stage], hits[stage], weights, folds[here], is_binary)
        for stage in range(plan.n_stages)
    ]
    # Beliefs come from curves that were fitted without the row's fold.
    belief = np.array([said_of for said_of, _ in found])
    if is_binary:
        called = (belief > 0.0).astype(np.int64)
    held_out = HeldOut(
        u, belief, called, labels, weights, plan.costs, folds[here], here
    )
    return held_out, tuple(curve for _, curve in found)
