"""The best model within a budget: exchanges of components from every start."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ...costs.budgets import room_of
from ...numerics.arrays import Floats, Integers, Mask
from ...numerics.curvature import HessianCache, hessian
from ...numerics.group_newton import descended
from ...numerics.multinomial import ClassLoss, sizes
from ...numerics.prox_newton import LinearFit, Restriction
from .penalties import Sharing
from .quadratic import Quadratic, Remainder

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
    loss: ClassLoss,
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
        loss: ClassLoss,
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
        model = self._around(chosen, fit)
        if model is None:
            return None
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

    def _around(self, chosen: Mask, fit: LinearFit) -> Quadratic | None:
        """Return the quadratic around a fit, or None where the loss is straight."""
        point = self._loss.at(fit.odds)
        curvatures = point.curvatures
        if curvatures.sum() <= _STRAIGHT * fit.loss:
            return None
        whole = hessian(self._loss.columns, curvatures, self._index, dtype=float)
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
            self._fits[key] = descended(
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
    ) -> tuple[Floats | None, Any]:
        """Return the weights of a like fit on a support, unless zero is better.

        Of weights that separate the classes, some alone call rows wrong at odds so
        large that the loss is straight there, and descents end at once.
        """
        if start is None:
            return None, None
        weights = np.where(support, start.weights.T, 0.0).T
        used = np.flatnonzero(sizes(weights))
        odds = self._loss.odds(used, weights[used], start.intercept)
        if self._loss.value(odds) > self._loss.value(null_odds(self._loss)):
            return None, None
        return weights, start.intercept


def null_odds(loss: ClassLoss) -> Floats:
    """Return the decisions of the model without features."""
    return np.array(np.broadcast_to(loss.base_intercept, loss.signs.shape))


def _candidates(
    loss: ClassLoss, sharing: Sharing, budget: float, starts: list[Mask]
) -> Integers:
    """Return the features to look at: all, or those that explain most alone."""
    affordable = loss.selectable & (sharing.prices <= room_of(budget))
    if np.count_nonzero(affordable) > _CANDIDATES:
        pulls = sizes(loss.gradient(loss.at(null_odds(loss)).slopes))
        explained = np.where(affordable, pulls, 0.0)
        kept = np.argsort(-explained, kind="stable")[:_CANDIDATES]
        affordable = np.zeros(loss.n_features, dtype=bool)
        affordable[kept] = True
        for start in starts:
            affordable |= start
    return np.flatnonzero(affordable)


# What a budget buys: the rest of it is spent, or up to two components go for others.
# All selections are ranked on the quadratic model of the loss, many at once.


# Less than this of the mean loss is not worth a fit.
_LEAST = 1e-7
# So many features that explain most, and so many that do for their price, come first.
_FIRSTS = 3
# So many single drops are combined in pairs, and so many sets of drops are refilled.
_PAIRED = 12
_REFILLED = 12
# So many sets of drops are looked at together; more would only take more memory.
_TOGETHER = 16


@dataclass(frozen=True, eq=False)
class ComponentCosts:
    """What features need, and the budget; s selections are priced at once."""

    needs: sparse.csr_array  # (n_candidates, n_components) 1 where one needs the other
    costs: Floats  # (n_components,) Of the components
    budget: float  # For the union of what is needed

    def paid(self, chosen: Mask) -> Mask:
        """Return which components selections pay for, (s, f) -> (s, c)."""
        return np.asarray((self.needs.T @ chosen.T.astype(float)).T > 0)

    def leaning(self, components: Mask) -> Mask:
        """Return which features need any of some components, (s, c) -> (s, f)."""
        return np.asarray((self.needs @ components.T.astype(float)).T > 0)

    def marginal(self, chosen: Mask) -> Floats:
        """Return what each feature adds to selections; inf where the budget ends.

        Shapes: `chosen` (s, f) -> (s, f).
        """
        paid = self.paid(chosen)
        # By what is not paid yet: a component that is shared is charged once.
        prices = (self.needs @ np.where(paid, 0.0, self.costs).T).T
        spent = (paid @ self.costs)[:, np.newaxis]
        costly = spent + prices > room_of(self.budget)
        return np.where(costly, np.inf, prices)


@dataclass(frozen=True, eq=False)
class Proposals:
    """Selections, and what they are predicted to change: below 0 the loss falls."""

    changes: Floats  # (s,)
    chosen: Mask  # (s, f)


def fills(model: Quadratic, prices: ComponentCosts, outs: Mask) -> Proposals:
    """Return what spending all of the budget gives, after some components are out.

    Shape: `outs` (o, n_components).
    Each set is filled several times, from another first feature on.
    """
    barred = prices.leaning(outs)
    left = model.without(model.chosen & barred)
    kept = model.chosen & ~barred
    gains, worth = _worth(left.gains(), prices, kept, barred)
    firsts = np.hstack([_largest(gains), _largest(worth)])
    owner, place = np.nonzero(np.take_along_axis(gains, firsts, axis=1) > 0)
    owner, first = np.unique([owner, firsts[owner, place]], axis=1)
    return _filled(left, prices, kept, barred, owner, first)


def exchanges(model: Quadratic, prices: ComponentCosts) -> Proposals:
    """Return what the best exchanges are predicted to give."""
    paid = prices.paid(model.chosen[np.newaxis])[0]
    used = np.flatnonzero(paid & (prices.costs > 0))
    singles = np.zeros((len(used), len(paid)), dtype=bool)
    singles[np.arange(len(used)), used] = True
    promises = _promises(model, prices, singles)
    likely = singles[np.argsort(promises, kind="stable")[:_PAIRED]]
    one, other = np.triu_indices(len(likely), 1)
    pairs = likely[one] | likely[other]
    outs = np.vstack([singles, pairs])
    promises = np.append(promises, _promises(model, prices, pairs))
    best = np.argsort(promises, kind="stable")[:_REFILLED]
    return fills(model, prices, outs[best])


def _promises(model: Quadratic, prices: ComponentCosts, outs: Mask) -> Floats:
    """Return the change of the loss if the two best features came instead."""
    promises = np.empty(len(outs))
    for start in range(0, len(outs), _TOGETHER):
        part = slice(start, start + _TOGETHER)
        barred = prices.leaning(outs[part])
        left = model.without(model.chosen & barred)
        kept = model.chosen & ~barred
        is_open = np.isfinite(prices.marginal(kept)) & ~barred & ~kept
        gains = np.sort(np.where(is_open, left.gains(), 0.0), axis=1)
        # As if the two neither shared nor were correlated: to rank by, no more.
        promises[part] = left.harm - gains[:, -2:].sum(axis=1)
    return promises


def _largest(values: NDArray) -> Integers:
    return np.argsort(-values, axis=1, kind="stable")[:, :_FIRSTS]


def _worth(
    gains: NDArray, prices: ComponentCosts, kept: Mask, barred: Mask
) -> tuple[Floats, Floats]:
    """Return what each affordable feature gains, and that per cost: free ones first."""
    added = prices.marginal(kept)
    is_open = np.isfinite(added) & ~kept & ~barred
    gains = np.where(is_open & (gains > _LEAST), gains, 0.0)
    free = np.max(prices.costs, initial=1.0) * 1e-12
    return gains, gains / np.where(is_open, np.maximum(added, free), 1.0)


def _filled(
    left: Remainder,
    prices: ComponentCosts,
    kept: Mask,
    barred: Mask,
    owner: Integers,
    feature: Integers,
) -> Proposals:
    """Return each set `owner` filled greedily, after a first feature.

    Shapes: `kept` (o, f), `barred` (o, f), `owner` (s,), `feature` (s,).
    """
    covariances = left.covariances()
    changes, chosen = left.harm[owner], kept[owner]
    residual, variance = left.residual[owner], left.variance[owner]
    directions: list[NDArray] = []
    rows = np.arange(len(owner))  # that are not filled yet
    while len(rows):
        here = np.arange(len(rows))
        # Cholesky's next column: covariances given what came in before.
        column = covariances[owner[rows], feature]
        for known in directions:
            column -= known[here, feature][:, np.newaxis] * known
        root = np.sqrt(variance[here, feature])
        step = residual[here, feature] / root[:, np.newaxis]
        column /= root[:, np.newaxis]
        directions.append(column)
        residual -= step[:, np.newaxis] * column[:, :, np.newaxis]
        variance = np.maximum(variance - column**2, 0.0)
        changes[rows] -= 0.5 * (step**2).sum(axis=1)
        chosen[rows, feature] = True
        gains = left.model.gains(residual, variance)
        _, worth = _worth(gains, prices, chosen[rows], barred[owner[rows]])
        feature = worth.argmax(axis=1)
        going = worth[here, feature] > 0
        if not going.all():
            rows, feature = rows[going], feature[going]
            residual, variance = residual[going], variance[going]
            directions = [known[going] for known in directions]
    return Proposals(changes, chosen)
