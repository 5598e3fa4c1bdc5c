"""The largest selectivity that leaves a feature in the model.

Eq. (40) of the paper takes any solution λ* of eq. (39). For the hinge there are many
where the classes differ in weight, and the right one has the least of the largest
|x_i'λ| / scale_i: a linear program. With other solutions eq. (40) is an upper bound.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse
from scipy.optimize import linprog

from ...numerics.arrays import Floats
from .losses import Hinge
from .problem import RidgeProblem
from .training import LossName, checked_problem
from .working_set import largest_ratio, without_priced

__all__ = ["empty_model", "maximum_selectivity"]


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
