"""The last step of the hinge: which constraints hold is known, so solve for equality.

An interior point approaches its constraints by products that end below rounding, which
leaves some 1e-9 of the objective open where columns are nearly dependent. By then each
row is beyond its margin (L), inside it (U) or on it (F), and each feature is at zero,
on its boundary (B) or ridge (R). With λ known on L and U, what is left is linear:

    (K + X_R X_R') λ + X_B a_B + b = y   on F,     X_B'λ = ±mu_B,     sum λ = 0.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse
from scipy.linalg import LinAlgError
from scipy.linalg.lapack import dgetrf, dgetrs

from ...numerics.arrays import Floats
from .barriers import FeatureBarrier, HingeBarrier

__all__ = ["settled"]


# Added to the diagonal, as a share of it: where constraints depend on each other, what
# is found is then the solution next to the one given.
NEARNESS = 1e-10
CORRECTIONS = 6


def settled(
    block: Any,
    gram: Floats | None,
    thresholds: Floats,
    features: FeatureBarrier,
    rows: HingeBarrier,
    intercept: float,
) -> tuple[Floats, Floats]:
    """Return coefficients and duals that meet the constraints in force exactly.

    Shapes: `block` (n_samples, n_kept), `gram` (n_samples, n_samples), `thresholds`
    (n_kept,) -> `coef` (n_kept,), `dual` (n_samples,).
    `features, rows, intercept`: where the interior point stands.
    """
    block = block.toarray() if sparse.issparse(block) else block
    free, dual = ~(rows.is_beyond | rows.is_inside), np.where(rows.is_inside, 1.0, 0.0)
    dual = dual * rows.y * rows.capacity
    boundary = features.is_nonzero & features.spare.lasts
    ridge = features.is_nonzero & ~features.spare.lasts
    sign = np.where(features.coef[boundary] < 0, -1.0, 1.0)
    carried = block[:, ridge] @ block[:, ridge].T
    if gram is not None:
        carried = carried + gram
    n_free, n_boundary = int(free.sum()), int(boundary.sum())
    matrix = np.zeros((n_free + n_boundary + 1,) * 2)
    matrix[:n_free, :n_free] = carried[np.ix_(free, free)]
    matrix[:n_free, n_free:-1] = block[np.ix_(free, boundary)]
    matrix[n_free:-1, :n_free] = matrix[:n_free, n_free:-1].T
    matrix[:n_free, -1] = matrix[-1, :n_free] = 1.0
    right = np.concatenate(
        [
            (rows.y - carried @ dual)[free],
            sign * thresholds[boundary] - dual @ block[:, boundary],
            [-dual.sum()],
        ]
    )
    # Where constraints depend on each other, the solution next to this one counts.
    start = np.concatenate([rows.dual[free], features.coef[boundary], [intercept]])
    found = _solution_near(start, matrix, right, n_free)
    dual[free] = found[:n_free]
    coef = np.where(ridge, dual @ block, 0.0)
    coef[boundary] = found[n_free:-1]
    return coef, dual


def _solution_near(start: Floats, matrix: Floats, right: Floats, n_rows: int) -> Floats:
    """Return the solution of a system next to a start.

    The unknowns are in the order λ_F, a_B, b; ``n_rows`` of them are λ_F.
    """
    size = np.sqrt(np.maximum(np.abs(matrix).max(axis=1), 1e-150))
    scaled = matrix / size / size[:, np.newaxis]
    sign = np.where(np.arange(len(size)) < n_rows, 1.0, -1.0)
    factor, pivots, failed = dgetrf(scaled + np.diag(NEARNESS * sign))
    if failed:
        raise LinAlgError("The constraints at the optimum do not fix it.")
    found = start
    for _ in range(CORRECTIONS):
        left = (right - matrix @ found) / size
        found = found + dgetrs(factor, pivots, left)[0] / size
    return np.asarray(found)
