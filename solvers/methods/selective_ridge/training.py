"""From what a caller gives to a problem that the solvers can trust."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils.validation import check_array, column_or_1d

from ...checks import row_weights
from ...costs.alignment import aligned_values, column_names
from ...costs.hypergraph import FeatureHypergraph
from ...errors import DataError, shown
from ...numerics.arrays import Floats, Mask
from ...values.knobs import Choice, Number
from .losses import LOSSES
from .problem import RidgeProblem

LossName: TypeAlias = Literal["squared", "hinge", "logistic"]

# What a table may be made of; float32 is kept as it is, for memory.
FLOATS = (np.float64, np.float32)

GAMMA = Number(
    "Ridge γ",
    0.0,
    np.inf,
    scale="log",
    open=True,
    shown=(1e-3, 1e3),
    doc="Weight of the penalty against the losses.",
)
MU = Number(
    "Selectivity μ",
    0.0,
    np.inf,
    scale="log",
    shown=(1e-4, 1e2),
    doc="Coefficients below it are drawn to zero; 0 is plain ridge.",
)
TOL = Number(
    "Tolerance",
    0.0,
    1.0,
    scale="log",
    open=True,
    shown=(1e-9, 1e-2),
    doc="Relative duality gap at which to stop.",
)
LOSS = Choice("Loss", tuple(LOSSES))
ALGORITHM = Choice(
    "Algorithm",
    ("interior_point", "published"),
    doc="Ours, or the paper's iteration with the gap that it leaves.",
)


@dataclass(frozen=True, eq=False)
class TrainingRows:
    """Checked rows; those of weight 0 are left out of all but `is_used`."""

    X: Any  # (n_used, n_features) The rows that are used
    y: Floats  # (n_used,) Targets, or classes as -1 and +1
    weights: Floats  # (n_used,) Their weights, above 0
    is_used: Mask  # (n_samples,) Which of the rows that were given these are

    @classmethod
    def of(cls, X: Any, y: Floats, sample_weight: Any) -> TrainingRows:
        """Return rows of a checked table, without those of weight 0."""
        weights = row_weights(sample_weight, X.shape[0])
        used = weights > 0
        if used.all():
            return cls(X, y, weights, used)
        return cls(X[used], y[used], weights[used], used)

    def problem(
        self, loss: str, gamma: float, scales: Floats | None, standardise: bool = False
    ) -> RidgeProblem:
        """Return the problem that these rows pose."""
        if loss != "squared" and len(np.unique(self.y)) < 2:
            raise DataError(
                "Rows of weight above 0 are all of one class; weigh rows of two."
            )
        if scales is None:
            scales = np.ones(self.X.shape[1])
        return RidgeProblem.of(
            self.X, self.y, self.weights, scales, gamma, loss, standardise
        )


def checked_scales(
    feature_weights: ArrayLike | None,
    hypergraph: FeatureHypergraph | None,
    n_features: int,
    names: Sequence[str] | None,
) -> Floats | None:
    """Return mu_i / mu of every feature; None where all are the same.

    Shapes: `feature_weights` (n_features,) -> (n_features,).
    `hypergraph`: where there are no weights: the square roots of what each feature
    costs alone.
    `names`: of the features, which weights with names are matched to.
    """
    if feature_weights is None:
        return None if hypergraph is None else np.sqrt(hypergraph.marginal_costs())
    if names is not None:
        whose = "The list of feature weights"
        feature_weights = aligned_values(feature_weights, names, whose, "X")
    weights = column_or_1d(feature_weights, dtype=np.float64)
    if len(weights) != n_features:
        raise DataError(
            f"X has {n_features} features, but there are {len(weights)} feature "
            "weights; give one for each column."
        )
    wrong = np.flatnonzero(~np.isfinite(weights) | (weights < 0))
    if len(wrong):
        raise DataError(
            f"The weight of feature {wrong[0]} is {weights[wrong[0]]:g}; feature "
            "weights are finite and 0 or more."
        )
    return weights


def checked_problem(
    X: ArrayLike,
    y: ArrayLike,
    *,
    gamma: float,
    loss: LossName,
    feature_weights: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    standardise: bool = False,
) -> RidgeProblem:
    """Return the problem of a table as it comes.

    Shapes: `X` (n_samples, n_features), `y` (n_samples,), `feature_weights`
    (n_features,), `sample_weight` (n_samples,).
    `y`: numbers for the squared loss, labels of two classes for the others: the second
    in sorted order counts as +1.
    `standardise`: whether to measure every column in units of its spread.
    """
    GAMMA.check("gamma", gamma)
    LOSS.check("loss", loss)
    names = column_names(X)
    table = check_array(X, accept_sparse=("csc", "csr"), dtype=FLOATS)
    targets = column_or_1d(y)
    if len(targets) != table.shape[0]:
        raise DataError(
            f"There are {table.shape[0]} rows, but {len(targets)} targets; give one "
            "for each row."
        )
    numbers = _numbers(targets) if loss == "squared" else _signs(targets)
    rows = TrainingRows.of(table, numbers, sample_weight)
    scales = checked_scales(feature_weights, None, table.shape[1], names)
    return rows.problem(loss, gamma, scales, standardise)


def _signs(labels: NDArray) -> Floats:
    """Return each label as -1 or +1: the second of two in sorted order is +1."""
    classes, codes = np.unique(labels, return_inverse=True)
    if len(classes) != 2:
        raise DataError(
            f"The labels are of {len(classes)} classes; the loss needs two."
        )
    return np.where(codes == 1, 1.0, -1.0)


def _numbers(targets: NDArray) -> Floats:
    try:
        numbers = targets.astype(np.float64)
    except ValueError as error:
        raise DataError(
            f"The targets hold {shown(targets.tolist()[0])}; the squared loss needs "
            "numbers."
        ) from error
    if not np.isfinite(numbers).all():
        raise DataError("A target is not finite; fill or drop such rows.")
    return numbers
