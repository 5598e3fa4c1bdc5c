"""A node's relaxation: what is open, its objective, and the method that solves it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray
from scipy.linalg.lapack import dpotrf, dpotrs

from ..costs.budgets import room_of
from ..numerics.arrays import Floats, Integers, Mask
from .oracle import EXACT, Cut
from .pool import ROUNDING
from .problem import SelectionProblem

# What is still open at a node: its bundles, their components, and the budget left.


@dataclass(frozen=True, eq=False)
class RelaxedPoint:
    """A point of the relaxation."""

    shares: Floats  # (n_bundles,)
    bought: Floats  # (n_components,)


class NodePart:
    """The linear constraints A x + b >= 0 of a node, x = (z, u) of what is open.

    In this order: u_i - z_b for each link, z, 1 - u, and the budget that is left.
    """

    def __init__(
        self, problem: SelectionProblem, inside: Mask, live: Mask, budget: float
    ) -> None:
        self.problem, self.inside, self.live = problem, inside, live
        missing = problem.needs & ~inside
        is_open = live & missing.any(axis=1)
        self.left = room_of(budget) - problem.cost(inside)
        self.paid = np.flatnonzero(live & ~is_open)  # bundles, all of them bought
        self.bundles = np.flatnonzero(is_open)
        self.components = np.flatnonzero(missing[self.bundles].any(axis=0))
        self.prices = problem.prices[self.components]
        links = missing[np.ix_(self.bundles, self.components)]
        self.link_bundle, self.link_component = np.nonzero(links)

    @property
    def columns(self) -> Integers:
        """The columns that are open or paid for."""
        return np.flatnonzero(self.live[self.problem.bundle_of])

    @property
    def is_all_affordable(self) -> bool:
        """Whether everything that is open can be bought together."""
        return float(self.prices.sum()) <= self.left

    def slacks(self, x: Floats) -> Floats:
        """Return A x + b, all of it above 0 inside."""
        z, u = x[: len(self.bundles)], x[len(self.bundles) :]
        room = self.left - float(self.prices @ u)
        return np.concatenate(
            [u[self.link_component] - z[self.link_bundle], z, 1 - u, [room]]
        )

    def transposed(self, y: Floats) -> Floats:
        """Return A'y."""
        links, of_z, of_u, of_budget = self._split(y)
        z = of_z - self.by_bundle(links)
        return np.concatenate(
            [z, self.by_component(links) - of_u - of_budget * self.prices]
        )

    def barred(self, curvature: Floats, d: Floats) -> Floats:
        """Return the curvature of z plus A' diag(d) A."""
        links, of_z, of_u, of_budget = self._split(d)
        n, size = len(of_z), len(of_z) + len(of_u)
        whole = np.zeros((size, size))
        whole[:n, :n] = curvature
        whole[n:, n:] = of_budget * np.outer(self.prices, self.prices)
        diagonal = [self.by_bundle(links) + of_z, self.by_component(links) + of_u]
        whole[np.diag_indices(size)] += np.concatenate(diagonal)
        whole[self.link_bundle, n + self.link_component] = -links
        whole[n + self.link_component, self.link_bundle] = -links
        return whole

    def charges(self, y: Floats) -> Floats:
        """Return the multipliers of the links."""
        return self._split(y)[0]

    def by_bundle(self, of_links: Floats) -> Floats:
        """Return the sums of links over each open bundle."""
        n = len(self.bundles)
        return np.asarray(np.bincount(self.link_bundle, of_links, n), np.float64)

    def by_component(self, of_links: Floats) -> Floats:
        """Return the sums of links over each open component."""
        n = len(self.components)
        return np.asarray(np.bincount(self.link_component, of_links, n), np.float64)

    def whole(self, x: Floats) -> RelaxedPoint:
        """Return the shares of all bundles and of all components."""
        shares = np.zeros(self.problem.n_bundles)
        shares[self.bundles], shares[self.paid] = x[: len(self.bundles)], 1.0
        bought = self.inside.astype(float)
        bought[self.components] = x[len(self.bundles) :]
        return RelaxedPoint(shares, bought)

    def _split(self, y: Floats) -> tuple[Floats, Floats, Floats, float]:
        links, n = len(self.link_bundle), len(self.bundles)
        return y[:links], y[links : links + n], y[links + n : -1], float(y[-1])


# The least objective G at shares z of what a node has open, with two derivatives.
#
# The penalty of weight w_j is ridge / (2 z_j): with v = w / z, L the Hessian of the
# loss and P = ridge / Z, grad G = -ridge v^2 / 2 and hess G = diag(v) (L - L (L + P)^-1
# L) diag(v), both summed over the columns of each bundle.


class Fit(Protocol):
    """A model of some columns."""

    value: float

    @property
    def slopes(self) -> Floats:
        """The weights of the columns."""

    def minimise(self, penalty: Floats, tol: float) -> None:
        """Move to the minimum with this penalty of each weight, or near it."""

    def curvature(self) -> Floats:
        """Return L - L (L + P)^-1 L."""


class MinimisedLoss(Protocol):
    """What is to be minimised: the loss itself, or what is known to be below it."""

    strengths: Floats  # (n_columns,): what a square of a weight costs

    def model_of(self, columns: Integers) -> Any:
        """Return a model of some columns."""

    def answer(self, columns: Integers, fit: Any) -> Cut:
        """Return the cut that a model of some columns gives."""


class ShareModel:
    """A logistic model that follows the shares of the open bundles."""

    def __init__(self, loss: MinimisedLoss, part: NodePart) -> None:
        place = np.full(part.problem.n_bundles, -1)
        place[part.bundles] = np.arange(len(part.bundles))
        place[part.paid] = len(part.bundles)
        bundle = place[part.problem.bundle_of]
        self._n = len(part.bundles)
        self._columns = np.flatnonzero(bundle >= 0)
        self._bundle = bundle[self._columns]  # `_n` where it is paid for
        self._loss, self._strengths = loss, loss.strengths[self._columns]
        self._fit: Fit = loss.model_of(self._columns)

    def at(self, z: Floats, tol: float) -> Cut:
        """Fit the model at shares of the open bundles; return its cut."""
        self._z = np.append(z, 1.0)[self._bundle]
        self._fit.minimise(self._strengths / self._z, tol)
        return self._loss.answer(self._columns, self._fit)

    def curvature(self) -> Floats:
        """Return hess G, (n_open, n_open)."""
        v = self._fit.slopes / self._z
        # The chain rule through penalty_j = strength_j / z_j, twice.
        of_columns = self._fit.curvature() * v * v[:, np.newaxis]
        if np.array_equal(self._bundle, np.arange(self._n)):
            return of_columns
        return self._summed(self._summed(of_columns).T)

    def _summed(self, of_columns: Floats) -> Floats:
        sums = np.zeros((self._n + 1, of_columns.shape[1]))
        np.add.at(sums, self._bundle, of_columns)
        return sums[: self._n]


# The relaxation of a node by an interior-point method that knows its curvature.
#
# With z the shares of bundles, u those of components and G(z) the least objective,
#
#     minimise G(z)  over  z_b <= u_i where b needs i, 0 <= z, u <= 1, prices u <= left.
#
# Planes need hundreds to trace a curved G; a dozen Newton steps do (`ShareModel` has
# the derivatives). The residuals at every step are a feasible a: with the prices that
# its gains can bear they prove a bound by weak duality, however far the step is from
# the end. Steps are Mehrotra's: a predictor, then a corrector that keeps to the central
# path.


_MAX_STEPS = 60
_TO_BOUNDARY = 0.97
# Where steps begin: shares of what the budget allows, and the gap as a share of G.
_START, _START_GAP = 0.7, 0.05
# Beside the point of the split node: how much of that start, and the gap.
_INSIDE, _WARM_GAP = 0.1, 0.02
# A gap that is closed; what a model may lack of the best, as a share of the gap.
_CLOSED, _LOOSE = 1e-8, 0.02
_LEAST_CENTRE = 1e-3


@dataclass(frozen=True, eq=False)
class RelaxationStep:
    """A point of the relaxation, with the cut and the bound that it proves."""

    part: NodePart  # what it is a relaxation of
    cut: Cut
    point: RelaxedPoint
    bound: float  # holds for all selections of the node
    multiplier: float  # of the budget, at least 0
    above: float  # the relaxation is not above this
    charges: Floats  # what the constraints are worth here
    # Cholesky's, below the diagonal, of the system that the last step solved
    factor: Floats | None = None


def interior_steps(
    loss: MinimisedLoss, part: NodePart, start: RelaxedPoint | None = None
) -> Iterator[RelaxationStep]:
    """Yield points whose bounds end at the relaxation of a node.

    `start`: a point of the node that this one was split from.
    """
    model = ShareModel(loss, part)
    n, m = len(part.bundles), len(part.components)
    x = _begun(part, start)
    slack = part.slacks(x)
    cut = model.at(x[:n], EXACT)
    # The central path: each slack times its multiplier is the same share of the gap.
    gap = (_START_GAP if start is None else _WARM_GAP) * cut.objective
    y = gap / len(slack) / slack
    factor = None
    for _ in range(_MAX_STEPS):
        bound, multiplier = proved(cut, part, y)
        yield RelaxationStep(
            part, cut, part.whole(x), bound, multiplier, cut.objective, y, factor
        )
        if float(y @ part.slacks(x)) < _CLOSED:
            return
        # dG/dz_b = -q_b of the cut (envelope theorem): gains are the gradient's size.
        gradient = np.concatenate([-cut.gains[part.bundles], np.zeros(m)])
        x, y, factor = _moved(part, x, y, gradient, model.curvature())
        gap = float(y @ part.slacks(x))
        if not np.isfinite(gap):  # no number any more: what was proven stands
            return
        cut = model.at(x[:n], max(_LOOSE * min(gap, _START_GAP), EXACT))


def _begun(part: NodePart, start: RelaxedPoint | None) -> Floats:
    """Return a point inside, near where the split node ended if that is known."""
    n = len(part.bundles)
    share = _START * min(1.0, part.left / float(part.prices.sum()))
    x = np.full(n + len(part.components), share)
    x[:n] *= _START
    if start is None:
        return x
    near = np.concatenate([start.shares[part.bundles], start.bought[part.components]])
    room = part.left / max(float(part.prices @ near[n:]), part.left)
    return _INSIDE * x + (1.0 - _INSIDE) * min(1.0, room) * near


def _moved(
    part: NodePart, x: NDArray, y: NDArray, gradient: NDArray, curvature: NDArray
) -> tuple[Floats, Floats, Floats]:
    """Return the next point and multipliers, both inside, and the system's factor."""
    slack = part.slacks(x)
    whole = part.barred(curvature, y / slack)
    # The transpose of a symmetric matrix is itself in the order that LAPACK reads.
    factor = dpotrf(whole.T, lower=1, overwrite_a=1)[0]
    mu, target = float(y @ slack) / len(slack), np.zeros(len(slack))
    for is_last in (False, True):
        right = part.transposed(target / slack) - gradient
        move = dpotrs(factor, right, lower=1)[0]
        ds = part.slacks(x + move) - slack
        dy = (target - y * ds) / slack - y
        far, far_y = _reach(slack, ds), _reach(y, dy)
        if not is_last:
            aimed = float((y + far_y * dy) @ (slack + far * ds)) / len(slack)
            # Mehrotra: the cube of what the predictor leaves, less its ds dy.
            centre = max((aimed / mu) ** 3, _LEAST_CENTRE)
            target = centre * mu - far * far_y * ds * dy
    return x + far * move, y + far_y * dy, factor


def _reach(value: NDArray, change: NDArray) -> float:
    """Return how far a change may go: all the way, or nearly to where one is 0."""
    falls = change < 0.0
    far = float((value[falls] / -change[falls]).min(initial=np.inf))
    return min(1.0, _TO_BOUNDARY * far)


def proved(cut: Cut, part: NodePart, y: NDArray) -> tuple[float, float]:
    """Return the bound that a cut proves, and the multiplier of the budget.

    Each bundle's gain is charged to its components, which are bought by gain for price.
    """
    gains, charged = cut.gains[part.bundles], part.charges(y)
    # Steps leave 3 % of each multiplier at least: no bundle's charges add up to 0.
    share = gains / np.maximum(part.by_bundle(charged), np.finfo(float).tiny)
    value = part.by_component(charged * share[part.link_bundle])
    # The fractional knapsack by Dantzig: any multiplier proves, this one proves most.
    order = np.argsort(-value / part.prices, kind="stable")
    spent = np.cumsum(part.prices[order])
    last = order[min(int(np.searchsorted(spent, part.left)), len(order) - 1)]
    multiplier = float(value[last] / part.prices[last])
    best = np.maximum(value - multiplier * part.prices, 0.0).sum()
    bound = cut.entropy - float(cut.gains[part.paid].sum() + best)
    return bound - multiplier * part.left - ROUNDING, multiplier
