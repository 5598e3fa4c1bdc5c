"""One classifier for all rows: a tree of one node, from its Gram matrix."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ...numerics.arrays import Floats
from .objective import EPSILON, TreeObjective

__all__ = ["SingleObjective"]


@dataclass(frozen=True, eq=False)
class SingleObjective:
    """The objective of a tree of one node, with the best intercept.

    Rows are looked at once; after that a value costs as much as there are pairs of
    features, however many rows there are.
    """

    tree: TreeObjective  # Its rows, prices and `rho` count; columns have mean 0

    @property
    def intercept(self) -> float:
        """The best intercept: the mean of the signs."""
        return float(self.tree.shares @ self.tree.signs)

    def value_and_gradient(self, weights: Floats, alpha: float) -> tuple[float, Floats]:
        """Return the objective and its derivative.

        Shapes: `weights` (n_features,) -> `gradient` (n_features,).
        `weights`: where.
        """
        gram, slopes = self._moments
        needs = self.tree.needs
        pushed = gram @ weights
        # The paper's relaxed cost: the norm of all weights that need a component.
        norms = np.sqrt(needs @ weights**2 + EPSILON**2)
        corners = np.sqrt(weights**2 + EPSILON**2)
        # sum_i s_i (sign_i - c - x_i w)^2 with c the mean sign; columns have mean 0.
        value = (
            1.0
            - self.intercept**2
            + float(weights @ (pushed - 2.0 * slopes))
            + self.tree.rho * float(np.sum(corners - EPSILON))
            + alpha * float(self.tree.costs @ (norms - EPSILON))
        )
        # d sqrt(sum_k H_ak w_k^2 + eps^2) / dw_j = H_aj w_j / norm_a; corners likewise.
        gradient = 2.0 * (pushed - slopes) + self.tree.rho * weights / corners
        return value, gradient + alpha * weights * (needs.T @ (self.tree.costs / norms))

    @cached_property
    def _moments(self) -> tuple[Floats, Floats]:
        """Products of the columns with each other and with the signs."""
        weighed = self.tree.X.T * self.tree.shares
        return weighed @ self.tree.X, weighed @ self.tree.signs
