"""What the classifier and the regressor share."""

from __future__ import annotations

import warnings
from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike
from sklearn.exceptions import ConvergenceWarning

from ...costs.hypergraph import FeatureHypergraph
from ...numerics.arrays import Mask
from .paths import Algorithm, fits, last
from .problem import RidgeProblem, SelectiveRidgeFit
from .training import TrainingRows, checked_scales


class SelectiveRidgeEstimator:
    """Poses the problem of some rows, and takes over a fit with its certificate."""

    gamma: float
    mu: float
    hypergraph: FeatureHypergraph | None
    feature_weights: ArrayLike | None
    algorithm: Algorithm
    tol: float
    standardise: bool
    _hypergraph: Callable[[], FeatureHypergraph]

    def _problem(self, rows: TrainingRows, loss: str) -> RidgeProblem:
        """Return the problem of some rows, under prices where there are any."""
        hypergraph = None if self.hypergraph is None else self._hypergraph()
        known = None if hypergraph is None else hypergraph.features
        names = getattr(self, "feature_names_in_", known)
        n_features = rows.X.shape[1]
        scales = checked_scales(self.feature_weights, hypergraph, n_features, names)
        return rows.problem(loss, self.gamma, scales, self.standardise)

    def _solve(self, problem: RidgeProblem) -> SelectiveRidgeFit:
        return last(fits(problem, self.mu, self.algorithm, self.tol))

    def _take_certificate(self, fit: SelectiveRidgeFit, is_used: Mask) -> None:
        self.dual_coef_ = np.zeros(len(is_used))
        self.dual_coef_[is_used] = fit.dual_coef
        self.objective_ = fit.objective
        self.duality_gap_ = fit.duality_gap
        self.feature_states_ = fit.states
        self.n_iter_ = max(fit.iterations, 1)
        if fit.relative_gap > self.tol:
            warnings.warn(_shortfall(fit, self.algorithm), ConvergenceWarning, 2)


def _shortfall(fit: SelectiveRidgeFit, algorithm: str) -> str:
    reached = f"stopped at a relative duality gap of {fit.relative_gap:.1e}"
    if algorithm == "published":
        return f'The published algorithm {reached}; use algorithm="interior_point".'
    return f"The solver {reached}; raise tol or gamma, or scale the features."
