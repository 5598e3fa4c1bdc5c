"""The best model at fractional bundles, and the cut that its residuals give."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.linalg.lapack import dpotrf, dpotrs, dtrtrs
from scipy.special import expit, xlogy

from ..costs.hypergraph import FeatureHypergraph
from ..costs.selection import Selection
from ..numerics.arrays import Floats, Integers
from .problem import SelectionProblem, make_problem

# Newton's method for the logistic model of some columns, warm between penalties.


_MAX_STEPS = 60
_HALVINGS = 40
# What the diagonal is raised by, at first and in relation to it, until it has a factor.
_LEAST_CURVATURE, _RAISED = 1e-12, 1e-13


class LogisticFit:
    """Minimise loss + 1/2 sum_j penalty_j w_j^2; the intercept comes last, unpenalised.

    `columns`: (n_columns, n_rows), a column a row; `weights`: (n_columns + 1,), where
    to begin.
    """

    def __init__(
        self, columns: Floats, problem: SelectionProblem, weights: Floats
    ) -> None:
        self._design = np.ones((len(columns) + 1, columns.shape[1]))
        self._design[:-1] = columns
        self._signs, self._row_weights = problem.signs, problem.row_weights
        self.weights = weights
        self.value = np.inf
        self.doubt = self._doubt_at(weights)[0]
        self._hessian = self._curved()
        self._factor = self._hessian

    def minimise(self, penalty: Floats, tol: float) -> None:
        """Move to the minimum, but for what one step from `tol` leaves."""
        penalty = np.append(penalty, 0.0)
        self.value = self._objective(self.weights, penalty)[0]
        for _ in range(_MAX_STEPS):
            pull = self._row_weights * self._signs * self.doubt
            gradient = penalty * self.weights - self._design @ pull
            self._factor = _factored(self._hessian, penalty)
            step = -dpotrs(self._factor, gradient, lower=1)[0]
            # Half the squared Newton decrement: how far the objective can still fall.
            fall = -0.5 * float(gradient @ step)
            if not self._stepped(step, penalty) or fall <= tol:
                return
            self._hessian = self._curved()

    @property
    def slopes(self) -> Floats:
        """The weights of the columns."""
        return self.weights[:-1]

    def curvature(self) -> Floats:
        """Return L - L (L + P)^-1 L for the Hessian L of the loss and the penalties P.

        (n_columns, n_columns): what the loss resists once the model may follow.
        """
        # L (L + P)^-1 L = (R^-1 L)'(R^-1 L) with R the Cholesky factor of L + P.
        half = dtrtrs(self._factor, self._hessian, lower=1)[0]
        return (self._hessian - half.T @ half)[:-1, :-1]

    def _stepped(self, step: NDArray, penalty: NDArray) -> bool:
        """Go as far along a step as the objective falls; False where it does not."""
        # A Newton direction of a convex objective: some part of the step lowers it.
        for halving in range(_HALVINGS):
            tried = self.weights + 0.5**halving * step
            reached, doubt = self._objective(tried, penalty)
            if reached < self.value:
                self.weights, self.value, self.doubt = tried, reached, doubt
                return True
        return False

    def _objective(self, weights: NDArray, penalty: NDArray) -> tuple[float, Floats]:
        doubt, loss = self._doubt_at(weights)
        return float(loss + 0.5 * (penalty @ weights**2)), doubt

    def _doubt_at(self, weights: NDArray) -> tuple[Floats, float]:
        margins = self._signs * (weights @ self._design)
        loss = self._row_weights @ np.logaddexp(0.0, -margins)
        return expit(-margins), float(loss)

    def _curved(self) -> Floats:
        weight = np.sqrt(self._row_weights * self.doubt * (1.0 - self.doubt))
        scaled = self._design * weight
        return scaled @ scaled.T  # One operand twice: half the work


def _factored(hessian: NDArray, penalty: NDArray) -> Floats:
    """Return the Cholesky factor, below the diagonal, of a Hessian with penalties."""
    diagonal = np.diag(hessian) + np.maximum(penalty, _LEAST_CURVATURE)
    raised = 0.0
    while True:
        whole = hessian.copy()
        whole[np.diag_indices_from(whole)] = diagonal * (1.0 + raised)
        # The transpose of a symmetric matrix is itself in the order that LAPACK reads.
        factor, failed = dpotrf(whole.T, lower=1, overwrite_a=1)
        if not failed or raised > 1.0:
            return factor
        raised = max(10.0 * raised, _RAISED)


# The best model at fractional bundles, and the cut that its residuals give.
#
# Rows have weights p that add up to 1. For a in [0, 1]^n with sum_i p_i a_i y_i = 0,
# let E(a) be the mean entropy, r = X'(p a y) and q_j = r_j^2 / (2 ridge). Fenchel
# duality gives, for every selection, objective(S) >= E(a) - sum_{j in S} q_j: a cut
# that holds at every budget, whether or not a comes from the best model.


# How far the objective may still fall when the last step is taken, where it counts.
EXACT = 1e-9
# Shares of a bundle below this are none: their columns would only add noise.
_LEAST_SHARE = 1e-9


@dataclass(frozen=True, eq=False)
class Cut:
    """A cut, and the objective of the model that it came from."""

    vector: Floats  # (n_rows,): a
    entropy: float  # E(a)
    gains: Floats  # (n_bundles,): q summed over each bundle
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

    def __call__(self, shares: Floats) -> Cut:
        """Minimise loss + ridge/2 sum w_j^2 / z_j, for shares z of the bundles."""
        z = shares[self.problem.bundle_of]
        active = np.flatnonzero(z > _LEAST_SHARE)
        fit = self.model_of(active)
        # The perspective of the ridge: w^2 / z, convex in both.
        fit.minimise(self.problem.ridge / z[active], EXACT)
        return self.answer(active, fit)

    def model_of(self, columns: Integers) -> LogisticFit:
        """Return a model of some columns that begins where the last one ended."""
        start = np.append(self._weights[columns], self._intercept)
        return LogisticFit(self._columns[columns], self.problem, start)

    def latest(self, columns: Integers) -> tuple[Floats, float]:
        """Return weights of some columns, and the intercept, as the last one left."""
        return self._weights[columns], self._intercept

    def promise(self, answer: Cut) -> Floats:
        """Return what buying each bundle would bring, about, (n_bundles,)."""
        problem, a = self.problem, answer.vector
        slopes = self._columns @ (problem.row_weights * a * problem.signs)
        weight = problem.row_weights * a * (1.0 - a)
        # A Newton step of each column alone: slope^2 / (2 (ridge + curvature)).
        squares = np.einsum("ij,ij,j->i", self._columns, self._columns, weight)
        return self._summed(slopes**2 / (2.0 * (problem.ridge + squares)))

    def answer(self, columns: Integers, fit: LogisticFit) -> Cut:
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

    def _summed(self, of_columns: Floats) -> Floats:
        bundles = self.problem.bundle_of
        sums = np.bincount(bundles, of_columns, minlength=self.problem.n_bundles)
        return sums.astype(float)


def least_objective(problem: SelectionProblem, columns: Integers) -> float:
    """Return the least objective of a model of some standardised columns."""
    fit = LogisticFit(problem.table.T[columns], problem, np.zeros(len(columns) + 1))
    fit.minimise(np.full(len(columns), problem.ridge), EXACT)
    return fit.value


def balanced(doubt: Floats, signs: Floats, row_weights: Floats) -> Floats:
    """Scale the heavier class down, so that sum_i p_i a_i y_i = 0: a is feasible."""
    weighed, is_up = row_weights * doubt, signs > 0
    up, down = weighed[is_up].sum(), weighed[~is_up].sum()
    least = min(up, down)
    return np.clip(doubt * np.where(is_up, least / up, least / down), 0.0, 1.0)


# What any selection of columns is worth, in the objective that floors bound.


class RidgeObjective:
    """The least objective of a linear model of some columns: what floors bound.

    A method's own weights minimise something else; a model of its columns that does
    minimise this is the fairest that can stand beside a floor.

    Parameters
    ----------
    X : array_like of float, shape (n_rows, n_features)
        The table; the columns of a frame are taken by name.
    y : array_like, shape (n_rows,)
        Labels of two classes.
    hypergraph : FeatureHypergraph
        Names and number of the columns; its costs do not matter.
    ridge : float
        Weight of the ridge, as in `certified_frontier`.
    sample_weight : array_like of float, shape (n_rows,), optional
        How much each row counts, as in `certified_frontier`.

    Raises
    ------
    ThriftscopeError
        If table, labels or ridge make no sense.

    Examples
    --------
    >>> X, y = [[0.0, 1.0], [1.0, 0.0], [2.0, 1.0], [3.0, 0.0]], [0, 0, 1, 1]
    >>> objective = RidgeObjective(X, y, FeatureHypergraph.independent([1, 1]), ridge=1)
    >>> round(objective([]), 4), objective([0]) < objective([1])
    (0.6931, True)
    """

    def __init__(
        self,
        X: ArrayLike,
        y: ArrayLike,
        hypergraph: FeatureHypergraph,
        *,
        ridge: float,
        sample_weight: ArrayLike | None = None,
    ) -> None:
        self._problem = make_problem(
            X, y, hypergraph, ridge, sample_weight=sample_weight
        )

    def __call__(self, features: Selection) -> float:
        """Return the objective of the best model of just these columns."""
        problem = self._problem
        chosen = problem.hypergraph.feature_mask(features)
        return least_objective(problem, np.flatnonzero(chosen))
