"""What a cost-sensitive tree of classifiers minimises, and its gradient."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.special import expit

from ...numerics.arrays import Floats, Integers, Mask

__all__ = ["EPSILON", "TreeObjective", "TreeShape"]

# Roundness of the corners of absolute values and norms.
EPSILON = 1e-3
# Incidences of at most so many entries are kept dense.
_DENSE = 100_000


@dataclass(frozen=True)
class TreeShape:
    """A full binary tree: node k has children 2 k + 1 (upper) and 2 k + 2 (lower)."""

    depth: int  # Number of levels; 1 is a single classifier

    @property
    def n_nodes(self) -> int:
        """Number of nodes."""
        return int(2**self.depth - 1)

    @property
    def n_internal(self) -> int:
        """Number of nodes that have children; they come first."""
        return int(2 ** (self.depth - 1) - 1)

    @cached_property
    def paths(self) -> Mask:
        """Which nodes lie on the way to each leaf, shape (n_leaves, n_nodes)."""
        paths = np.zeros((self.n_internal + 1, self.n_nodes), dtype=bool)
        for leaf in range(self.n_internal, self.n_nodes):
            node = leaf + 1
            while node:
                paths[leaf - self.n_internal, node - 1] = True
                node //= 2
        return paths


@dataclass(frozen=True, eq=False)
class TreeObjective:
    """Expected squared loss of the nodes, plus the relaxed expected cost of the leaves.

    With p_ik the probability that row i passes node k, it is the sum over nodes of
    ``w_k sum_i share_i p_ik (sign_i - x_i b_k - c_k)^2``, plus ``rho`` times the sum of
    absolute weights, plus ``alpha`` times the sum over leaves of their probability and
    ``sum_a D_a sqrt(sum_k sum_j H_aj b_kj^2)``, where k runs over the way to the leaf.
    Absolute values and roots are rounded at the corner: ``sqrt(z^2 + eps^2) - eps``.
    """

    X: Floats  # (n_rows, n_features) Standardised rows
    signs: Floats  # (n_rows,) +1 and -1
    shares: Floats  # (n_rows,) Weights of the rows; they sum to one
    # (n_components, n_features) Which component each feature needs
    incidence: sparse.csr_array
    costs: Floats  # (n_components,) What each component costs
    shape: TreeShape  # The tree
    rho: float  # Weight of the absolute values
    slope: float  # How sharply rows part at a node
    # Weight of the loss of nodes that are no leaves; 1 as published
    internal_weight: float

    @property
    def n_features(self) -> int:
        """Number of columns."""
        return int(self.X.shape[1])

    @property
    def n_parameters(self) -> int:
        """Weights and intercept of each node, and a threshold where it has children."""
        return self.shape.n_nodes * (self.n_features + 1) + self.shape.n_internal

    def pack(
        self, weights: NDArray, intercepts: NDArray, thresholds: NDArray
    ) -> Floats:
        """Return the parameters as one vector.

        Shapes: `weights` (n_nodes, n_features), `intercepts` (n_nodes,), `thresholds`
        (n_internal,) -> (n_parameters,).
        `thresholds`: where rows part.
        """
        return np.concatenate([np.ravel(weights), intercepts, thresholds])

    def unpack(self, z: Floats) -> tuple[NDArray, NDArray, NDArray]:
        """Return weights, intercepts and thresholds.

        Shapes: `z` (n_parameters,) -> `weights` (n_nodes, n_features), `intercepts`
        (n_nodes,), `thresholds` (n_internal,).
        """
        size = self.shape.n_nodes * self.n_features
        return (
            z[:size].reshape(self.shape.n_nodes, self.n_features),
            z[size : size + self.shape.n_nodes],
            z[size + self.shape.n_nodes :],
        )

    def value_and_gradient(self, z: Floats, alpha: float) -> tuple[float, Floats]:
        """Return the objective and its derivative.

        Shapes: `z` (n_parameters,) -> `gradient` (n_parameters,).
        `z`: where.
        """
        weights, intercepts, thresholds = self.unpack(z)
        scores = weights @ self.X.T
        gates, reach = self._soft_walk(scores, thresholds)
        residuals = self.signs - intercepts[:, np.newaxis] - scores
        pull = self._emphasis * residuals
        losses = pull * residuals
        leaf_costs, slopes = self._leaf_costs(weights)
        corners = np.sqrt(weights**2 + EPSILON**2)
        first_leaf = self.shape.n_internal
        occupied = reach[first_leaf:] @ self.shares
        reach *= self.shares
        value = (
            float(np.vdot(reach, losses))
            + self.rho * float(np.sum(corners - EPSILON))
            + alpha * float(occupied @ leaf_costs)
        )
        # What one more unit of probability at a node costs, leaves first.
        worth = losses
        worth[first_leaf:] += alpha * leaf_costs[:, np.newaxis]
        by_gate = self._back_through(gates, reach, worth)
        # A score is a node's prediction; inside it also says who goes where: the gates.
        by_score = -2.0 * reach * pull
        by_intercept = by_score.sum(axis=1)
        by_score[:first_leaf] += by_gate
        by_weight = by_score @ self.X
        by_weight += self.rho * weights / corners
        by_weight += alpha * weights * ((self._paths.T * occupied) @ slopes)
        return value, self.pack(by_weight, by_intercept, -by_gate.sum(axis=1))

    def leaf_of(self, z: Floats) -> Integers:
        """Return at which leaf each row ends when it parts sharply.

        Shapes: `z` (n_parameters,) -> (n_rows,).
        """
        weights, _, thresholds = self.unpack(z)
        node = np.zeros(len(self.signs), dtype=int)
        scores = weights @ self.X.T
        rows = np.arange(len(node))
        for _ in range(self.shape.depth - 1):
            node = 2 * node + 1 + (scores[node, rows] <= thresholds[node])
        return node - self.shape.n_internal

    def _soft_walk(
        self, scores: NDArray, thresholds: NDArray
    ) -> tuple[NDArray, NDArray]:
        """Return how likely each row turns up at, and how likely it reaches, nodes."""
        n_internal = self.shape.n_internal
        gates = expit(self.slope * (scores[:n_internal] - thresholds[:, np.newaxis]))
        reach = np.ones_like(scores)
        for node in range(n_internal):
            reach[2 * node + 1] = reach[node] * gates[node]
            reach[2 * node + 2] = reach[node] * (1.0 - gates[node])
        return gates, reach

    def _back_through(self, gates: NDArray, reach: NDArray, worth: NDArray) -> NDArray:
        """Return the derivative by inner scores, as far as they say who goes where."""
        # Chain rule, leaves first: worth = own loss + g upper + (1 - g) lower.
        by_gate = self.slope * gates * (1.0 - gates)
        for node in reversed(range(self.shape.n_internal)):
            upper, lower = worth[2 * node + 1], worth[2 * node + 2]
            by_gate[node] *= reach[node] * (upper - lower)
            worth[node] += lower + gates[node] * (upper - lower)
        return by_gate

    def _leaf_costs(self, weights: NDArray) -> tuple[NDArray, NDArray]:
        """Return each leaf's relaxed cost, and twice its slope by squared weights."""
        # Squares add up along the way to a leaf: a component is paid once on it.
        loads = self._paths @ (weights**2 @ self.needs.T)
        norms = np.sqrt(loads + EPSILON**2)
        return (norms - EPSILON) @ self.costs, (self.costs / norms) @ self.needs

    @cached_property
    def _paths(self) -> Floats:
        return self.shape.paths.astype(float)

    @cached_property
    def needs(self) -> Floats | sparse.csr_array:
        """The incidence, dense where that is quicker."""
        small = np.prod(self.incidence.shape) <= _DENSE
        return self.incidence.toarray() if small else self.incidence

    @cached_property
    def _emphasis(self) -> Floats:
        """Weight of each node's loss, as a column."""
        emphasis = np.ones((self.shape.n_nodes, 1))
        emphasis[: self.shape.n_internal] = self.internal_weight
        return emphasis
