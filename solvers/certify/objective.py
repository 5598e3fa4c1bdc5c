"""What any selection of columns is worth, in the objective that floors bound."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from ..costs.hypergraph import FeatureHypergraph
from ..costs.selection import Selection
from .oracle import least_objective
from .problem import make_problem

__all__ = ["RidgeObjective"]


class RidgeObjective:
    """The least objective of a linear model of some columns: what floors bound.

    A method's own weights minimise something else; a model of its columns that does
    minimise this is the fairest that can stand beside a floor.

    Parameters
    ----------
    X : array_like of float, shape (n_rows, n_features)
        The table; the columns of a frame are taken by name.
    y : array_like, shape (n_rows,)
        Labels of two classes.
    hypergraph : FeatureHypergraph
        Names and number of the columns; its costs do not matter.
    ridge : float
        Weight of the ridge, as in `certified_frontier`.
    sample_weight : array_like of float, shape (n_rows,), optional
        How much each row counts, as in `certified_frontier`.

    Raises
    ------
    ThriftscopeError
        If table, labels or ridge make no sense.

    Examples
    --------
    >>> X, y = [[0.0, 1.0], [1.0, 0.0], [2.0, 1.0], [3.0, 0.0]], [0, 0, 1, 1]
    >>> objective = RidgeObjective(X, y, FeatureHypergraph.independent([1, 1]), ridge=1)
    >>> round(objective([]), 4), objective([0]) < objective([1])
    (0.6931, True)
    """

    def __init__(
        self,
        X: ArrayLike,
        y: ArrayLike,
        hypergraph: FeatureHypergraph,
        *,
        ridge: float,
        sample_weight: ArrayLike | None = None,
    ) -> None:
        self._problem = make_problem(
            X, y, hypergraph, ridge, sample_weight=sample_weight
        )

    def __call__(self, features: Selection) -> float:
        """Return the objective of the best model of just these columns."""
        problem = self._problem
        chosen = problem.hypergraph.feature_mask(features)
        return least_objective(problem, np.flatnonzero(chosen))
