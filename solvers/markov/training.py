"""Fitting weights: a loss plus a Gaussian prior, by L-BFGS."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from .losses import Loss
from .pairwise import Beliefs
from .settling import Point, settle

__all__ = ["FittedWeights", "WeightLayout", "fit_weights"]

MAX_STEPS = 60
MAX_EVALUATIONS = 120


@dataclass(frozen=True)
class WeightLayout:
    """Which entries of the two weight tables are free, as one vector."""

    n_attributes: int  # Sizes of the tables: (D, L) and (L, L)
    n_labels: int
    # Whether a pair of labels weighs the same in both orders: edges have no direction
    symmetric: bool = True

    @cached_property
    def pairs(self) -> NDArray[np.intp]:
        """Which free weight each pair of labels has, shape (L, L)."""
        shape = (self.n_labels, self.n_labels)
        pairs = np.arange(self.n_labels**2).reshape(shape)
        if self.symmetric:
            pairs = np.minimum(pairs, pairs.T)
        return np.unique(pairs, return_inverse=True)[1].reshape(shape)

    @property
    def size(self) -> int:
        """Number of free weights."""
        return self.n_attributes * self.n_labels + int(self.pairs.max()) + 1

    def unpack(
        self, vector: NDArray[np.float64]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the tables, (D, L) and (L, L), of a vector of free weights.

        Shapes: `vector` (size,) -> (D, L), (L, L).
        """
        nodes, edges = np.split(vector, [self.n_attributes * self.n_labels])
        return nodes.reshape(self.n_attributes, self.n_labels), edges[self.pairs]

    def pack_gradient(
        self, nodes: NDArray[np.float64], edges: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """Return derivatives by the free weights, given those by the tables.

        Shapes: `nodes` (D, L), `edges` (L, L) -> (size,).
        """
        # A free weight stands at (a, b) and (b, a): both entries' derivatives add up.
        free = np.bincount(self.pairs.ravel(), edges.ravel())
        return np.concatenate([nodes.ravel(), free])


@dataclass(frozen=True, eq=False)
class FittedWeights:
    """Where training ended."""

    node_weights: NDArray[np.float64]  # (D, L) Weight of each attribute for each label
    edge_weights: NDArray[np.float64]  # (L, L) Weight of each pair of labels
    objective: float  # Loss plus prior, in nats
    # Whether the gradient came below the tolerance, with messages at rest
    converged: bool
    iterations: int  # Steps of L-BFGS, and how often it asked for the loss
    evaluations: int
    beliefs: Beliefs | None  # What inference said of these weights


def fit_weights(
    loss: Loss,
    layout: WeightLayout,
    alpha: float,
    tolerance: float,
) -> FittedWeights:
    """Return the weights of smallest loss plus ``alpha`` times their squares.

    `alpha`: λ in [1]_, where "p(w) = λ w²" is read as a penalty on the sum of the
    losses.

    References
    ----------
    .. [1] Sen and Getoor (2006), section 6.
    """

    def evaluate(vector: NDArray[np.float64]) -> Point:
        value, nodes, edges, beliefs = loss(*layout.unpack(vector))
        # Of loss + λ |w|².
        gradient = layout.pack_gradient(nodes, edges) + 2 * alpha * vector
        return Point(
            vector.copy(), value + alpha * float(vector @ vector), gradient, beliefs
        )

    def penalised(vector: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        point = evaluate(vector)
        return point.value, point.gradient

    result = minimize(
        penalised,
        np.zeros(layout.size),
        jac=True,
        method="L-BFGS-B",
        options={
            "gtol": tolerance,
            "ftol": 0.0,
            "maxiter": MAX_STEPS,
            "maxfun": MAX_EVALUATIONS,
        },
    )
    end = settle(evaluate, evaluate(result.x), tolerance)
    return FittedWeights(
        *layout.unpack(end.point.at),
        end.point.value,
        end.point.steepness <= tolerance and end.point.at_rest,
        int(result.nit) + end.steps,
        int(result.nfev) + 1 + end.evaluations,
        end.point.beliefs,
    )
