"""Fitting weights: a loss plus a Gaussian prior, by L-BFGS."""

from __future__ import annotations

from dataclasses import dataclass

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

    @property
    def size(self) -> int:
        """Number of free weights."""
        pairs = self.n_labels * (self.n_labels + 1) // 2
        n_edge_weights = pairs if self.symmetric else self.n_labels**2
        return self.n_attributes * self.n_labels + n_edge_weights

    def unpack(
        self, vector: NDArray[np.float64]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the tables, (D, L) and (L, L), of a vector of free weights.

        Shapes: `vector` (size,) -> (D, L), (L, L).
        """
        shape = (self.n_attributes, self.n_labels)
        split = self.n_attributes * self.n_labels
        nodes, rest = vector[:split].reshape(shape), vector[split:]
        if not self.symmetric:
            return nodes, rest.reshape(self.n_labels, self.n_labels)
        edges = np.empty((self.n_labels, self.n_labels))
        rows, columns = np.triu_indices(self.n_labels)
        edges[rows, columns] = edges[columns, rows] = rest
        return nodes, edges

    def pack_gradient(
        self, nodes: NDArray[np.float64], edges: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """Return derivatives by the free weights, given those by the tables.

        Shapes: `nodes` (D, L), `edges` (L, L) -> (size,).
        """
        if not self.symmetric:
            return np.concatenate([nodes.ravel(), edges.ravel()])
        # A free weight stands at (a, b) and (b, a): both entries' derivatives add up.
        both = edges + edges.T - np.diag(np.diag(edges))
        return np.concatenate([nodes.ravel(), both[np.triu_indices(self.n_labels)]])


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
