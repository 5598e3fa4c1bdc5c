"""Support vector machines on growing sets of features, one against the rest.

Columns are measured in units of their own spread, so that neither unit nor zero of one
counts. The spread is the weighted standard deviation: penalties of squares then weigh
columns alike, one far-off value does not stretch a unit as it stretches a range, and a
row of weight two is a row written twice.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning

from .arrays import Floats, Integers, Mask
from .svm_machines import SVMSolutions, solve_prefixes
from .svm_optimum import polish
from .svm_path import solution_path

# A column whose spread is below this share of its largest value is constant but for
# rounding: its unit stays as it is, and its values are all taken to be its mean.
_CONSTANT = 1e-13


@dataclass(frozen=True, eq=False)
class ColumnScale:
    """Mean and spread of each column, (n_features,); a spread is never 0."""

    centre: Floats
    spread: Floats
    is_constant: Mask

    @classmethod
    def of(cls, X: Floats, weights: Floats) -> Self:
        """Return the scale of the columns of a table of weighted rows."""
        # Shares of the largest value: squares of huge values overflow.
        largest = np.abs(X).max(axis=0)
        unit = np.where(largest > 0.0, largest, 1.0)
        weights = weights / weights.sum()
        shares = X / unit
        mean = weights @ shares
        shares -= mean
        # A second pass takes away what rounding left in the mean.
        left = weights @ shares
        shares -= left
        np.square(shares, out=shares)
        spread = np.sqrt(weights @ shares)
        is_constant = spread <= _CONSTANT
        spread = np.where(is_constant, 1.0, spread * unit)
        # So tiny a spread would overflow when weights are brought back.
        is_constant |= spread < np.finfo(float).tiny
        return cls(
            (mean + left) * unit, np.where(is_constant, 1.0, spread), is_constant
        )

    @classmethod
    def unchanged(cls, n_features: int) -> Self:
        """Return the scale that leaves columns as they are."""
        return cls(
            np.zeros(n_features), np.ones(n_features), np.zeros(n_features, dtype=bool)
        )

    def standardised(self, X: Floats) -> Floats:
        """Return columns of mean 0 and spread 1, those that are constant all 0."""
        scaled = X - self.centre
        scaled /= self.spread
        scaled[:, self.is_constant] = 0.0
        return scaled

    def raw(self, coef: Floats, intercept: Floats) -> tuple[Floats, Floats]:
        """Return weights and intercepts that say of raw rows what these say of scaled.

        ``coef`` is (n_outputs, n_features), ``intercept`` (n_outputs,).
        """
        coef = coef / self.spread
        return coef, intercept - coef @ self.centre


StageSolver: TypeAlias = Literal["interior_point", "path"]

# A relative duality gap above this is told.
_TOLERATED_GAP = 1e-8
_REMEDY = {True: "lower C", False: "set standardise=True"}
# Decisions are whole multiples of one part of these: a power of two, so exactly.
STEPS = 2.0**40


@dataclass(frozen=True, eq=False)
class StageSolution:
    """The machines of one stage."""

    # (n_columns,) The features that are there, in the order in which they were acquired
    columns: Integers
    coef: Floats  # (n_outputs, n_features) Weights, zero where a feature is not there
    intercept: Floats  # (n_outputs,) Intercepts
    gap: Floats  # (n_outputs,) Duality gaps relative to the objective
    # (n_features,) The units that columns were measured in: weights of columns in these
    # units are ``coef * spread``
    spread: Floats


def class_signs(labels: Integers, n_classes: int) -> Floats:
    """Return one row of signs for two classes, and one a class for more.

    Shapes: `labels` (n_samples,) -> (n_outputs, n_samples).
    +1 where the row is of the class (of the second, if there are two).
    """
    positive = np.arange(n_classes) if n_classes > 2 else np.array([1])
    return np.where(labels == positive[:, np.newaxis], 1.0, -1.0)


def rounded(margins: Floats) -> Floats:
    """Return decisions without their last digits.

    Those depend on how many rows are computed together; a row on a boundary, or on its
    margin of 1, must not.
    """
    return np.rint(margins * STEPS) / STEPS


def stage_margins(X: Floats, coef: Floats, intercept: Floats) -> Floats:
    """Return the decision of every machine of every stage.

    Shapes: `X` (n_samples, n_features), `coef` (n_outputs, n_stages, n_features),
    `intercept` (n_outputs, n_stages) -> (n_samples, n_outputs, n_stages).
    """
    flat = X @ coef.reshape(-1, X.shape[1]).T
    return rounded(flat.reshape(len(X), *intercept.shape) + intercept)


def train_stages(
    X: Floats,
    signs: Floats,
    caps: Floats,
    groups: Sequence[Integers],
    solver: StageSolver = "interior_point",
    random_state: int | None = 0,
    standardise: bool = True,
) -> Iterator[StageSolution]:
    """Yield the machines after each group of features has been added.

    They are trained on columns in units of their spread, and are given for the rows as
    they are.

    Shapes: `X` (n_samples, n_features), `signs` (n_outputs, n_samples), `caps`
    (n_samples,).
    `standardise`: whether columns are measured in units of their spread.
    """
    columns = np.concatenate(groups)
    ends = np.cumsum([len(group) for group in groups])
    scale = (
        ColumnScale.of(X, caps) if standardise else ColumnScale.unchanged(X.shape[1])
    )
    ordered = scale.standardised(X)[:, columns]
    solutions = (
        _by_path(ordered, signs, caps, ends, random_state)
        if solver == "path"
        else solve_prefixes(ordered, signs, caps, [int(end) for end in ends])
    )
    for stage, (end, solved) in enumerate(zip(ends, solutions, strict=True)):
        if solved.gap.max() > _TOLERATED_GAP:
            warnings.warn(
                f"Stage {stage + 1} stopped at a relative duality gap of "
                f"{solved.gap.max():.1e}; {_REMEDY[standardise]}.",
                ConvergenceWarning,
                stacklevel=2,
            )
        coef = np.zeros((len(signs), X.shape[1]))
        coef[:, columns[:end]] = solved.coef
        yield StageSolution(
            columns[:end], *scale.raw(coef, solved.intercept), solved.gap, scale.spread
        )


def _by_path(
    X: NDArray, signs: NDArray, caps: NDArray, ends: Integers, random_state: int | None
) -> Iterator[SVMSolutions]:
    """Yield the machines at the ends of groups; all outputs walk side by side."""
    walks = [solution_path(X, own, caps, random_state) for own in signs]
    for end in ends:
        machines = []
        for walk, own in zip(walks, signs, strict=True):
            point = next(at for at in walk if at.beta == 0.0 and at.n_features == end)
            # Its margins are a hair more than 1: the machine next to it has 1 exactly.
            machines.append(polish(X[:, :end], own, caps, point.alpha * own))
        yield SVMSolutions.of(machines)
