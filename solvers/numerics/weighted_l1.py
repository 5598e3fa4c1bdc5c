"""Logistic regression with a priced norm, along its trade-off."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property

import numpy as np

from .arrays import Floats
from .curvature import HessianCache
from .group_newton import descended
from .multinomial import ClassLoss, sizes
from .prox_newton import AbsolutePenalty, LinearFit, Restriction, WeightedL1

# How far one step of a continuation goes, and how many there are at most.
_STRIDE = 2.0
_MOST_STEPS = 24
# Fits kept beside those of the continuation: each holds a number a row, so that of long
# tables there are fewer.
_KEPT = 64
_FEWEST_KEPT = 12
_KEPT_NUMBERS = 8_000_000
_NONE = np.zeros(0)


class WeightedL1Fits:
    """Minimisers of ``loss + alpha sum_k prices_k |w_k|``, by continuation.

    Of several classes ``|w_k|`` is the size of all weights of a feature.

    Each begins at the fit of the next larger trade-off on one fixed grid, so that it is
    the same fit whatever was asked for before.

    Shapes: `prices` (n_features,).
    """

    def __init__(
        self,
        loss: ClassLoss,
        prices: Floats,
        *,
        tol: float = 1e-6,
        max_iter: int = 500,
    ) -> None:
        self.loss = loss
        self.prices = prices
        self.tol = tol
        self.max_iter = max_iter
        self._fits: dict[float, LinearFit] = {}
        self._anchors: list[tuple[LinearFit, HessianCache]] = []

    @property
    def _n_kept(self) -> int:
        return max(_FEWEST_KEPT, min(_KEPT, _KEPT_NUMBERS // self.loss.n_samples))

    @property
    def null_fit(self) -> LinearFit:
        """The best model that pays nothing: only features without a price, if any."""
        return self.anchor(np.inf)[0]

    @cached_property
    def null_alpha(self) -> float:
        """From where on the null model is the minimiser; 1 where nothing is to gain."""
        # Stationary at 0: |gradient_k| <= alpha prices_k for every priced k.
        gradient = sizes(self.loss.gradient(self.loss.at(self.null_fit.odds).slopes))
        priced = self.prices > 0
        return float((gradient[priced] / self.prices[priced]).max(initial=0.0)) or 1.0

    def alphas(self, n_alphas: int, ratio: float) -> Floats:
        """Return a grid of trade-offs, falling from where the null model wins.

        Shape: (n_alphas,).
        """
        return np.geomspace(self.null_alpha, ratio * self.null_alpha, n_alphas)

    def fit(self, alpha: float) -> LinearFit:
        """Return the minimiser for a trade-off."""
        alpha = float(alpha)
        if alpha not in self._fits:
            if len(self._fits) >= self._n_kept:
                del self._fits[next(iter(self._fits))]
            start, hessians = self.anchor(alpha)
            self._fits[alpha] = self._descended(
                WeightedL1(alpha * self.prices), start, hessians.copy()
            )
        return self._fits[alpha]

    def anchor(self, alpha: float) -> tuple[LinearFit, HessianCache]:
        """Return where a fit begins, and the Hessians known by then, unchanged.

        Only the first knows the odds of the rows.
        `fit`: for the smallest trade-off of a fixed grid that is above `alpha`.
        """
        if not self._anchors:
            free = Restriction(self.loss.selectable & (self.prices == 0))
            hessians = HessianCache(self.loss)
            self._anchors.append((self._descended(free, None, hessians), hessians))
        # The grid is null_alpha / 2^k: its last value that is not below alpha.
        ratio = self.null_alpha / alpha if 0 < alpha < np.inf else 1.0
        place = min(int(np.log(max(ratio, 1.0)) / np.log(_STRIDE)), _MOST_STEPS)
        while len(self._anchors) <= place:
            fit, hessians = self._anchors[-1][0], self._anchors[-1][1].copy()
            step = self.null_alpha / _STRIDE ** len(self._anchors)
            penalty = WeightedL1(step * self.prices)
            reached = self._descended(penalty, fit, hessians)
            # A start is weights: the odds of all rows are not kept with it.
            self._anchors.append((replace(reached, odds=_NONE), hessians))
        return self._anchors[place]

    def _descended(
        self, penalty: AbsolutePenalty, start: LinearFit | None, hessians: HessianCache
    ) -> LinearFit:
        return descended(
            self.loss,
            penalty,
            None if start is None else start.weights,
            None if start is None else start.intercept,
            tol=self.tol,
            max_iter=self.max_iter,
            hessians=hessians,
        )
