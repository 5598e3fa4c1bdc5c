"""Streams of fits, from coarse to fine and along the selectivity, and where it ends."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse
from scipy.optimize import linprog

from ...numerics.arrays import Floats
from ...values.knobs import Number
from .interior import Subproblem
from .losses import Hinge
from .problem import RidgeProblem, SelectiveRidgeFit
from .proximal import descend
from .training import ALGORITHM, MU, TOL, LossName, checked_problem
from .working_set import Solver, largest_ratio, without_priced

# The largest selectivity that leaves a feature in the model.
#
# Eq. (40) of the paper takes any solution λ* of eq. (39). For the hinge there are many
# where the classes differ in weight, and the right one has the least of the largest
# |x_i'λ| / scale_i: a linear program. With other solutions eq. (40) is an upper bound.


# Features that enter the linear program at a time, and how often they may.
ENTERING = 64
MAX_ROUNDS = 100
# A feature this much above the others' bound is in its place.
SLACK = 1e-9


def maximum_selectivity(
    X: ArrayLike,
    y: ArrayLike,
    gamma: float = 1.0,
    loss: LossName = "hinge",
    *,
    feature_weights: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    standardise: bool = False,
) -> float:
    """Return μ₀, the least selectivity at which no feature is left in the model.

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
        mu_i / mu, 1 by default. Features of weight 0 are never left out.
    sample_weight : array_like of float, shape (n_samples,), optional
        Weights of the rows, 0 or more.
    standardise : bool, default=False
        Whether to measure every column in units of its spread, as the estimators do
        unless told otherwise; False is the problem as published.

    Returns
    -------
    float

    Raises
    ------
    ThriftscopeError
        If an option or the labels make no sense.

    Notes
    -----
    Eq. (40) of [1]_, with the absolute value that it lacks. For the hinge and classes
    of different weight the λ* of eq. (39) is not unique and eq. (40) only an upper
    bound; here a small linear program finds the right one.

    References
    ----------
    .. [1] Mottl et al., "Computational complexity of dependence estimation via
       generalized linear models in multidimensional feature spaces", 2019.

    Examples
    --------
    >>> float(maximum_selectivity([[1.0], [-1.0]], [1.0, -1.0], 1.0, "squared"))
    2.0
    """
    problem = checked_problem(
        X,
        y,
        gamma=gamma,
        loss=loss,
        feature_weights=feature_weights,
        sample_weight=sample_weight,
        standardise=standardise,
    )
    return empty_model(problem)[1]


def empty_model(problem: RidgeProblem) -> tuple[Floats, float]:
    """Return the dual of the model without priced features, and where it begins.

    Shape: `dual` (n_samples,).
    `mu`: the least selectivity at which every feature with a scale above 0 is at zero.
    """
    free = np.flatnonzero(problem.scales == 0)
    dual = without_priced(problem)[1]
    if isinstance(problem.loss, Hinge):
        dual = _least_scores(problem, dual, free)
    return dual, largest_ratio(problem.columns.scores(dual), problem.scales)


def _least_scores(
    problem: RidgeProblem, dual: Floats, free: NDArray[np.intp]
) -> Floats:
    """Return, of all duals as good as one, that of the least largest score."""
    best, ratios = dual, _ratios(problem, dual)
    scale = least = float(ratios.max(initial=0.0))
    entered = np.zeros(0, dtype=np.intp)
    n_priced = int(np.count_nonzero(problem.scales > 0))
    for _ in range(MAX_ROUNDS if scale > 0 else 0):
        ratios[entered] = -1.0
        room = min(ENTERING, n_priced - len(entered))
        entered = np.append(entered, np.argsort(-ratios)[:room])
        found = _solve_program(problem, dual, free, entered, scale)
        if found is None:
            break
        ratios = _ratios(problem, found[0])
        if ratios.max() <= least:
            best, least = found[0], float(ratios.max())
        # Other features can only raise the bound; if none does, it is exact.
        if ratios.max() <= found[1] + SLACK * scale or len(entered) == n_priced:
            break
    return best


def _ratios(problem: RidgeProblem, dual: Floats) -> Floats:
    """Return |x_i'λ| / scale_i, and -1 where a feature is free."""
    scores = np.abs(problem.columns.scores(dual))
    return np.divide(
        scores, problem.scales, out=np.full(len(scores), -1.0), where=problem.scales > 0
    )


def _solve_program(
    problem: RidgeProblem,
    dual: Floats,
    free: NDArray[np.intp],
    entered: NDArray[np.intp],
    scale: float,
) -> tuple[Floats, float] | None:
    """Return the best dual for some features and its bound; None if it did not work.

    The unknowns are yλ / capacity, between 0 and 1, and the bound as a share of
    ``scale``. The sums of λ and of yλ and the scores of free features stay as they are.
    """
    signed = problem.y * problem.capacity
    priced = _scores_of(problem, entered, signed) / problem.scales[entered, np.newaxis]
    kept = np.vstack([signed, problem.capacity, _scores_of(problem, free, signed)])
    values = np.concatenate(
        [[0.0, problem.y @ dual], _scores_of(problem, free, dual).sum(1)]
    )
    size = np.maximum(np.abs(kept).max(axis=1), np.finfo(float).tiny)
    n_rows = len(dual)
    result = linprog(
        np.append(np.zeros(n_rows), 1.0),
        A_ub=np.hstack(
            [np.vstack([priced, -priced]) / scale, -np.ones((2 * len(entered), 1))]
        ),
        b_ub=np.zeros(2 * len(entered)),
        A_eq=np.hstack([kept / size[:, np.newaxis], np.zeros((len(kept), 1))]),
        b_eq=values / size,
        bounds=[(0.0, 1.0)] * n_rows + [(0.0, None)],
        method="highs",
    )
    if result.status != 0:
        return None
    found = problem.loss.feasible(problem.y, signed * result.x[:-1], problem.capacity)
    return found, float(result.x[-1]) * scale


def _scores_of(problem: RidgeProblem, chosen: NDArray[np.intp], dual: Floats) -> Floats:
    """Return the terms of the scores of some features, (n_chosen, n_samples)."""
    block = problem.columns.take(chosen)
    dense = block.toarray() if sparse.issparse(block) else block
    return np.asarray((dense * dual[:, np.newaxis]).T)


# Streams of fits: from coarse to fine, and along the selectivity.


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


# The algorithm as published, repaired where it cannot be run as printed.
#
# It takes the features with |x_i'λ| > mu for all that there is, minimises the dual for
# them, and looks again. The paper holds that this ends at the optimum. It does not: the
# dual has kinks at |x_i'λ| = mu, most features of interest stand on them, and eq. (20)
# sets those to zero. So its own gap is reported with it.
#
# Repairs: the absolute value in (25), and -mu² / 2 for each active feature in (26) and
# (37), without which (29) compares different things. The intercept is the best one for
# the coefficients, so that the gap is not for want of (38), which may be 0 / 0.


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
