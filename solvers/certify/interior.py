"""The relaxation of a node by an interior-point method that knows its curvature.

With z the shares of bundles, u those of components and G(z) the least objective,

    minimise G(z)  over  z_b <= u_i where b needs i, 0 <= z, u <= 1, prices u <= left.

Planes need hundreds to trace a curved G; a dozen Newton steps do (`ShareModel` has the
derivatives). The residuals at every step are a feasible a: with the prices that its
gains can bear they prove a bound by weak duality, however far the step is from the end.
Steps are Mehrotra's: a predictor, then a corrector that keeps to the central path.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.linalg.lapack import dpotrf, dpotrs

from .node_part import NodePart, RelaxedPoint
from .oracle import EXACT, Cut
from .pool import ROUNDING
from .share_model import MinimisedLoss, ShareModel

__all__ = ["RelaxationStep", "interior_steps", "proved"]

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
    charges: NDArray[np.float64]  # what the constraints are worth here
    # Cholesky's, below the diagonal, of the system that the last step solved
    factor: NDArray[np.float64] | None = None


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


def _begun(part: NodePart, start: RelaxedPoint | None) -> NDArray[np.float64]:
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
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
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
