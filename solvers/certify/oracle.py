"""The best model at fractional bundles, and the cut that its residuals give.

Rows have weights p that add up to 1. For a in [0, 1]^n with sum_i p_i a_i y_i = 0, let
E(a) be the mean entropy, r = X'(p a y) and q_j = r_j^2 / (2 ridge). Fenchel duality
gives, for every selection, objective(S) >= E(a) - sum_{j in S} q_j: a cut that holds at
every budget, whether or not a comes from the best model.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import xlogy

from .logistic import LogisticFit
from .problem import SelectionProblem

__all__ = ["EXACT", "Cut", "Oracle", "balanced", "least_objective"]

# How far the objective may still fall when the last step is taken, where it counts.
EXACT = 1e-9
# Shares of a bundle below this are none: their columns would only add noise.
_LEAST_SHARE = 1e-9


@dataclass(frozen=True, eq=False)
class Cut:
    """A cut, and the objective of the model that it came from."""

    vector: NDArray[np.float64]  # (n_rows,): a
    entropy: float  # E(a)
    gains: NDArray[np.float64]  # (n_bundles,): q summed over each bundle
    objective: float  # of the model found: never below the least


class Oracle:
    """Newton's method on the bought columns, begun where the last call ended."""

    def __init__(self, problem: SelectionProblem) -> None:
        self.problem = problem
        # A column a row of memory: products of a few columns are fastest so.
        self._columns = np.ascontiguousarray(problem.table.T)
        self._weights = np.zeros(len(self._columns))
        self.strengths = np.full(len(self._columns), problem.ridge)
        share = float(problem.row_weights[problem.signs > 0].sum())
        self._intercept = float(np.log(share / (1.0 - share)))

    def __call__(self, shares: NDArray[np.float64]) -> Cut:
        """Minimise loss + ridge/2 sum w_j^2 / z_j, for shares z of the bundles."""
        z = shares[self.problem.bundle_of]
        active = np.flatnonzero(z > _LEAST_SHARE)
        fit = self.model_of(active)
        # The perspective of the ridge: w^2 / z, convex in both.
        fit.minimise(self.problem.ridge / z[active], EXACT)
        return self.answer(active, fit)

    def model_of(self, columns: NDArray[np.int_]) -> LogisticFit:
        """Return a model of some columns that begins where the last one ended."""
        start = np.append(self._weights[columns], self._intercept)
        return LogisticFit(self._columns[columns], self.problem, start)

    def latest(self, columns: NDArray[np.int_]) -> tuple[NDArray[np.float64], float]:
        """Return weights of some columns, and the intercept, as the last one left."""
        return self._weights[columns], self._intercept

    def promise(self, answer: Cut) -> NDArray[np.float64]:
        """Return what buying each bundle would bring, about, (n_bundles,)."""
        problem, a = self.problem, answer.vector
        slopes = self._columns @ (problem.row_weights * a * problem.signs)
        weight = problem.row_weights * a * (1.0 - a)
        # A Newton step of each column alone: slope^2 / (2 (ridge + curvature)).
        squares = np.einsum("ij,ij,j->i", self._columns, self._columns, weight)
        return self._summed(slopes**2 / (2.0 * (problem.ridge + squares)))

    def answer(self, columns: NDArray[np.int_], fit: LogisticFit) -> Cut:
        """Return the cut that the residuals of a model give, the best or not.

        Later models begin where this one is.
        """
        self._weights[columns], self._intercept = fit.slopes, float(fit.weights[-1])
        problem = self.problem
        a = balanced(fit.doubt, problem.signs, problem.row_weights)
        entropy = -float(problem.row_weights @ (xlogy(a, a) + xlogy(1 - a, 1 - a)))
        slopes = self._columns @ (problem.row_weights * a * problem.signs)
        gains = slopes**2 / (2.0 * problem.ridge)
        return Cut(a, entropy, self._summed(gains), fit.value)

    def _summed(self, of_columns: NDArray[np.float64]) -> NDArray[np.float64]:
        bundles = self.problem.bundle_of
        sums = np.bincount(bundles, of_columns, minlength=self.problem.n_bundles)
        return sums.astype(float)


def least_objective(problem: SelectionProblem, columns: NDArray[np.int_]) -> float:
    """Return the least objective of a model of some standardised columns."""
    fit = LogisticFit(problem.table.T[columns], problem, np.zeros(len(columns) + 1))
    fit.minimise(np.full(len(columns), problem.ridge), EXACT)
    return fit.value


def balanced(
    doubt: NDArray[np.float64],
    signs: NDArray[np.float64],
    row_weights: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Scale the heavier class down, so that sum_i p_i a_i y_i = 0: a is feasible."""
    weighed, is_up = row_weights * doubt, signs > 0
    up, down = weighed[is_up].sum(), weighed[~is_up].sum()
    least = min(up, down)
    return np.clip(doubt * np.where(is_up, least / up, least / down), 0.0, 1.0)
