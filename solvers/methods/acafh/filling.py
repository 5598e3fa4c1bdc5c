"""What a budget buys: the rest of it is spent, or up to two components go for others.

All selections are ranked on the quadratic model of the loss, many at once.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ...costs.budgets import room_of
from ...numerics.arrays import Floats, Integers, Mask
from .quadratic import Quadratic, Remainder

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
        step = residual[here, feature] / root
        column /= root[:, np.newaxis]
        directions.append(column)
        residual -= step[:, np.newaxis] * column
        variance = np.maximum(variance - column**2, 0.0)
        changes[rows] -= 0.5 * step**2
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
