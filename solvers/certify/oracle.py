"""The best model at fractional bundles, and the cut that its residuals give.

For a in [0, 1]^n with sum_i a_i y_i = 0, let E(a) be the mean entropy,
r = X'(a y) / n and q_j = r_j^2 / (2 ridge). Fenchel duality gives, for every selection,
objective(S) >= E(a) - sum_{j in S} q_j: a cut that holds at every budget.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cho_factor, cho_solve
from scipy.special import expit, xlogy

from .problem import SelectionProblem

__all__ = ["Cut", "Oracle", "least_objective"]

_TOL = 1e-9
_MAX_STEPS = 60
_HALVINGS = 40
# Shares of a bundle below this are none: their columns would only add noise.
_LEAST_SHARE = 1e-9


@dataclass(frozen=True, eq=False)
class Cut:
    """A cut, and the objective of the model that it came from."""

    vector: NDArray[np.float64]  # (n_rows,): a
    entropy: float  # E(a)
    gains: NDArray[np.float64]  # (n_bundles,): q summed over each bundle
    objective: float  # of the model found: never below the least
    curved: NDArray[np.float64]  # (n_bundles,): what buying each would bring, about


class Oracle:
    """Newton's method on the bought columns, begun where the last call ended."""

    def __init__(self, problem: SelectionProblem) -> None:
        self.problem = problem
        self.calls = 0
        self._weights = np.zeros(problem.table.shape[1])
        share = float((problem.signs > 0).mean())
        self._intercept = float(np.log(share / (1.0 - share)))

    def __call__(self, shares: NDArray[np.float64]) -> Cut:
        """Minimise loss + ridge/2 sum w_j^2 / z_j, for shares z of the bundles."""
        self.calls += 1
        problem = self.problem
        z = shares[problem.bundle_of]
        active = np.flatnonzero(z > _LEAST_SHARE)
        roots = np.sqrt(z[active])
        design = np.column_stack(
            [problem.table[:, active] * roots, np.ones(len(problem.signs))]
        )
        start = np.append(self._weights[active] / roots, self._intercept)
        penalty = np.append(np.full(len(active), problem.ridge), 0.0)
        found, value = _newton(design, problem.signs, penalty, start)
        self._weights[active] = found[:-1] * roots
        self._intercept = float(found[-1])
        return self._answer(expit(-problem.signs * (design @ found)), value)

    def _answer(self, doubt: NDArray[np.float64], value: float) -> Cut:
        problem = self.problem
        a = balanced(doubt, problem.signs)
        n = len(a)
        entropy = -float((xlogy(a, a) + xlogy(1.0 - a, 1.0 - a)).sum()) / n
        slopes = problem.table.T @ (a * problem.signs) / n
        weight = a * (1.0 - a) / n
        squares = np.einsum("ij,ij,i->j", problem.table, problem.table, weight)
        gains = slopes**2 / (2.0 * problem.ridge)
        curved = slopes**2 / (2.0 * (problem.ridge + squares))
        return Cut(a, entropy, self._summed(gains), float(value), self._summed(curved))

    def _summed(self, of_columns: NDArray[np.float64]) -> NDArray[np.float64]:
        bundles = self.problem.bundle_of
        sums = np.bincount(bundles, of_columns, minlength=self.problem.n_bundles)
        return sums.astype(float)


def least_objective(
    table: NDArray[np.float64], signs: NDArray[np.float64], ridge: float
) -> float:
    """Return the least mean loss + ridge/2 |w|^2 on standardised columns, all used."""
    design = np.column_stack([table, np.ones(len(signs))])
    penalty = np.append(np.full(table.shape[1], ridge), 0.0)
    return _newton(design, signs, penalty, np.zeros(design.shape[1]))[1]


def balanced(
    doubt: NDArray[np.float64], signs: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Scale the heavier class down, so that sum_i a_i y_i = 0 and a is feasible."""
    up, down = doubt[signs > 0].sum(), doubt[signs < 0].sum()
    least = min(up, down)
    factor = np.where(signs > 0, least / up, least / down)
    return np.clip(doubt * factor, 0.0, 1.0)


def _newton(
    design: NDArray, signs: NDArray, penalty: NDArray, w: NDArray
) -> tuple[NDArray[np.float64], float]:
    value = _value(design, signs, penalty, w)
    for _ in range(_MAX_STEPS):
        doubt = expit(-signs * (design @ w))
        gradient = penalty * w - design.T @ (signs * doubt) / len(signs)
        curvature = doubt * (1.0 - doubt) / len(signs)
        hessian = (design.T * curvature) @ design
        hessian[np.diag_indices_from(hessian)] += np.maximum(penalty, 1e-12)
        step = -cho_solve(cho_factor(hessian), gradient)
        # Half the squared Newton decrement: how far the objective can still fall.
        fall = -0.5 * float(gradient @ step)
        if fall <= _TOL:
            return w + step, min(value, _value(design, signs, penalty, w + step))
        for halving in range(_HALVINGS):
            tried = w + 0.5**halving * step
            reached = _value(design, signs, penalty, tried)
            if reached < value:
                w, value = tried, reached
                break
        else:
            break
    return w, value


def _value(design: NDArray, signs: NDArray, penalty: NDArray, w: NDArray) -> float:
    loss = np.logaddexp(0.0, -signs * (design @ w)).mean()
    return float(loss + 0.5 * (penalty @ w**2))
