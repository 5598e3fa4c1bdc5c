"""What is left of a budget is spent on what explains most for its price."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from .quadratic import Quadratic, Remainder

__all__ = ["ComponentCosts", "Proposals", "fills"]

_SLACK = 1e-12
# Less than this of the mean loss is not worth a fit.
_LEAST = 1e-7
# So many features that explain most, and so many that do for their price, come first.
_FIRSTS = 3


@dataclass(frozen=True, eq=False)
class ComponentCosts:
    """What features need, and the budget; s selections are priced at once."""

    needs: sparse.csr_array  # (n_candidates, n_components) 1 where one needs the other
    costs: NDArray[np.float64]  # (n_components,) Of the components
    budget: float  # For the union of what is needed

    def paid(self, chosen: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Return which components selections pay for, (s, f) -> (s, c)."""
        return np.asarray((self.needs.T @ chosen.T.astype(float)).T > 0)

    def leaning(self, components: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Return which features need any of some components, (s, c) -> (s, f)."""
        return np.asarray((self.needs @ components.T.astype(float)).T > 0)

    def marginal(self, chosen: NDArray[np.bool_]) -> NDArray[np.float64]:
        """Return what each feature adds to selections; inf where the budget ends.

        Shapes: `chosen` (s, f) -> (s, f).
        """
        paid = self.paid(chosen)
        # By what is not paid yet: a component that is shared is charged once.
        prices = (self.needs @ np.where(paid, 0.0, self.costs).T).T
        spent = (paid @ self.costs)[:, np.newaxis]
        costly = spent + prices > self.budget * (1.0 + _SLACK)
        return np.where(costly, np.inf, prices)


@dataclass(frozen=True, eq=False)
class Proposals:
    """Selections, and what they are predicted to change: below 0 the loss falls."""

    changes: NDArray[np.float64]  # (s,)
    chosen: NDArray[np.bool_]  # (s, f)


def fills(
    model: Quadratic, prices: ComponentCosts, outs: NDArray[np.bool_]
) -> Proposals:
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


def _largest(values: NDArray) -> NDArray[np.int_]:
    return np.argsort(-values, axis=1, kind="stable")[:, :_FIRSTS]


def _worth(
    gains: NDArray,
    prices: ComponentCosts,
    kept: NDArray[np.bool_],
    barred: NDArray[np.bool_],
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return what each affordable feature gains, and that per cost: free ones first."""
    added = prices.marginal(kept)
    is_open = np.isfinite(added) & ~kept & ~barred
    gains = np.where(is_open & (gains > _LEAST), gains, 0.0)
    free = np.max(prices.costs, initial=1.0) * 1e-12
    return gains, gains / np.where(is_open, np.maximum(added, free), 1.0)


def _filled(
    left: Remainder,
    prices: ComponentCosts,
    kept: NDArray[np.bool_],
    barred: NDArray[np.bool_],
    owner: NDArray[np.int_],
    feature: NDArray[np.int_],
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
