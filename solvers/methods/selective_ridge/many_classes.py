"""Selective ridge of many classes: the penalty of a feature's size, with its proof.

A feature is one group over all classes. Its penalty, linear up to mu_i and that of
ridge beyond, is convex in its size; the loss is the multinomial one, of which the
logistic is that of two classes. Steps are those of `group_newton`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import xlogy

from ...numerics.arrays import Floats, Integers
from ...numerics.group_newton import minimise_groups
from ...numerics.multinomial import MultinomialLoss, sizes
from ...numerics.prox_newton import LinearFit
from .problem import STATES, ScaledColumns

# Distances from stationarity, the second where the first leaves too large a gap: the
# gap is of the objective, and weights are not to depend on where a fit began.
_TOLERANCES = (1e-9, 1e-11)
# A selectivity that leaves no priced feature.
_EMPTY = 1e100
_INTERCEPT_STEPS = 20


@dataclass(frozen=True, eq=False)
class SizePenalty:
    """``weight sum_i h_i(units_i m_i)`` of sizes m, h as of eq. (11)."""

    weight: float  # gamma over the weight of all rows
    units: Floats  # (n_features,) From the scaled columns' weights to the problem's
    thresholds: Floats  # (n_features,) mu_i

    def value(self, magnitudes: NDArray) -> float:
        # h(a) = 2 mu a + (a - mu)_+²: slope and value match at mu.
        a = self.units * magnitudes
        over = np.maximum(0.0, a - self.thresholds)
        return self.weight * float(2.0 * self.thresholds @ a + over @ over)

    def slopes(self, magnitudes: NDArray) -> Floats:
        over = np.maximum(0.0, self.units * magnitudes - self.thresholds)
        return 2.0 * self.weight * self.units * (self.thresholds + over)

    def second_derivative(self, magnitudes: NDArray, index: Integers) -> Floats:
        is_ridge = self.units[index] * magnitudes[index] > self.thresholds[index]
        return np.diag(2.0 * self.weight * self.units[index] ** 2 * is_ridge)


@dataclass(frozen=True, eq=False)
class ManyClassFit:
    """A model of many classes, and how much better any other could be."""

    mu: float  #: Selectivity
    coef: Floats  #: (n_classes, n_features) Weights of the features
    intercept: Floats  #: (n_classes,) Added to the scores
    dual_coef: Floats  #: (n_samples, n_classes) λ: a ridge feature's weights are x_i'λ
    objective: float  #: Eq. (11), with the sizes of the features and multinomial losses
    duality_gap: float  #: The objective is within this of the optimum
    iterations: int  #: Steps of Newton's method
    states: NDArray[np.str_]  #: (n_features,) As of two classes

    @property
    def relative_gap(self) -> float:
        """The duality gap as a share of the objective."""
        return self.duality_gap / self.objective if self.objective > 0 else 0.0


class ManyClassProblem:
    """Everything but the selectivity.

    Shapes: `X` (n_samples, n_features), `corners` (n_samples, n_outputs), `weights`
    (n_samples,), `scales` (n_features,), mu_i / mu.
    """

    def __init__(
        self,
        X: Any,
        corners: Floats,
        weights: Floats,
        scales: Floats | None,
        gamma: float,
        standardise: bool,
    ) -> None:
        self.loss = MultinomialLoss.from_rows(X, corners, weights)
        self.total = float(weights.sum())
        self.gamma = gamma
        n_features = self.loss.n_features
        self.scales = np.ones(n_features) if scales is None else scales
        columns = ScaledColumns.standardised(X, weights) if standardise else None
        spread = 1.0 if columns is None else 1.0 / columns.raw(np.ones(n_features))
        self.units = spread / self.loss.scale

    def _penalty(self, mu: float) -> SizePenalty:
        return SizePenalty(self.gamma / self.total, self.units, mu * self.scales)

    @cached_property
    def _empty(self) -> LinearFit:
        return minimise_groups(self.loss, self._penalty(_EMPTY), tol=1e-9)

    @cached_property
    def largest(self) -> float:
        """The least selectivity at which no feature with a scale above 0 is left."""
        point = self.loss.at(self._empty.odds)
        pulls = sizes(self.loss.gradient(point.slopes)) * self.total
        priced = (self.scales > 0) & self.loss.selectable
        ratios = pulls[priced] / (2.0 * self.gamma * (self.units * self.scales)[priced])
        return float(ratios.max(initial=0.0))

    def along(
        self, n_points: int, smallest: float, tol: float
    ) -> Iterator[ManyClassFit]:
        """Yield the fits of a log grid of selectivities, each from the one before."""
        start = self._empty
        for mu in self.largest * np.geomspace(1.0, smallest, n_points):
            start, fit = self._solved(float(mu), tol, start)
            yield fit

    def fit(self, mu: float, tol: float) -> ManyClassFit:
        """Return the fit at a selectivity, to a relative duality gap."""
        return self._solved(mu, tol, self._empty)[1]

    def _solved(
        self, mu: float, tol: float, start: LinearFit
    ) -> tuple[LinearFit, ManyClassFit]:
        n_iter = 0
        for close in _TOLERANCES:
            start = minimise_groups(
                self.loss,
                self._penalty(mu),
                start.weights,
                start.intercept,
                tol=close,
            )
            n_iter += start.n_iter
            fit = self._certified(mu, start, n_iter)
            if fit.relative_gap <= tol:
                break
        return start, fit

    def _certified(self, mu: float, found: LinearFit, n_iter: int) -> ManyClassFit:
        loss, penalty = self.loss, self._penalty(mu)
        intercept, odds = self._balanced(found)
        point = loss.at(odds)
        a = self.units * sizes(found.weights)
        primal = point.value + penalty.value(sizes(found.weights))
        # A row's loss is the largest of (p - y)'s + H(p) over beliefs p, so that those
        # of this model bound every model from below: with their entropies H, and
        # h*(z) = (z² / 4 - mu²)_+ of the gradients that they give.
        entropy = -float(loss.shares @ xlogy(point.beliefs, point.beliefs).sum(axis=1))
        pulls = sizes(loss.gradient(point.slopes)) / (penalty.weight * self.units)
        over = np.maximum(0.0, pulls**2 / 4.0 - penalty.thresholds**2)
        dual = entropy - penalty.weight * float(over[loss.selectable].sum())
        coef, shift = loss.to_raw(found.weights, intercept)
        codes = np.where(a == 0, 0, np.where(a < penalty.thresholds, 1, 2))
        slopes = point.slopes @ (loss.corners.T / 2.0)
        return ManyClassFit(
            mu=mu,
            coef=coef,
            intercept=shift,
            dual_coef=-slopes / (2.0 * penalty.weight),
            objective=self.total * primal,
            duality_gap=self.total * (primal - dual),
            iterations=n_iter,
            states=np.array(STATES)[codes],
        )

    def _balanced(self, found: LinearFit) -> tuple[Floats, Floats]:
        """Return the best intercepts: where their slopes are 0, beliefs are a dual."""
        none = np.zeros(0, dtype=int)
        intercept, odds = found.intercept, found.odds
        for _ in range(_INTERCEPT_STEPS):
            point = self.loss.at(odds)
            slope = point.slopes.sum(axis=0)
            if np.abs(slope).max() <= 1e-15:
                break
            bend = self.loss.hessian(point, none) + 1e-15 * np.eye(len(slope))
            step = np.linalg.solve(bend, slope)
            intercept, odds = intercept - step, odds - step
        return intercept, odds
