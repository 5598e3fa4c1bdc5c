"""The algorithm as published, repaired where it cannot be run as printed.

It takes the features with |x_i'λ| > mu for all that there is, minimises the dual for
them, and looks again. The paper holds that this ends at the optimum. It does not: the
dual has kinks at |x_i'λ| = mu, most features of interest stand on them, and eq. (20)
sets those to zero. So its own gap is reported with it.

Repairs: the absolute value in (25), and -mu² / 2 for each active feature in (26) and
(37), without which (29) compares different things. The intercept is the best one for
the coefficients, so that the gap is not for want of (38), which may be 0 / 0.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from ...numerics.arrays import Floats
from .interior import Subproblem
from .problem import RidgeProblem, SelectiveRidgeFit
from .proximal import descend

MAX_ITERATIONS = 60
# Each subproblem is solved to this relative gap: exactly, as the paper has it.
EXACT = 1e-10
# Golden sections of the step: to 1e-12 of its length.
SECTIONS = 58
GOLDEN = (np.sqrt(5.0) - 1.0) / 2.0


def published_iteration(
    problem: RidgeProblem, mu: float
) -> Iterator[SelectiveRidgeFit]:
    """Yield the fit of every iteration of eq. (27) to (32), with its true gap.

    Until the active features repeat, eq. (32), or the iterations run out.
    """
    thresholds = mu * problem.scales
    # Eq. (28): at first every feature is active.
    active = np.ones(problem.columns.n_features, dtype=bool)
    dual = problem.loss.empty_dual(problem.y, problem.capacity)
    scores = problem.columns.scores(dual)
    for iteration in range(1, MAX_ITERATIONS + 1):
        # Eq. (27): the minimum for these features, with their kinks smoothed away.
        better = _minimise(problem, active, dual, thresholds)
        ahead = problem.columns.scores(better)
        if iteration > 1:
            # Eq. (29) to (31): the whole step if W falls, or else its best part.
            share = _step(problem, mu, (dual, scores), (better, ahead))
            better = share * dual + (1.0 - share) * better
            ahead = share * scores + (1.0 - share) * ahead
        dual, scores = better, ahead
        # Eq. (20): features on the boundary go to zero.
        coef = np.where(np.abs(scores) > thresholds, scores, 0.0)
        decisions = problem.columns.decisions(coef)
        yield problem.certify(mu, coef, decisions, dual, scores, iteration)
        # Eq. (32): the same features are active again.
        if np.array_equal(active, coef != 0):
            return
        active = coef != 0


def _minimise(
    problem: RidgeProblem, active: NDArray, dual: Floats, thresholds: Floats
) -> Floats:
    """Return the minimiser of eq. (26) for a set of active features."""
    sub = Subproblem(
        problem,
        np.zeros((len(dual), 0)),
        np.zeros(0),
        problem.columns.gram(np.flatnonzero(active)),
        0.5 * float(np.sum(thresholds[active] ** 2)),
    )
    best, least = dual, np.inf
    for point in descend(sub, dual):
        if point.gap < least:
            best, least = point.dual, point.gap
        if least <= EXACT * abs(point.primal):
            break
    return best


def _step(
    problem: RidgeProblem,
    mu: float,
    here: tuple[Floats, Floats],
    ahead: tuple[Floats, Floats],
) -> float:
    """Return the share of the old dual, 0 for a whole step, eq. (29) to (31)."""

    def value(share: float) -> float:
        dual, scores = (
            share * a + (1.0 - share) * b for a, b in zip(here, ahead, strict=True)
        )
        return problem.dual_value(dual, scores, mu)

    if value(0.0) <= value(1.0):
        return 0.0
    low, high = 0.0, 1.0
    left, right = high - GOLDEN, low + GOLDEN
    at_left, at_right = value(left), value(right)
    for _ in range(SECTIONS):
        # W is convex: no minimum lies beyond the higher of the two.
        if at_left <= at_right:
            high, right, at_right = right, left, at_left
            left = high - GOLDEN * (high - low)
            at_left = value(left)
        else:
            low, left, at_left = left, right, at_right
            right = low + GOLDEN * (high - low)
            at_right = value(right)
    return (low + high) / 2
