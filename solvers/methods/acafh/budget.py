"""The best model within a budget: exchanges of components from every start."""

from __future__ import annotations

import numpy as np

from ...costs.budgets import room_of
from ...numerics.arrays import Floats, Integers, Mask
from ...numerics.curvature import HessianCache, hessian
from ...numerics.logistic import LogisticLoss, LossPoint, chosen_columns
from ...numerics.prox_newton import LinearFit, Restriction, minimise
from .filling import ComponentCosts, Proposals, exchanges, fills
from .penalties import Sharing
from .quadratic import Quadratic

_ROUGH = 1e-6
_BETTER = 1e-7
# Below this mean loss the classes are told apart: nothing more is bought.
_SOLVED = 1e-6
# Where the mean curvature is below this share of the mean loss, what is wrong is wrong
# at odds so large that the loss is straight: no quadratic tells what an exchange gives.
_STRAIGHT = 1e-6
# Features that are looked at, by what each explains alone; rounds of one search; fits
# of exchanges in a round, and in all searches together.
_CANDIDATES = 400
_ROUNDS = 20
_TRIED = 3
_MOST_FITS = 80


def best_within(
    loss: LogisticLoss,
    sharing: Sharing,
    budget: float,
    starts: list[Mask],
    hessians: HessianCache,
) -> tuple[LinearFit, int]:
    """Return the unpenalised fit of least loss found whose features fit a budget.

    Shapes: `starts` (n_features,).
    `starts`: selections within the budget to begin with; nothing is one of them always.
    `hessians` steer the fits; what is computed anew is added.
    """
    search = _BudgetSearch(loss, sharing, budget, starts, hessians)
    for start in [np.zeros(loss.n_features, dtype=bool), *starts]:
        search.run(start)
    return search.best, search.n_iter


class _BudgetSearch:
    def __init__(
        self,
        loss: LogisticLoss,
        sharing: Sharing,
        budget: float,
        starts: list[Mask],
        hessians: HessianCache,
    ) -> None:
        self._loss = loss
        self._index = _candidates(loss, sharing, budget, starts)
        components = sharing.needed(self._index)
        self._prices = ComponentCosts(
            sharing.by_feature[self._index][:, components],
            sharing.costs[components],
            budget,
        )
        self._hessians = hessians
        self._fits: dict[bytes, LinearFit] = {}
        self._left: set[bytes] = set()
        self.n_iter = 0
        self.best = self._fit(np.zeros(len(self._index), dtype=bool), None)

    def run(self, start: Mask) -> None:
        """Fill what the budget leaves, then exchange for as long as that helps."""
        chosen = start[self._index]
        fit = self._fit(chosen, self.best)
        for _ in range(_ROUNDS):
            known = chosen.tobytes()
            if fit.loss <= _SOLVED or len(self._fits) > _MOST_FITS:
                break
            if known in self._left:  # where another search has gone on from
                break
            self._left.add(known)
            better = self._exchanged(chosen, fit)
            if better is None:
                break
            chosen, fit = better
        if fit.loss < self.best.loss - _BETTER:
            self.best = fit

    def _exchanged(self, chosen: Mask, fit: LinearFit) -> tuple[Mask, LinearFit] | None:
        point = self._loss.at(fit.odds)
        if point.curvatures.sum() <= _STRAIGHT * fit.loss:
            return None
        model = self._around(chosen, fit, point)
        nothing = np.zeros((1, len(self._prices.costs)), dtype=bool)
        # Exchanges are looked at once nothing more can be bought.
        found = self._best_of(fills(model, self._prices, nothing), fit)
        return found or self._best_of(exchanges(model, self._prices), fit)

    def _best_of(
        self, proposals: Proposals, fit: LinearFit
    ) -> tuple[Mask, LinearFit] | None:
        """Return the best of the most promising selections, if it is better."""
        tried: dict[bytes, tuple[Mask, LinearFit]] = {}
        for i in np.argsort(proposals.changes, kind="stable"):
            if proposals.changes[i] >= -_BETTER or len(tried) == _TRIED:
                break
            other = proposals.chosen[i]
            if other.tobytes() not in tried:
                tried[other.tobytes()] = other, self._fit(other, fit)
        best = min(tried.values(), key=lambda pair: pair[1].loss, default=None)
        if best is None or best[1].loss >= fit.loss - _BETTER:
            return None
        return best

    def _around(self, chosen: Mask, fit: LinearFit, point: LossPoint) -> Quadratic:
        whole = hessian(self._loss.columns, point.curvatures, self._index, dtype=float)
        slope = whole[:-1, -1]
        matrix = whole[:-1, :-1] - np.outer(slope, slope) / max(whole[-1, -1], 1e-300)
        gradient = self._loss.gradient(point.slopes, self._index)
        # The model x'Mx / 2 - target'x, whose gradient at the fit is the loss's.
        target = matrix @ fit.weights[self._index] - gradient
        return Quadratic(matrix, target, chosen)

    def _fit(self, chosen: Mask, start: LinearFit | None) -> LinearFit:
        key = chosen.tobytes()
        if key not in self._fits:
            support = np.zeros(self._loss.n_features, dtype=bool)
            support[self._index[chosen]] = True
            weights, intercept = self._beginning(support, start)
            self._fits[key] = minimise(
                self._loss,
                Restriction(support),
                weights,
                intercept,
                tol=_ROUGH,
                hessians=self._hessians,
            )
            self.n_iter += self._fits[key].n_iter
        return self._fits[key]

    def _beginning(
        self, support: Mask, start: LinearFit | None
    ) -> tuple[Floats | None, float | None]:
        """Return the weights of a like fit on a support, unless zero is better.

        Of weights that separate the classes, some alone call rows wrong at odds so
        large that the loss is straight there, and descents end at once.
        """
        if start is None:
            return None, None
        weights = np.where(support, start.weights, 0.0)
        used = np.flatnonzero(weights)
        odds = weights[used] @ chosen_columns(self._loss.columns, used)
        odds += start.intercept
        null = np.full(self._loss.n_samples, self._loss.base_intercept)
        if self._loss.value(odds) > self._loss.value(null):
            return None, None
        return weights, start.intercept


def _candidates(
    loss: LogisticLoss, sharing: Sharing, budget: float, starts: list[Mask]
) -> Integers:
    """Return the features to look at: all, or those that explain most alone."""
    affordable = loss.selectable & (sharing.prices <= room_of(budget))
    if np.count_nonzero(affordable) > _CANDIDATES:
        odds = np.full(loss.n_samples, loss.base_intercept)
        pulls = np.abs(loss.gradient(loss.at(odds).slopes))
        explained = np.where(affordable, pulls, 0.0)
        kept = np.argsort(-explained, kind="stable")[:_CANDIDATES]
        affordable = np.zeros(loss.n_features, dtype=bool)
        affordable[kept] = True
        for start in starts:
            affordable |= start
    return np.flatnonzero(affordable)
