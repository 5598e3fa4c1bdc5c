"""Streams of fits: from coarse to fine, and along the selectivity."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from ...values.knobs import Number
from .interior import Subproblem
from .problem import RidgeProblem, SelectiveRidgeFit
from .proximal import descend
from .published import published_iteration
from .selectivity import empty_model
from .training import ALGORITHM, MU, TOL, LossName, checked_problem
from .working_set import Solver

__all__ = [
    "Algorithm",
    "fits",
    "fits_along",
    "last",
    "selective_ridge_path",
    "selective_ridge_stream",
]

Algorithm: TypeAlias = Literal["interior_point", "published"]

N_POINTS = Number("Points", 1, np.inf, integer=True)
SMALLEST = Number("Smallest share", 0.0, 1.0, open=True)


def selective_ridge_stream(
    X: ArrayLike,
    y: ArrayLike,
    *,
    gamma: float = 1.0,
    mu: float = 0.1,
    loss: LossName = "hinge",
    feature_weights: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    algorithm: Algorithm = "interior_point",
    tol: float = 1e-6,
    every_iteration: bool = False,
    standardise: bool = False,
) -> Iterator[SelectiveRidgeFit]:
    """Yield fits from coarse to fine, each with its certificate.

    The first that is within a relative gap of 1e-3 comes early and is good enough to
    draw; the last is within `tol`.

    Parameters
    ----------
    X : array_like or sparse matrix of float, shape (n_samples, n_features)
        The rows.
    y : array_like, shape (n_samples,)
        Numbers for the squared loss, labels of two classes for the others.
    gamma : float, default=1.0
        Weight of the penalty, above 0.
    mu : float, default=0.1
        Selectivity, 0 or more.
    loss : {"squared", "hinge", "logistic"}, default="hinge"
        The loss of a row.
    feature_weights : array_like of float, shape (n_features,), optional
        mu_i / mu; 1 by default.
    sample_weight : array_like of float, shape (n_samples,), optional
        Weights of the rows, 0 or more.
    algorithm : {"interior_point", "published"}, default="interior_point"
        Ours, or the iteration of the paper with the gap that it leaves.
    tol : float, default=1e-6
        Relative duality gap to end at.
    every_iteration : bool, default=False
        Whether to work on all features at once and yield after every interior step,
        to watch the gap fall. The published algorithm always yields every iteration.
    standardise : bool, default=False
        Whether to measure every column in units of its spread, as the estimators do
        unless told otherwise; False is the problem as published.

    Yields
    ------
    SelectiveRidgeFit

    Raises
    ------
    ThriftscopeError
        Before the first fit, if an option or the labels make no sense.
    """
    MU.check("mu", mu)
    TOL.check("tol", tol)
    ALGORITHM.check("algorithm", algorithm)
    problem = checked_problem(
        X,
        y,
        gamma=gamma,
        loss=loss,
        feature_weights=feature_weights,
        sample_weight=sample_weight,
        standardise=standardise,
    )
    if every_iteration and algorithm == "interior_point":
        return _every_step(problem, mu, tol)
    return fits(problem, mu, algorithm, tol)


def selective_ridge_path(
    X: ArrayLike,
    y: ArrayLike,
    *,
    gamma: float = 1.0,
    loss: LossName = "hinge",
    feature_weights: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    n_points: int = 50,
    smallest: float = 1e-5,
    tol: float = 1e-6,
    standardise: bool = False,
) -> Iterator[SelectiveRidgeFit]:
    """Yield fits for selectivities from the empty model downwards, warm-started.

    Parameters
    ----------
    X : array_like or sparse matrix of float, shape (n_samples, n_features)
        The rows.
    y : array_like, shape (n_samples,)
        Numbers for the squared loss, labels of two classes for the others.
    gamma : float, default=1.0
        Weight of the penalty, above 0.
    loss : {"squared", "hinge", "logistic"}, default="hinge"
        The loss of a row.
    feature_weights : array_like of float, shape (n_features,), optional
        mu_i / mu; 1 by default.
    sample_weight : array_like of float, shape (n_samples,), optional
        Weights of the rows, 0 or more.
    n_points : int, default=50
        Number of selectivities, evenly spread on a log scale, eq. (42) of the paper.
    smallest : float, default=1e-5
        The last selectivity, as a share of the largest.
    tol : float, default=1e-6
        Relative duality gap of every fit.
    standardise : bool, default=False
        Whether to measure every column in units of its spread, as the estimators do
        unless told otherwise; False is the problem as published.

    Yields
    ------
    SelectiveRidgeFit
        The first has no feature but those of weight 0.

    Raises
    ------
    ThriftscopeError
        Before the first fit, if an option or the labels make no sense.

    Notes
    -----
    The number of features need not grow from one fit to the next, and a path of 50
    points takes about as long as 5 to 10 fits from nothing, not as one, as [1]_ has it.

    References
    ----------
    .. [1] Mottl et al., 2019, section V.B.
    """
    N_POINTS.check("n_points", n_points)
    SMALLEST.check("smallest", smallest)
    TOL.check("tol", tol)
    problem = checked_problem(
        X,
        y,
        gamma=gamma,
        loss=loss,
        feature_weights=feature_weights,
        sample_weight=sample_weight,
        standardise=standardise,
    )
    return fits_along(problem, n_points, smallest, "interior_point", tol)


def fits(
    problem: RidgeProblem, mu: float, algorithm: Algorithm, tol: float
) -> Iterator[SelectiveRidgeFit]:
    """Yield the fits of an algorithm for one selectivity."""
    if algorithm == "published":
        return published_iteration(problem, mu)
    return Solver(problem).refine(mu, tol, polish=True)


def fits_along(
    problem: RidgeProblem,
    n_points: int,
    smallest: float,
    algorithm: Algorithm,
    tol: float,
) -> Iterator[SelectiveRidgeFit]:
    """Yield the final fit for each selectivity of a log grid, warm-started, eq. (42).

    `smallest`: the last selectivity, as a share of the first, which leaves no feature.
    """
    dual, largest = empty_model(problem)
    solver = Solver(problem, dual)
    # Eq. (42), downwards: every fit starts from the one before, of almost the same μ.
    for mu in largest * np.geomspace(1.0, smallest, n_points):
        if algorithm == "published":
            yield last(published_iteration(problem, float(mu)))
        else:
            yield last(solver.refine(float(mu), tol, polish=True))


def last(found: Iterator[SelectiveRidgeFit]) -> SelectiveRidgeFit:
    """Return the last fit of a stream, and keep no other."""
    return deque(found, maxlen=1)[0]


def _every_step(
    problem: RidgeProblem, mu: float, tol: float
) -> Iterator[SelectiveRidgeFit]:
    """Yield the fit of every interior step on all features at once."""
    everything = np.arange(problem.columns.n_features)
    block = problem.columns.take(everything)
    sub = Subproblem(problem, block, mu * problem.scales, None, 0.0)
    dual = problem.loss.empty_dual(problem.y, problem.capacity)
    for iteration, point in enumerate(descend(sub, dual), start=1):
        scores = problem.columns.scores(point.dual)
        decisions = block @ point.coef + problem.columns.offset(point.coef)
        fit = problem.certify(mu, point.coef, decisions, point.dual, scores, iteration)
        yield fit
        if fit.relative_gap <= tol and point.is_rounded:
            return
