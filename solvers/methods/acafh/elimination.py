"""Cost-benefit elimination: a nested sequence of supports to start from.

From a dense fit, drop the feature whose loss per saved cost is least, again and again.
What a feature saves is its fair share of the components that it leans on: each
component's cost is divided among the features that still need it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...numerics.arrays import Floats, Integers
from .penalties import Sharing


def elimination_order(
    matrix: NDArray, weights: NDArray, index: Integers, sharing: Sharing
) -> tuple[Integers, Floats]:
    """Return in which order features are dropped, and the weights before each drop.

    Shapes: `matrix` (k + 1, k + 1), `weights` (k + 1,), `index` (k,) -> `order` (k,),
    `steps` (k + 1, k + 1).
    `matrix`: hessian of the loss at the dense fit; the intercept comes last.
    `order`: positions in `index`, first dropped first.
    `steps`: row t: weights, on the quadratic model of the loss, once t features are
    gone.

    Notes
    -----
    Dropping feature j from the quadratic model costs ``w_j^2 / (2 C_jj)`` with C the
    inverse Hessian, and C loses a rank-one part (the optimal brain surgeon's step).
    Complexity k^3.
    """
    k = len(index)
    ridge = 1e-9 * np.trace(matrix) / (k + 1) + 1e-300
    inverse = np.linalg.inv(matrix + ridge * np.eye(k + 1))
    # What C_jj is at least, whatever was dropped: rounding goes below it.
    least = 1.0 / (np.diag(matrix)[:k] + ridge)
    w = weights.astype(float).copy()
    needed = sharing.needed(index)
    leaning = sharing.rows_of(index, needed)
    costs = sharing.costs[needed]
    users = leaning.sum(axis=0)
    alive = np.ones(k, dtype=bool)
    order, steps = np.empty(k, dtype=int), np.empty((k + 1, k + 1))
    for t in range(k):
        steps[t] = w
        # A component's cost in equal parts among those that still need it.
        saved = leaning @ (costs / np.maximum(users, 1.0))
        harm = w[:k] ** 2 / np.maximum(np.diag(inverse)[:k], least)
        score = np.where(alive, harm / np.maximum(saved, 1e-300), np.inf)
        j = int(np.argmin(score))
        order[t], alive[j] = j, False
        users -= leaning[j]
        # w' = w - w_j C_j / C_jj, C' = C - C_j C_j' / C_jj: the inverse without row j.
        column = inverse[:, j] / inverse[j, j]
        w = w - w[j] * column
        inverse = inverse - np.outer(column, inverse[j])
        w[j] = 0.0
        w[:k][~alive] = 0.0
    steps[k] = w
    return order, steps
