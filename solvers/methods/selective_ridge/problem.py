"""The problem, its primal and dual values, and a fit with its certificate.

The solvers work with the criterion divided by 2 gamma,

    P(a, b) = sum_i h_i(a_i) + sum_j c_j q(y_j, x_j'a + b),
    h_i(a) = mu_i |a| + (|a| - mu_i)_+² / 2,   c_j = weight_j / (2 gamma),

and with the dual of eq. (22) of the paper, to be minimised over λ that sum to zero,

    W(λ) = sum_i max(0, (x_i'λ)² - mu_i²) / 2 + sum_j φ(y_j, λ_j).

P + W is never negative, and zero at the optimum: that is the certificate.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ...numerics.arrays import Floats, Mask
from .columns import ScaledColumns
from .losses import LOSSES, Loss

__all__ = ["STATES", "RidgeProblem", "SelectiveRidgeFit", "penalty"]


STATES = ("zero", "boundary", "ridge")


@dataclass(frozen=True, eq=False)
class SelectiveRidgeFit:
    """A model, how good it is and how much better any other could be."""

    #: Selectivity and weight of the penalty
    mu: float
    gamma: float
    loss: str  #: "squared", "hinge", "logistic": the loss of a row
    coef: Floats  #: (n_features,) Weights of the features
    intercept: float  #: Added to every decision
    #: (n_samples,) λ of the paper: feasible, so that it proves `duality_gap`
    dual_coef: Floats
    objective: float  #: Eq. (11): gamma * sum of penalties + sum of losses.
    #: The objective is within this of the optimum. Never negative but for rounding.
    duality_gap: float
    iterations: int  #: Linear or quadratic problems solved so far
    thresholds: Floats  #: (n_features,) mu_i, the selectivity of each feature

    @property
    def relative_gap(self) -> float:
        """The duality gap as a share of the objective."""
        return self.duality_gap / self.objective if self.objective > 0 else 0.0

    @property
    def support(self) -> Mask:
        """Features whose coefficient is not zero, shape (n_features,)."""
        return self.coef != 0

    @cached_property
    def states(self) -> NDArray[np.str_]:
        """Zero, boundary (shrunk by a constant) or ridge, shape (n_features,)."""
        sizes = np.abs(self.coef)
        codes = np.where(sizes == 0, 0, np.where(sizes < self.thresholds, 1, 2))
        return np.array(STATES)[codes]


@dataclass(frozen=True, eq=False)
class RidgeProblem:
    """Everything but the selectivity."""

    columns: ScaledColumns  # The table
    y: Floats  # (n_samples,) Targets, or classes as -1 and +1
    weights: Floats  # (n_samples,) Weights of the rows, above 0
    scales: Floats  # (n_features,) mu_i / mu, 0 or more
    gamma: float  # Weight of the penalty, above 0
    loss: Loss  # The loss of a row

    @classmethod
    def of(
        cls,
        X: object,
        y: Floats,
        weights: Floats,
        scales: Floats,
        gamma: float,
        loss: str,
        standardise: bool = False,
    ) -> RidgeProblem:
        """Return the problem of checked arrays, on columns as they are or by spread."""
        columns = (
            ScaledColumns.standardised(X, weights) if standardise else ScaledColumns(X)
        )
        return cls(columns, y, weights, scales, float(gamma), LOSSES[loss])

    @cached_property
    def capacity(self) -> Floats:
        """How far the dual of each row may reach, shape (n_samples,)."""
        return self.weights / (2.0 * self.gamma)

    @cached_property
    def null_value(self) -> float:
        """P of the best model without features."""
        return self.loss_of(np.zeros(len(self.y)))[0]

    def loss_of(self, decisions: Floats) -> tuple[float, float]:
        """Return the least sum of losses over the intercept, and that intercept."""
        bias = self.loss.bias(self.y, decisions, self.capacity)
        values = self.loss.values(self.y, decisions + bias)
        return float(self.capacity @ values), bias

    def dual_value(self, dual: Floats, scores: Floats, mu: float) -> float:
        """Return W of a feasible dual with its scores X'λ."""
        # Eq. (22): h*(s) = max(0, s² - mu²) / 2 for each feature, φ for each row.
        over = np.maximum(0.0, scores**2 - (mu * self.scales) ** 2)
        conjugate = self.loss.conjugate(self.y, dual, self.capacity)
        return 0.5 * float(over.sum()) + conjugate

    def certify(
        self,
        mu: float,
        coef: Floats,
        decisions: Floats,
        dual: Floats,
        scores: Floats,
        iterations: int,
    ) -> SelectiveRidgeFit:
        """Return a fit from coefficients, a feasible dual and what X makes of them.

        The fit has its coefficients and thresholds in the units of the table.
        """
        thresholds = mu * self.scales
        losses, bias = self.loss_of(decisions)
        primal = penalty(coef, thresholds) + losses
        # Weak duality: P + W >= 0, so the optimum is at least P - gap.
        gap = primal + self.dual_value(dual, scores, mu)
        return SelectiveRidgeFit(
            mu=float(mu),
            gamma=self.gamma,
            loss=self.loss.name,
            coef=self.columns.raw(coef),
            intercept=bias,
            dual_coef=dual,
            objective=2.0 * self.gamma * primal,
            duality_gap=2.0 * self.gamma * gap,
            iterations=iterations,
            thresholds=self.columns.raw(thresholds),
        )


def penalty(coef: Floats, thresholds: Floats) -> float:
    """Return the sum of h_i(a_i)."""
    sizes = np.abs(coef)
    # Eq. (11) over 2γ: h(a) = mu |a| + (|a| - mu)_+² / 2, slope and value match at mu.
    over = np.maximum(0.0, sizes - thresholds)
    return float(thresholds @ sizes + 0.5 * (over @ over))
