"""Logistic regression with a priced l1 norm, along its trade-off."""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from .absolute import Restriction, WeightedL1
from .curvature import HessianCache
from .logistic import LogisticLoss
from .prox_newton import LinearFit, minimise

__all__ = ["WeightedL1Fits", "stepwise"]

# How far one step of a continuation goes.
_STRIDE = 5.0


class WeightedL1Fits:
    """Minimisers of ``loss + alpha sum_k prices_k |w_k|``, each warm from another.

    Parameters
    ----------
    loss : LogisticLoss
        The data.
    prices : ndarray of float, shape (n_features,)
        0 or more; features of price 0 are not penalised.
    hessians : HessianCache, optional
        Shared with other problems on the same loss.
    tol : float, default=1e-6
        Largest distance from stationarity.
    max_iter : int, default=500
        Steps of one descent at most.
    """

    def __init__(
        self,
        loss: LogisticLoss,
        prices: NDArray[np.float64],
        hessians: HessianCache | None = None,
        *,
        tol: float = 1e-6,
        max_iter: int = 500,
    ) -> None:
        self.loss = loss
        self.prices = prices
        self.hessians = hessians or HessianCache(loss)
        self.tol = tol
        self.max_iter = max_iter
        self._fits: dict[float, LinearFit] = {}

    @cached_property
    def null_fit(self) -> LinearFit:
        """The best model that pays nothing: only features without a price, if any."""
        return minimise(
            self.loss,
            Restriction(self.loss.selectable & (self.prices == 0)),
            tol=self.tol,
            max_iter=self.max_iter,
            hessians=self.hessians,
        )

    @cached_property
    def null_alpha(self) -> float:
        """From where on the null model is the minimiser; 1 where nothing is to gain."""
        gradient = np.abs(self.loss.gradient(self.loss.at(self.null_fit.odds).slopes))
        priced = self.prices > 0
        return float((gradient[priced] / self.prices[priced]).max(initial=0.0)) or 1.0

    def alphas(self, n_alphas: int, ratio: float) -> NDArray[np.float64]:
        """Return a grid of trade-offs, falling from where the null model wins.

        Parameters
        ----------
        n_alphas : int
            Length of the grid.
        ratio : float
            Smallest trade-off over largest.

        Returns
        -------
        ndarray of float, shape (n_alphas,)
        """
        return np.geomspace(self.null_alpha, ratio * self.null_alpha, n_alphas)

    def fit(self, alpha: float) -> LinearFit:
        """Return the minimiser for a trade-off.

        Parameters
        ----------
        alpha : float
            0 or more.

        Returns
        -------
        LinearFit
            Its steps count those of the continuation that led there.
        """
        alpha = float(alpha)
        if alpha not in self._fits:
            start = max(self.null_alpha, alpha)
            above = min((known for known in self._fits if known > alpha), default=start)
            fit = self._fits.get(above, self.null_fit)
            for step in stepwise(above, alpha):
                fit = minimise(
                    self.loss,
                    WeightedL1(step * self.prices),
                    fit.weights,
                    fit.intercept,
                    tol=self.tol,
                    max_iter=self.max_iter,
                    hessians=self.hessians,
                )
                self._fits[float(step)] = fit
        return self._fits[alpha]


def stepwise(start: float, end: float) -> NDArray[np.float64]:
    """Return trade-offs on the way from one to another, in steps that warm starts bear.

    Parameters
    ----------
    start, end : float
        0 or more; `start` itself is left out.

    Returns
    -------
    ndarray of float
        The last one is `end`.
    """
    if start == end or start <= 0 or end <= 0:
        return np.array([end])
    n_steps = int(np.ceil(abs(np.log(end / start)) / np.log(_STRIDE)))
    return np.append(np.geomspace(start, end, n_steps + 1)[1:-1], end)
