"""Seconds against the number of features: the dual, the primal and scikit-learn.

As in Fig. 1 of the paper, tables grow by columns while the rows, gamma and mu stay. The
primal is the same interior-point method with one unknown a feature instead of one a
row, which is what a general solver does; scikit-learn has the nearest models that leave
features out.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from sklearn.linear_model import ElasticNet, LogisticRegression
from sklearn.svm import LinearSVC

from ...checks import eager
from ...errors import KnobError
from ...numerics.arrays import Floats
from .interior import Subproblem
from .problem import RidgeProblem
from .proximal import descend
from .working_set import Solver

CONTENDERS: Mapping[str, str] = {
    "dual": "Dual, one unknown a row",
    "primal": "Primal, one unknown a feature",
    "scikit": "scikit-learn, nearest model",
}
RIVALS: Mapping[str, str] = {
    "squared": "ElasticNet",
    "hinge": "LinearSVC, l1 and squared hinge",
    "logistic": "LogisticRegression, l1",
}
# The relative duality gap that both of ours are timed to.
TOLERANCE = 1e-6
# scikit-learn's penalty wants a weight above zero even without selectivity.
LEAST_MU = 1e-12


@dataclass(frozen=True)
class ContenderTiming:
    """How long one contender took for one table."""

    contender: str  # Who was timed
    n_features: int  # Columns of the table
    seconds: float | None  # None where it was skipped
    # What it proved in that time; scikit-learn's models prove nothing here
    relative_gap: float | None
    note: str  # Which model, or why it was skipped


def growing_sizes(n_features: int, smallest: int = 100) -> list[int]:
    """Return numbers of features that double, up to all there are.

    `smallest`: where to begin.
    """
    sizes = [n_features]
    while sizes[0] >= 2 * smallest:
        sizes.insert(0, sizes[0] // 2)
    return sizes


@eager
def time_against_features(
    X: Floats,
    y: Floats,
    *,
    gamma: float,
    mu: float,
    loss: str,
    sizes: list[int],
    limit: float = 1.0,
) -> Iterator[ContenderTiming | None]:
    """Yield what each contender takes for the first columns of a table.

    Shapes: `X` (n_samples, n_features), `y` (n_samples,).
    `gamma, mu`: weight of the penalty, above 0, and selectivity, 0 or more.
    `limit`: who took longer than so many seconds is not asked for more columns.

    References
    ----------
    Mottl et al., 2019, Fig. 1.
    """
    if not sizes or min(sizes) < 1 or max(sizes) > X.shape[1]:
        raise KnobError(
            f"The sizes are {sizes}; take numbers of columns from 1 to {X.shape[1]}."
        )
    yield None
    beyond: dict[str, int] = {}
    for size in sorted(sizes):
        # Column by column, as every contender reads it.
        table = np.asfortranarray(X[:, :size])
        ones = np.ones(size)
        problem = RidgeProblem.of(table, y, np.ones(len(y)), ones, gamma, loss)
        runs: dict[str, Callable[[], float | None]] = {
            "dual": partial(_dual, problem, mu),
            "primal": partial(_primal, problem, mu),
            "scikit": partial(_scikit, table, y, gamma, mu, loss),
        }
        for contender, run in runs.items():
            if contender in beyond:
                note = f"skipped: over {limit:g} s at {beyond[contender]} features"
                yield ContenderTiming(contender, size, None, None, note)
                continue
            started = time.perf_counter()
            gap = run()
            seconds = time.perf_counter() - started
            if seconds > limit:
                beyond[contender] = size
            note = RIVALS[loss] if contender == "scikit" else CONTENDERS[contender]
            yield ContenderTiming(contender, size, seconds, gap, note)


def _dual(problem: RidgeProblem, mu: float) -> float:
    """Solve as the estimators do, from nothing."""
    *_, fit = Solver(problem).refine(mu, TOLERANCE)
    return fit.relative_gap


def _primal(problem: RidgeProblem, mu: float) -> float:
    """Solve with one unknown a feature, from nothing."""
    block = problem.columns.take(np.arange(problem.columns.n_features))
    scales = mu * problem.scales
    sub = Subproblem(problem, block, scales, None, 0.0, is_primal=True)
    dual = problem.loss.empty_dual(problem.y, problem.capacity)
    best = np.inf
    for point in descend(sub, dual):
        best = min(best, point.relative_gap)
        if best <= TOLERANCE:
            break
    return best


def _scikit(X: Floats, y: Floats, gamma: float, mu: float, loss: str) -> None:
    """Fit scikit-learn's nearest model: the penalty of small coefficients for all."""
    weight = gamma * max(mu, LEAST_MU)
    model: Any
    if loss == "squared":
        # At l1_ratio 1 it were eq. (11) over 2n, as long as all |a| <= mu.
        model = ElasticNet(weight / len(y), l1_ratio=0.9, max_iter=2000, tol=1e-4)
    elif loss == "hinge":
        # |w| + C sum of losses: eq. (11) over 2 gamma mu, with the hinge squared.
        model = LinearSVC(penalty="l1", dual=False, C=1 / (2 * weight), random_state=0)
    else:
        model = LogisticRegression(
            l1_ratio=1.0, C=1 / (2 * weight), solver="liblinear", random_state=0
        )
    model.fit(X, y)
