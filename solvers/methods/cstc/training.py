"""CSTC's objective, and the training of its tree."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from operator import itemgetter
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.optimize import minimize
from scipy.special import expit

from ...costs.hypergraph import FeatureHypergraph
from ...numerics.arrays import Floats, Integers, Mask
from ...numerics.distinct_rows import DistinctRows
from ...numerics.multinomial import sizes

# What a cost-sensitive tree of classifiers minimises, and its gradient.


# Roundness of the corners of absolute values and norms.
EPSILON = 1e-3
# Incidences of at most so many entries are kept dense.
_DENSE = 100_000
_NONE = np.empty(0)


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

    Of K > 2 classes the sign is a corner of their simplex, (n_rows, K - 1), ``b_k`` has
    a column for each of its numbers, and ``|b_kj|`` is the size of a feature's weights
    over them: it is paid once, whichever classes use it. Rows part by one number: the
    product of a node's scores ``x_i b_k`` with a direction of unit length, a parameter
    of each inner node. Of two classes that is the score itself.
    """

    X: Floats  # (n_rows, n_features) Standardised rows
    signs: Floats  # (n_rows,) +1 and -1; of more, (n_rows, n_outputs) corners
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
    def n_outputs(self) -> int:
        """Numbers that stand for a class: one of two classes, else one less than K."""
        return 1 if self.signs.ndim == 1 else int(self.signs.shape[1])

    @property
    def n_parameters(self) -> int:
        """Weights and intercepts of each node, and where and how inner ones part."""
        of_node = self.n_outputs * (self.n_features + 1)
        return self.shape.n_nodes * of_node + self.shape.n_internal * (
            1 + self._n_turns
        )

    @property
    def _n_turns(self) -> int:
        return 0 if self.n_outputs == 1 else self.n_outputs

    def pack(
        self,
        weights: NDArray,
        intercepts: NDArray,
        thresholds: NDArray,
        directions: NDArray = _NONE,
    ) -> Floats:
        """Return the parameters as one vector.

        Shapes: `weights` (n_nodes, n_features), `intercepts` (n_nodes,), `thresholds`
        (n_internal,) -> (n_parameters,); of more than two classes `weights` (n_nodes,
        n_outputs, n_features), `intercepts` (n_nodes, n_outputs).
        `thresholds`: where rows part; `directions`: by what, (n_internal, n_outputs),
        of more than two classes alone.
        """
        parts = (weights, intercepts, thresholds, directions)
        return np.concatenate([np.ravel(part) for part in parts])

    def unpack(self, z: Floats) -> tuple[NDArray, NDArray, NDArray]:
        """Return weights, intercepts and thresholds, in the shapes of `pack`.

        Shapes: `z` (n_parameters,).
        """
        weights, intercepts, thresholds = self._parts(z)[:3]
        if self.n_outputs == 1:
            return weights[:, 0], intercepts[:, 0], thresholds
        return weights, intercepts, thresholds

    def directions(self, z: Floats) -> Floats:
        """Return by what of its scores each inner node parts rows, of unit length.

        Shapes: `z` (n_parameters,) -> (n_internal, n_outputs).
        """
        turns = self._parts(z)[3]
        return turns / _lengths(turns) if self._n_turns else turns

    def _parts(self, z: Floats) -> tuple[NDArray, NDArray, NDArray, NDArray]:
        """Return weights, intercepts, thresholds and directions of any length."""
        n_nodes, n_outputs = self.shape.n_nodes, self.n_outputs
        n_internal = self.shape.n_internal
        size = n_nodes * n_outputs * self.n_features
        bounds = np.cumsum([size, n_nodes * n_outputs, n_internal])
        weights, intercepts, thresholds, turns = np.split(z, bounds)
        turns = turns if self._n_turns else np.ones(n_internal)
        return (
            weights.reshape(n_nodes, n_outputs, self.n_features),
            intercepts.reshape(n_nodes, n_outputs),
            thresholds,
            turns.reshape(n_internal, n_outputs),
        )

    def value_and_gradient(self, z: Floats, alpha: float) -> tuple[float, Floats]:
        """Return the objective and its derivative.

        Shapes: `z` (n_parameters,) -> `gradient` (n_parameters,).
        `z`: where.
        """
        weights, intercepts, thresholds, turns = self._parts(z)
        directions = self.directions(z)
        scores = self._scores(weights)
        gates, reach = self._soft_walk(scores, directions, thresholds)
        residuals = self._targets - intercepts[:, :, np.newaxis] - scores
        pull = self._emphasis * residuals
        losses = (pull * residuals).sum(axis=1)
        squares = (weights**2).sum(axis=1)
        leaf_costs, slopes = self._leaf_costs(squares)
        corners = np.sqrt(squares + EPSILON**2)
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
        by_score = -2.0 * reach[:, np.newaxis] * pull
        by_intercept = by_score.sum(axis=2)
        by_score[:first_leaf] += by_gate[:, np.newaxis] * directions[:, :, np.newaxis]
        by_weight = by_score.reshape(-1, len(self.X)) @ self.X
        by_weight = by_weight.reshape(weights.shape)
        by_weight += self.rho * weights / corners[:, np.newaxis]
        paid = (self._paths.T * occupied) @ slopes
        by_weight += alpha * weights * paid[:, np.newaxis]
        by_turn = _NONE
        if self._n_turns:
            moved = np.einsum("kn,kon->ko", by_gate, scores[:first_leaf])
            along = (moved * directions).sum(axis=1, keepdims=True) * directions
            by_turn = (moved - along) / _lengths(turns)  # the length says nothing
        by_threshold = -by_gate.sum(axis=1)
        return value, self.pack(by_weight, by_intercept, by_threshold, by_turn)

    def leaf_of(self, z: Floats) -> Integers:
        """Return at which leaf each row ends when it parts sharply.

        Shapes: `z` (n_parameters,) -> (n_rows,).
        """
        weights, _, thresholds, _ = self._parts(z)
        node = np.zeros(len(self.signs), dtype=int)
        scores = self._routes(self._scores(weights), self.directions(z))
        rows = np.arange(len(node))
        for _ in range(self.shape.depth - 1):
            node = 2 * node + 1 + (scores[node, rows] <= thresholds[node])
        return node - self.shape.n_internal

    def _scores(self, weights: NDArray) -> NDArray:
        """Return what all nodes say of rows, (n_nodes, n_outputs, n_rows)."""
        found = weights.reshape(-1, self.n_features) @ self.X.T
        return found.reshape(self.shape.n_nodes, self.n_outputs, -1)

    def _routes(self, scores: NDArray, directions: NDArray) -> NDArray:
        """Return by what inner nodes part rows, (n_internal, n_rows)."""
        inner = scores[: self.shape.n_internal]
        if not self._n_turns:
            return inner[:, 0]
        return np.einsum("ko,kon->kn", directions, inner)

    def _soft_walk(
        self, scores: NDArray, directions: NDArray, thresholds: NDArray
    ) -> tuple[NDArray, NDArray]:
        """Return how likely each row turns up at, and how likely it reaches, nodes."""
        n_internal = self.shape.n_internal
        routes = self._routes(scores, directions)
        gates = expit(self.slope * (routes - thresholds[:, np.newaxis]))
        reach = np.ones((self.shape.n_nodes, len(self.X)))
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

    def _leaf_costs(self, squares: NDArray) -> tuple[NDArray, NDArray]:
        """Return each leaf's relaxed cost, and twice its slope by squared weights."""
        # Squares add up along the way to a leaf: a component is paid once on it.
        loads = self._paths @ (squares @ self.needs.T)
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
    def _targets(self) -> Floats:
        """What nodes are to say of rows, (n_outputs, n_rows)."""
        return np.ascontiguousarray(np.atleast_2d(self.signs.T))

    @cached_property
    def _emphasis(self) -> Floats:
        """Weight of each node's loss, (n_nodes, 1, 1)."""
        emphasis = np.ones((self.shape.n_nodes, 1, 1))
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
    def intercept(self) -> Any:
        """The best intercept: the mean of the signs, or (n_outputs,) of corners."""
        return self.tree.shares @ self.tree.signs

    def value_and_gradient(self, weights: Floats, alpha: float) -> tuple[float, Floats]:
        """Return the objective and its derivative.

        Shapes: `weights` (n_features,) -> `gradient` (n_features,); of more than two
        classes (n_features, n_outputs) end to end.
        `weights`: where.
        """
        gram, slopes = self._moments
        weights = weights.reshape(slopes.shape)
        squares = weights**2 if weights.ndim == 1 else (weights**2).sum(axis=1)
        needs = self.tree.needs
        pushed = gram @ weights
        # The paper's relaxed cost: the norm of all weights that need a component.
        norms = np.sqrt(needs @ squares + EPSILON**2)
        corners = np.sqrt(squares + EPSILON**2)
        # sum_i s_i (sign_i - c - x_i w)^2 with c the mean sign; columns have mean 0.
        value = (
            self._spread
            + float(np.vdot(weights, pushed - 2.0 * slopes))
            + self.tree.rho * float(np.sum(corners - EPSILON))
            + alpha * float(self.tree.costs @ (norms - EPSILON))
        )
        # d sqrt(sum_k H_ak w_k^2 + eps^2) / dw_j = H_aj w_j / norm_a; corners likewise.
        gradient = 2.0 * (pushed - slopes) + (self.tree.rho * weights.T / corners).T
        paid = needs.T @ (self.tree.costs / norms)
        return value, (gradient + (alpha * weights.T * paid).T).ravel()

    @cached_property
    def _spread(self) -> float:
        """What the best intercept alone leaves; signs, and corners, are of one size."""
        return float(np.sum(self.tree.signs[0] ** 2) - np.sum(self.intercept**2))

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

    gates: Floats  # (n_internal, n_features) What inner nodes part rows by
    used: Mask  # (n_nodes, n_features) What each node has weights of
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
            rows.targets,
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
        slopes = sizes(self._table.T @ (self.rows.shares * self._tree.signs.T).T)
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
        return bool(self._without_small(self._single_at(alpha))[..., priced].any())

    def _single_at(self, alpha: float) -> Floats:
        """Return the weights of one classifier, (n_features,) or a row an output."""
        n_features, n_outputs = self._tree.n_features, self._tree.n_outputs
        start = np.zeros(n_features * n_outputs)
        found = self._descend(self._single, start, alpha, self._plan.max_iter)[0]
        return found if n_outputs == 1 else found.reshape(n_features, n_outputs).T

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
        directions = self._tree.directions(z)
        kept = self._without_small(weights)
        # Rows part by the weights that are kept: those are what a prediction computes.
        turns = directions if self._is_many else _NONE
        leaf = self._tree.leaf_of(self._tree.pack(kept, intercepts, thresholds, turns))
        raw = kept / self._scale
        gates = raw[: len(thresholds)]
        used = raw != 0
        if self._is_many:
            gates = np.einsum("ko,kom->km", directions, gates)
            used = used.any(axis=1)
        shift = gates @ self._centre
        return SolvedTree(gates, used, thresholds + shift, leaf, value, n_iter)

    @property
    def _is_many(self) -> bool:
        return self.rows.n_classes > 2

    def _without_small(self, weights: Floats) -> Floats:
        """Return weights without the small, a feature's of all classes together."""
        size = np.abs(weights)
        if self._is_many:
            size = np.sqrt((weights**2).sum(axis=-2, keepdims=True))
        least = max(_SMALL * size.max(), 2.0 * EPSILON)
        return np.where(size < least, 0.0, weights)

    def _starts(self, single: NDArray) -> list[Floats]:
        """Return the single classifier at every node, plain and disturbed."""
        shape = self._tree.shape
        rng = np.random.default_rng(self._plan.random_state)
        starts = []
        for run in range(1 + self._plan.n_restarts):
            nodes = np.tile(single, (shape.n_nodes,) + (1,) * single.ndim)
            if run:
                noise = rng.standard_normal(nodes.shape) * self._useful
                nodes = nodes + _DISTURBANCE * noise
            scores = nodes[: shape.n_internal] @ self._table.T
            turns = _NONE
            if self._is_many:
                turns = self._turns(scores, rng if run else None)
                scores = np.einsum("ko,kon->kn", turns, scores)
            thresholds = [_median(row, self.rows.shares) for row in scores]
            intercept = np.tile(self._single.intercept, (shape.n_nodes, 1))
            starts.append(
                self._tree.pack(nodes, intercept, np.array(thresholds), turns)
            )
        return starts if shape.n_internal else starts[:1]

    def _turns(self, scores: NDArray, rng: np.random.Generator | None) -> Floats:
        """Return directions to begin with: where scores vary most, or by chance.

        Shapes: `scores` (n_internal, n_outputs, n_rows) -> (n_internal, n_outputs).
        """
        if rng is not None:
            turns = rng.standard_normal(scores.shape[:2])
        else:
            # Columns are centred, and so are scores.
            spread = (scores * self.rows.shares) @ scores.transpose(0, 2, 1)
            turns = np.linalg.eigh(spread)[1][:, :, -1]
        return turns / _lengths(turns)

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


def _lengths(turns: Floats) -> Floats:
    return np.sqrt((turns**2).sum(axis=1, keepdims=True))


def _median(values: Floats, shares: Floats) -> float:
    order = np.argsort(values, kind="stable")
    middle = int(np.searchsorted(np.cumsum(shares[order]), 0.5))
    return float(values[order[min(middle, len(order) - 1)]])
