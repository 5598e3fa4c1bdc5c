"""How a tree is trained: from one classifier for all rows, with random restarts."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from operator import itemgetter

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.optimize import minimize

from ...costs.hypergraph import FeatureHypergraph
from ...numerics.arrays import Floats, Integers, Mask
from ...numerics.distinct_rows import DistinctRows
from .objective import EPSILON, TreeObjective, TreeShape
from .single import SingleObjective

__all__ = ["SolvedTree", "TreeSettings", "TreeTraining"]

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
