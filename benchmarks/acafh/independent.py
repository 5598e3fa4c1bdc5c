"""Objectives from starts that the solver under test does not have.

A regret to the best of a solver's own starts cannot show what all of them miss. Here a
descent begins at the unpenalised fits of random supports and of scikit-learn's L1
supports, and the best point found is then exchanged feature by feature.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression

from solvers.methods.acafh.penalties import ComponentPenalty, SharedPenalty
from solvers.methods.acafh.problem import ACAFHProblem
from solvers.numerics.curvature import HessianCache
from solvers.numerics.prox_newton import LinearFit, minimise, refit_on

__all__ = ["independent_objectives"]

N_RANDOM = 20
N_L1 = 10
N_EXCHANGES = 20


def independent_objectives(
    prepared: ACAFHProblem,
    alphas: NDArray[np.float64],
    shape: ComponentPenalty,
    seed: int = 0,
) -> NDArray[np.float64]:
    """Return the lowest objective found for each trade-off, shape (n_alphas,)."""
    rng = np.random.default_rng(seed)
    loss, hessians = prepared.loss, HessianCache(prepared.loss)
    starts = [
        refit_on(loss, support & loss.selectable)
        for support in (*_random_supports(loss.n_features, rng), *_l1_supports(loss))
    ]
    lowest = []
    for alpha in alphas:
        penalty = SharedPenalty(float(alpha), shape, prepared.sharing)

        def descend(
            start: LinearFit, weights: NDArray | None = None, penalty=penalty
        ) -> LinearFit:
            return minimise(
                loss,
                penalty,
                start.weights if weights is None else weights,
                start.intercept,
                tol=prepared.tol,
                hessians=hessians,
            )

        best = min(map(descend, starts), key=lambda fit: fit.objective)
        for weights in _exchanges(best, refit_on(loss, loss.selectable), rng):
            best = min(best, descend(best, weights), key=lambda fit: fit.objective)
        lowest.append(best.objective)
    return np.array(lowest)


def _random_supports(
    n_features: int, rng: np.random.Generator
) -> Iterator[NDArray[np.bool_]]:
    for share in np.linspace(0.05, 1.0, N_RANDOM):
        yield rng.random(n_features) < share


def _l1_supports(loss) -> Iterator[NDArray[np.bool_]]:
    """Yield the supports of scikit-learn's L1 fits, on the same scaled columns."""
    for C in np.geomspace(1e-3, 1.0, N_L1):
        model = LogisticRegression(l1_ratio=1, solver="liblinear", C=C)
        yield model.fit(loss.columns.T, loss.signs).coef_[0] != 0


def _exchanges(
    best: LinearFit, dense: LinearFit, rng: np.random.Generator
) -> Iterator[NDArray[np.float64]]:
    """Yield weights with one random feature out, one in, or both."""
    used, unused = np.flatnonzero(best.weights), np.flatnonzero(best.weights == 0)
    for number in range(N_EXCHANGES):
        weights = best.weights.copy()
        if number % 3 != 1 and len(used):
            weights[rng.choice(used)] = 0.0
        if number % 3 != 0 and len(unused):
            entering = rng.choice(unused)
            weights[entering] = dense.weights[entering]
        yield weights
