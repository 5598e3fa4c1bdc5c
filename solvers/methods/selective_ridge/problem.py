"""The table by columns, the problem on it, and a fit with its certificate."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ...numerics.arrays import Floats, Mask
from .losses import LOSSES, Loss

# The table by columns: read in place, dense or sparse, and never copied whole.
#
# Duals sum to zero and every model has an intercept, so a column may be moved by any
# constant: dense ones are taken about their mean, which keeps digits where that is
# large. Columns may be measured in units of their own spread: coefficients are then in
# its reciprocal, and ``raw`` brings them back.


Table: TypeAlias = "NDArray[np.floating] | sparse.csc_array"

# Columns that are gathered at once: the memory taken beside the table.
CHUNK = 4096
# A column whose spread is below this share of its mean is constant but for rounding.
CONSTANT = 1e-12
# A gathered sparse block this full, or this small, is worked on as a dense one.
DENSE_SHARE = 0.1
DENSE_SIZE = 1_000_000


class ScaledColumns:
    """Columns of a table of shape (n_samples, n_features), in units of their own."""

    def __init__(self, X: Any, units: Floats | None = None) -> None:
        self._is_sparse = sparse.issparse(X)
        self._X: Any = sparse.csc_array(X) if self._is_sparse else X
        self._units = units
        self.n_samples, self.n_features = self._X.shape

    @classmethod
    def standardised(cls, X: Any, weights: Floats) -> ScaledColumns:
        """Return columns in units of their standard deviation over weighted rows."""
        plain = cls(X)
        share = weights / weights.sum()
        means, squares = plain._products(share), np.zeros(plain.n_features)
        for chosen in _chunks(np.arange(plain.n_features)):
            block = plain._X[:, chosen].astype(np.float64)
            if plain._is_sparse:
                # Sparse columns stay uncentred; `level` guards the cancellation.
                squares[chosen] = share @ block.power(2) - means[chosen] ** 2
            else:
                squares[chosen] = share @ (block - means[chosen]) ** 2
        spread = np.sqrt(np.maximum(squares, 0.0))
        level = CONSTANT * np.abs(means)
        return cls(X, np.where(spread > level, spread, 1.0))

    def raw(self, coef: Floats) -> Floats:
        """Return coefficients, or bounds on them, for the table as it is."""
        return coef if self._units is None else coef / self._units

    def scores(self, dual: Floats) -> Floats:
        """Return X'λ, one number for each column."""
        scores = self._products(dual)
        # The sum of a dual is zero but for rounding.
        return scores if self._is_sparse else scores - dual.sum() * self._means

    def _products(self, dual: Floats) -> Floats:
        return self.raw(self._raw_products(dual))

    def _raw_products(self, dual: Floats) -> Floats:
        if self._is_sparse or self._X.dtype == np.float64:
            return np.asarray(dual @ self._X)
        # float32 is widened by chunks: a certificate needs all its digits.
        blocks = range(0, self.n_features, CHUNK)
        return np.concatenate(
            [dual @ self._X[:, at : at + CHUNK].astype(np.float64) for at in blocks]
        )

    def decisions(self, coef: Floats) -> Floats:
        """Return Xa, read from the columns whose coefficient is not zero alone."""
        total = np.full(self.n_samples, self.offset(coef))
        for chosen in _chunks(np.flatnonzero(coef)):
            total += self.take(chosen) @ coef[chosen]
        return total

    def offset(self, coef: Floats) -> float:
        """Return what decisions from the columns taken lack of the table's own."""
        return float(self._means @ coef)

    @cached_property
    def _means(self) -> Floats:
        if self._is_sparse:
            return np.zeros(self.n_features)
        return self._products(np.full(self.n_samples, 1.0 / self.n_samples))

    def take(self, chosen: NDArray[np.intp]) -> Any:
        """Return some columns as float64: about their mean where they are dense.

        Sparse ones are as they are, and stay sparse where that is leaner.
        """
        if not self._is_sparse:
            block = self._X[:, chosen].astype(np.float64, copy=False)
            if self._units is not None:
                block /= self._units[chosen]
            block -= self._means[chosen]
            return block
        block = self._X[:, chosen].astype(np.float64)
        if self._units is not None:
            block = sparse.csc_array(block / self._units[chosen])
        size = self.n_samples * len(chosen)
        if size <= DENSE_SIZE or block.nnz > DENSE_SHARE * size:
            return block.toarray()
        return block

    def gram(self, chosen: NDArray[np.intp]) -> Floats:
        """Return the sum of x_i x_i' over some columns, (n_samples, n_samples)."""
        total = np.zeros((self.n_samples, self.n_samples))
        for part in _chunks(chosen):
            block = self.take(part)
            total += across_features(block, np.ones(len(part)))
        return total


def across_features(block: Any, weights: Floats) -> Floats:
    """Return X diag(weights) X', dense, for weights above zero."""
    if sparse.issparse(block):
        return np.asarray((block.multiply(weights) @ block.T).toarray())
    scaled = block * np.sqrt(weights)
    # NumPy sees a matrix times its own transpose, and does half of the work.
    return np.asarray(scaled @ scaled.T)


def across_rows(block: Any, weights: Floats) -> Floats:
    """Return X' diag(weights) X, dense, for weights above zero."""
    return across_features(block.T, weights)


def _chunks(chosen: NDArray[np.intp]) -> list[NDArray[np.intp]]:
    return [chosen[at : at + CHUNK] for at in range(0, len(chosen), CHUNK)]


# The problem, its primal and dual values, and a fit with its certificate.
#
# The solvers work with the criterion divided by 2 gamma,
#
#     P(a, b) = sum_i h_i(a_i) + sum_j c_j q(y_j, x_j'a + b),
#     h_i(a) = mu_i |a| + (|a| - mu_i)_+² / 2,   c_j = weight_j / (2 gamma),
#
# and with the dual of eq. (22) of the paper, to be minimised over λ that sum to zero,
#
#     W(λ) = sum_i max(0, (x_i'λ)² - mu_i²) / 2 + sum_j φ(y_j, λ_j).
#
# P + W is never negative, and zero at the optimum: that is the certificate.


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
