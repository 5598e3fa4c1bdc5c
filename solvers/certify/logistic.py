"""Newton's method for the logistic model of some columns, warm between penalties."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.linalg.lapack import dpotrf, dpotrs, dtrtrs
from scipy.special import expit

from .problem import SelectionProblem

__all__ = ["LogisticFit"]

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
        self,
        columns: NDArray[np.float64],
        problem: SelectionProblem,
        weights: NDArray[np.float64],
    ) -> None:
        self._design = np.ones((len(columns) + 1, columns.shape[1]))
        self._design[:-1] = columns
        self._signs, self._row_weights = problem.signs, problem.row_weights
        self.weights = weights
        self.value = np.inf
        self.doubt = self._doubt_at(weights)[0]
        self._hessian = self._curved()
        self._factor = self._hessian

    def minimise(self, penalty: NDArray[np.float64], tol: float) -> None:
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
    def slopes(self) -> NDArray[np.float64]:
        """The weights of the columns."""
        return self.weights[:-1]

    def curvature(self) -> NDArray[np.float64]:
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

    def _objective(
        self, weights: NDArray, penalty: NDArray
    ) -> tuple[float, NDArray[np.float64]]:
        doubt, loss = self._doubt_at(weights)
        return float(loss + 0.5 * (penalty @ weights**2)), doubt

    def _doubt_at(self, weights: NDArray) -> tuple[NDArray[np.float64], float]:
        margins = self._signs * (weights @ self._design)
        loss = self._row_weights @ np.logaddexp(0.0, -margins)
        return expit(-margins), float(loss)

    def _curved(self) -> NDArray[np.float64]:
        weight = np.sqrt(self._row_weights * self.doubt * (1.0 - self.doubt))
        scaled = self._design * weight
        return scaled @ scaled.T  # One operand twice: half the work


def _factored(hessian: NDArray, penalty: NDArray) -> NDArray[np.float64]:
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
