"""Fitting weights: a loss plus a Gaussian prior, by L-BFGS, to the last steps."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from .losses import Loss
from .pairwise import Beliefs

# The last steps of training, where the loss is too coarse to compare points by.
#
# Near its minimum a loss changes by the square of the gradient: at a gradient of 1e-6
# by less than its rounding, so a line search that wants it lower fails or not by the
# last bit of a product. The gradient is still good to many digits there, and decides
# here.


Floats: TypeAlias = NDArray[np.float64]

MEMORY = 10
LAST_EVALUATIONS = 80
MAX_TRIALS = 12
# Rise of the loss, of its size, that may be rounding: it is a sum of thousands.
ROUNDING = 1e-11
# A step is taken where the slope along it has fallen to this share.
FLATTER = 0.9


class Point(NamedTuple):
    """Where a loss was asked for, and what it and its gradient are there."""

    at: Floats
    value: float
    gradient: Floats
    beliefs: Beliefs | None = None

    @property
    def at_rest(self) -> bool:
        """Return whether the gradient comes from messages at rest, or from none."""
        return self.beliefs is None or self.beliefs.converged

    @property
    def steepness(self) -> float:
        """Return the largest component of the gradient."""
        return float(np.abs(self.gradient).max())


Evaluate: TypeAlias = Callable[[Floats], Point]


class Settled(NamedTuple):
    """The flattest point found, and what it took."""

    point: Point
    steps: int
    evaluations: int


def settle(evaluate: Evaluate, start: Point, tolerance: float) -> Settled:
    """Return the flattest point found from a start near a minimum.

    L-BFGS whose steps are accepted by the slope along them, and by the loss only as
    far as it can tell (the approximate Wolfe conditions).
    """
    pairs: deque[tuple[Floats, Floats]] = deque(maxlen=MEMORY)
    here = flattest = start
    steps = asked = 0
    while here.steepness > tolerance and asked < LAST_EVALUATIONS:
        direction = -_scaled(here.gradient, pairs)
        there, trials = _step(evaluate, here, direction)
        asked += trials
        if there is None and not pairs:
            break  # not even the gradient itself points down: the loss is not smooth
        if there is None:
            pairs.clear()
            continue
        moved, change = there.at - here.at, there.gradient - here.gradient
        # Only pairs of positive curvature are kept: else directions could point up.
        size = float(np.linalg.norm(moved) * np.linalg.norm(change))
        if moved @ change > 1e-10 * size:
            pairs.append((moved, change))
        here, steps = there, steps + 1
        flattest = min(flattest, here, key=lambda point: point.steepness)
    return Settled(flattest, steps, asked)


def _step(
    evaluate: Evaluate, here: Point, direction: Floats
) -> tuple[Point | None, int]:
    """Return a point along a direction where it has become flat, by bisection."""
    slope = float(here.gradient @ direction)
    limit = here.value + ROUNDING * max(1.0, abs(here.value))
    low, high, length = 0.0, np.inf, 1.0
    for trial in range(MAX_TRIALS):
        there = evaluate(here.at + length * direction)
        along = float(there.gradient @ direction)
        # Hager and Zhang (2005): near a minimum the slope tells, the value cannot.
        if there.value <= limit and abs(along) <= FLATTER * abs(slope):
            return there, trial + 1
        if there.value > limit or along > 0:
            high = length
        else:
            low = length
        length = (low + high) / 2 if np.isfinite(high) else 2 * length
    return None, MAX_TRIALS


def _scaled(gradient: Floats, pairs: deque[tuple[Floats, Floats]]) -> Floats:
    """Return the gradient times the inverse Hessian that L-BFGS has seen so far."""
    if not pairs:
        return gradient / max(1.0, float(np.linalg.norm(gradient)))
    rest, shares = gradient.copy(), []
    for moved, change in reversed(pairs):
        # The two-loop recursion (Nocedal and Wright, Algorithm 7.4).
        share = (moved @ rest) / (moved @ change)
        rest -= share * change
        shares.append(share)
    moved, change = pairs[-1]
    # Its first guess of the inverse Hessian: the curvature of the latest pair.
    rest *= (moved @ change) / (change @ change)
    for (moved, change), share in zip(pairs, reversed(shares), strict=True):
        rest += (share - (change @ rest) / (moved @ change)) * moved
    return rest


# Fitting weights: a loss plus a Gaussian prior, by L-BFGS.


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
