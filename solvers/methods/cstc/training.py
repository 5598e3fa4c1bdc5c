"""CSTC's objective, and the training of its tree."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from operator import itemgetter

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.optimize import minimize
from scipy.special import expit

from ...costs.hypergraph import FeatureHypergraph
from ...numerics.arrays import Floats, Integers, Mask
from ...numerics.distinct_rows import DistinctRows

# What a cost-sensitive tree of classifiers minimises, and its gradient.


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


# One classifier for all rows: a tree of one node, from its Gram matrix.


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


# How a tree is trained: from one classifier for all rows, with random restarts.


# Weights below this share of the largest are what rounding of the corner leaves.
_SMALL = 0.05
# Spread of what a restart adds to the weights; columns have a deviation of one.
_DISTURBANCE = 0.2
_MEMORY = 20
_BISECTIONS = 6
# So many steps of each start show which is worth going on with.
_TRIAL_STEPS = 60
_CONSTANT = 1e-12


@dataclass(frozen=True)
class TreeSettings:
    """Everything about a tree but λ and the data."""

    depth: int  # Number of levels
    rho: float  # As in `TreeObjective`
    slope: float
    internal_weight: float
    n_restarts: int  # How many disturbed starts are tried beside the plain one
    max_iter: int  # Steps of one descent at most
    random_state: int | None  # Seed of the disturbances

    @property
    def stretch(self) -> float:
        """From how many times the λ of a single classifier on a tree buys nothing.

        A tree with weights at leaves alone is a single classifier to each row. One with
        K equal nodes on each way has (1 + (K - 1) internal_weight) times the loss of a
        single one, and sqrt(K) times its norms.
        """
        losses = 1.0 + (self.depth - 1) * self.internal_weight
        return float(max(1.0, losses / np.sqrt(self.depth)))


@dataclass(frozen=True, eq=False)
class SolvedTree:
    """A tree on columns as they come, small weights dropped."""

    weights: Floats  # (n_nodes, n_features) Weights of the nodes
    # (n_internal,) A row whose score is above goes to the upper child
    thresholds: Floats
    leaf: Integers  # (n_rows,) At which leaf each training row ends
    objective: float  # The relaxed objective, before weights were dropped
    n_iter: int  # Steps of the best descent


class TreeTraining:
    """One training set and plan; fits trees at any λ."""

    def __init__(
        self, rows: DistinctRows, hypergraph: FeatureHypergraph, plan: TreeSettings
    ) -> None:
        self.rows = rows
        self._plan = plan
        self._hypergraph = hypergraph
        self._centre = rows.shares @ rows.X
        centred = rows.X - self._centre
        deviation = np.sqrt(rows.shares @ centred**2)
        self._useful = deviation > _CONSTANT * np.abs(rows.X).max(axis=0)
        self._scale = np.where(self._useful, deviation, 1.0)
        self._table = centred / self._scale * self._useful
        self._tree = TreeObjective(
            self._table,
            rows.signs,
            rows.shares,
            sparse.csr_array(hypergraph.incidence, dtype=float),
            hypergraph.component_costs,
            TreeShape(plan.depth),
            plan.rho,
            plan.slope,
            plan.internal_weight,
        )
        self._single = SingleObjective(self._tree)

    @cached_property
    def alpha_max(self) -> float:
        """The λ from which a single classifier buys nothing; 0 where all is free."""
        prices = self._hypergraph.marginal_costs()
        priced = (prices > 0) & self._useful
        if not priced.any():
            return 0.0
        slopes = np.abs(self._table.T @ (self.rows.shares * self.rows.signs))
        # But for rho, no less keeps each feature out alone; sharing needs more.
        low = 2.0 * float((slopes[priced] / prices[priced]).max())
        high = 2.0 * low
        while self._single_buys(high, priced):
            low, high = high, 2.0 * high
        for _ in range(_BISECTIONS):
            middle = float(np.sqrt(low * high))
            if self._single_buys(middle, priced):
                low = middle
            else:
                high = middle
        return high

    def _single_buys(self, alpha: float, priced: Mask) -> bool:
        return bool(_without_small(self._single_at(alpha))[priced].any())

    def _single_at(self, alpha: float) -> Floats:
        """Return the weights of one classifier for all rows."""
        start = np.zeros(self._table.shape[1])
        return self._descend(self._single, start, alpha, self._plan.max_iter)[0]

    def solve(self, cost_weight: float) -> SolvedTree:
        """Return the best tree of all starts."""
        share = cost_weight * self.alpha_max
        alpha = share * self._plan.stretch
        first = min(_TRIAL_STEPS, self._plan.max_iter)
        starts = self._starts(self._single_at(share))
        runs = [self._descend(self._tree, z, alpha, first) for z in starts]
        z, value, n_iter = min(runs, key=itemgetter(1))
        if n_iter == first < self._plan.max_iter:
            left = self._plan.max_iter - first
            z, value, more = self._descend(self._tree, z, alpha, left)
            n_iter += more
        weights, intercepts, thresholds = self._tree.unpack(z)
        kept = _without_small(weights)
        # Rows part by the weights that are kept: those are what a prediction computes.
        leaf = self._tree.leaf_of(self._tree.pack(kept, intercepts, thresholds))
        raw = kept / self._scale
        shift = raw[: len(thresholds)] @ self._centre
        return SolvedTree(raw, thresholds + shift, leaf, value, n_iter)

    def _starts(self, single: NDArray) -> list[Floats]:
        """Return the single classifier at every node, plain and disturbed."""
        shape = self._tree.shape
        rng = np.random.default_rng(self._plan.random_state)
        starts = []
        for run in range(1 + self._plan.n_restarts):
            nodes = np.tile(single, (shape.n_nodes, 1))
            if run:
                noise = rng.standard_normal(nodes.shape) * self._useful
                nodes = nodes + _DISTURBANCE * noise
            scores = nodes[: shape.n_internal] @ self._table.T
            thresholds = [_median(row, self.rows.shares) for row in scores]
            intercept = np.full(shape.n_nodes, self._single.intercept)
            starts.append(self._tree.pack(nodes, intercept, np.array(thresholds)))
        return starts if shape.n_internal else starts[:1]

    def _descend(
        self,
        objective: TreeObjective | SingleObjective,
        start: NDArray,
        alpha: float,
        max_iter: int,
    ) -> tuple[Floats, float, int]:
        found = minimize(
            objective.value_and_gradient,
            start,
            args=(alpha,),
            jac=True,
            method="L-BFGS-B",
            options={"maxiter": max_iter, "maxcor": _MEMORY},
        )
        return found.x, float(found.fun), int(found.nit)


def _without_small(weights: Floats) -> Floats:
    least = max(_SMALL * np.abs(weights).max(), 2.0 * EPSILON)
    return np.where(np.abs(weights) < least, 0.0, weights)


def _median(values: Floats, shares: Floats) -> float:
    order = np.argsort(values, kind="stable")
    middle = int(np.searchsorted(np.cumsum(shares[order]), 0.5))
    return float(values[order[min(middle, len(order) - 1)]])
