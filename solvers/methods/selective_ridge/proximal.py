"""Proximal Newton for the logistic loss: slower than the interior point, never stuck.

Where gamma is so small that the duals of most rows end within rounding of zero, the
entropy lets the interior point make short steps only. Here each step solves a weighted
squared problem, which it does without fail, and a line search makes P fall.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import cast

import numpy as np

from ...numerics.arrays import Floats
from .interior import Iterate, Subproblem, interior_point
from .losses import LOSSES, Logistic

MAX_STEPS = 100
MAX_HALVINGS = 40
# The quadratic models are solved to this share of their value.
MODEL_TOLERANCE = 1e-11
# Rows with less curvature than this share of their weight are given it.
LEAST_CURVATURE = 1e-10


@dataclass(frozen=True, eq=False)
class _PrimalPoint:
    """A model: its coefficients, its decisions, and P."""

    coef: Floats
    carrier: Floats
    decisions: Floats
    primal: float


def descend(sub: Subproblem, dual: Floats, primal: float = np.inf) -> Iterator[Iterate]:
    """Yield better and better points: interior ones, then, where these stall, others.

    Shapes: `dual` (n_samples,).
    Whoever pulls judges: only who was not satisfied sees the later ones.
    """
    problem = sub.problem
    yield from interior_point(sub, dual, primal)
    # From nothing: a warm start may lie too close to the wrong bounds.
    yield from interior_point(replace(sub, is_extended=True))
    if problem.loss.name == "logistic":
        yield from proximal_newton(sub)


def proximal_newton(sub: Subproblem) -> Iterator[Iterate]:
    """Yield better and better points of a logistic problem."""
    problem, n_rows = sub.problem, len(sub.problem.y)
    loss = cast("Logistic", problem.loss)
    point = _model(sub, np.zeros(len(sub.thresholds)), np.zeros(n_rows))
    dual, lower = np.zeros(n_rows), -np.inf
    for _ in range(MAX_STEPS):
        # The dual that the decisions ask for; its sum need not be zero.
        slope = loss.dual_at(problem.y, point.decisions, problem.capacity)
        # The best bound that was seen certifies.
        feasible, _, bound = sub.bounded(slope)
        if bound > lower:
            dual, lower = feasible, bound
        gap = point.primal - lower
        yield Iterate(point.coef, point.carrier, dual, point.primal, gap, True)
        best = _minimise_model(sub, point, slope)
        feasible, _, bound = sub.bounded(best.dual)
        if bound > lower:
            dual, lower = feasible, bound
        moved = _search(sub, point, best.coef, best.carrier)
        if moved is None:
            gap = point.primal - lower
            yield Iterate(point.coef, point.carrier, dual, point.primal, gap, True)
            return
        point = moved


def _model(sub: Subproblem, coef: Floats, carrier: Floats) -> _PrimalPoint:
    from_folded = sub.gram_times(carrier)
    decisions = sub.block @ coef + from_folded
    bias = sub.problem.loss_of(decisions)[1]
    primal = sub.primal_value(coef, carrier, from_folded)
    return _PrimalPoint(coef, carrier, decisions + bias, primal)


def _minimise_model(sub: Subproblem, point: _PrimalPoint, slope: Floats) -> Iterate:
    """Return the minimiser of the penalty plus a quadratic model of the loss."""
    problem = sub.problem
    share = problem.y * slope / problem.capacity
    # IRLS: to second order the loss is a squared one, of weight capacity p (1 - p)
    # about the decision z + slope / weight.
    curvature = problem.capacity * np.maximum(share * (1 - share), LEAST_CURVATURE)
    quadratic = replace(
        problem,
        y=point.decisions + slope / curvature,
        weights=problem.gamma * curvature,
        loss=LOSSES["squared"],
    )
    start = quadratic.loss.feasible(quadratic.y, slope, quadratic.capacity)
    points = interior_point(replace(sub, problem=quadratic), start)
    best = next(points)
    for found in points:
        if found.gap < best.gap:
            best = found
        if best.relative_gap <= MODEL_TOLERANCE:
            break
    return best


def _search(
    sub: Subproblem, point: _PrimalPoint, coef: Floats, carrier: Floats
) -> _PrimalPoint | None:
    """Return the first point on the way to another where P is less, None if none."""
    step = 1.0
    for _ in range(MAX_HALVINGS):
        tried = _model(
            sub,
            point.coef + step * (coef - point.coef),
            point.carrier + step * (carrier - point.carrier),
        )
        if tried.primal < point.primal:
            return tried
        step /= 2
    return None
