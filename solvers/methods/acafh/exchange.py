"""One round of exchanges: up to two components out, others in, within a budget.

Around a fit the loss is a quadratic, on which a selection's loss, what a feature would
lower it by and what a dropped one was worth are exact Schur complements of one Gram
matrix. All exchanges are ranked there; only the best few are fitted.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

__all__ = ["Prices", "Quadratic", "exchanges", "fills"]

_SLACK = 1e-12
# Less than this of the mean loss is not worth a fit.
_LEAST = 1e-7
# What is left of a column's variance, at least, for it to tell something new.
_NEW = 1e-8
# So many single drops are combined in pairs, and so many sets of drops are refilled.
_PAIRED = 12
_REFILLED = 12
_FIRSTS = 3


@dataclass(frozen=True, eq=False)
class Prices:
    """What features need, and the budget."""

    # (n_candidates, n_components) 1 where a feature needs a component
    needs: NDArray[np.float64]
    costs: NDArray[np.float64]  # (n_components,) Of the components
    budget: float  # For the union of what is needed

    def paid(self, chosen: NDArray[np.bool_]) -> NDArray[np.bool_]:
        return np.asarray(self.needs[chosen].any(axis=0))

    def leaning(self, components: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Return which features need any of some components."""
        return np.asarray((self.needs[:, components] > 0).any(axis=1))

    def marginal(self, paid: NDArray[np.bool_]) -> NDArray[np.float64]:
        """Return what each feature adds; inf where the budget does not last."""
        prices = self.needs @ np.where(paid, 0.0, self.costs)
        spent = float(self.costs[paid].sum())
        dear = spent + prices > self.budget * (1.0 + _SLACK)
        return np.where(dear, np.inf, prices)


class Quadratic:
    """The loss around a fit, with everything that is known about one selection.

    Shapes: `matrix` (f, f), `target` (f,), `chosen` (f,).
    """

    def __init__(
        self, matrix: NDArray, target: NDArray, chosen: NDArray[np.bool_]
    ) -> None:
        self.chosen = chosen
        self.place = np.cumsum(chosen) - 1
        self.least_variance = _NEW * np.maximum(np.diag(matrix), 1e-300)
        block = matrix[np.ix_(chosen, chosen)]
        ridge = 1e-10 * np.trace(block) / max(len(block), 1) + 1e-300
        self.inverse = np.linalg.inv(block + ridge * np.eye(len(block)))
        self.weights = self.inverse @ target[chosen]
        self.shares = self.inverse @ matrix[chosen]
        # Covariances given the selection, and what is left to explain.
        self.schur = matrix - matrix[:, chosen] @ self.shares
        self.residual = target - matrix[:, chosen] @ self.weights

    def without(self, dropped: NDArray[np.bool_]) -> _Residual:
        """Return what is left to explain once some features are gone."""
        gone = self.place[dropped]
        if not len(gone):
            return _Residual(self, 0.0, self.residual, np.diag(self.schur), None)
        w, shares = self.weights[gone], self.shares[gone]
        block = self.inverse[np.ix_(gone, gone)]
        solved = np.linalg.solve(block, np.column_stack([w, shares]))
        harm = 0.5 * float(w @ solved[:, 0])
        residual = self.residual + shares.T @ solved[:, 0]
        variance = np.diag(self.schur) + np.einsum("ij,ij->j", shares, solved[:, 1:])
        return _Residual(self, harm, residual, variance, (shares, solved[:, 1:]))


@dataclass(frozen=True, eq=False)
class _Residual:
    """What features outside would explain: their covariances given a selection."""

    model: Quadratic
    harm: float
    residual: NDArray[np.float64]
    variance: NDArray[np.float64]
    restored: tuple[NDArray, NDArray] | None

    def gains(self) -> NDArray[np.float64]:
        """Return by how much each feature alone would lower the loss."""
        fresh = self.variance > self.model.least_variance
        return np.where(
            fresh, 0.5 * self.residual**2 / np.where(fresh, self.variance, 1.0), 0.0
        )

    def covariances(self, feature: int) -> NDArray[np.float64]:
        row = self.model.schur[feature]
        if self.restored is None:
            return row
        shares, solved = self.restored
        return np.asarray(row + shares[:, feature] @ solved)


def exchanges(
    model: Quadratic, prices: Prices
) -> Iterator[tuple[float, NDArray[np.bool_]]]:
    """Yield predicted changes of the loss and selections, for the best exchanges.

    Shape: `chosen` (f,).
    `change`: below 0 where the loss is predicted to fall.
    """
    nothing = np.zeros(len(prices.costs), dtype=bool)
    used = np.flatnonzero(prices.paid(model.chosen) & (prices.costs > 0))
    singles = []
    for component in used:
        out = nothing.copy()
        out[component] = True
        singles.append((_promise(model, prices, out), out))
    singles.sort(key=lambda pair: pair[0])
    pairs = [one | other for (_, one), (_, other) in combinations(singles[:_PAIRED], 2)]
    ranked = singles + [(_promise(model, prices, out), out) for out in pairs]
    ranked.sort(key=lambda pair: pair[0])
    yield from fills(model, prices, nothing)
    for _, out in ranked[:_REFILLED]:
        yield from fills(model, prices, out)


def _promise(model: Quadratic, prices: Prices, out: NDArray[np.bool_]) -> float:
    """Return the change of the loss if the two best features came instead."""
    leaning = prices.leaning(out)
    left = model.without(model.chosen & leaning)
    kept = model.chosen & ~leaning
    affordable = np.isfinite(prices.marginal(prices.paid(kept))) & ~leaning & ~kept
    gains = np.where(affordable, left.gains(), 0.0)
    two = np.partition(gains, -2)[-2:] if len(gains) > 1 else gains
    return left.harm - float(two.sum())


def fills(
    model: Quadratic, prices: Prices, out: NDArray[np.bool_]
) -> Iterator[tuple[float, NDArray[np.bool_]]]:
    """Yield what spending all of the budget gives, after some components are out.

    Shapes: `out` (n_components,) -> `chosen` (f,).
    `chosen`: from each of several first features on: most explained per cost.
    """
    leaning = prices.leaning(out)
    left = model.without(model.chosen & leaning)
    kept = model.chosen & ~leaning
    gains, worth = _worth(left.gains(), prices, kept, leaning)
    firsts = [
        *np.argsort(-gains, kind="stable")[:_FIRSTS],
        *np.argsort(-worth, kind="stable")[:_FIRSTS],
    ]
    for first in dict.fromkeys(int(j) for j in firsts if gains[j] > _LEAST):
        yield _filled(left, prices, kept, leaning, first)
    if out.any():
        yield left.harm, kept


def _worth(
    gains: NDArray, prices: Prices, kept: NDArray[np.bool_], barred: NDArray[np.bool_]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return what each affordable feature gains, and that per cost: free ones first."""
    added = prices.marginal(prices.paid(kept))
    open_ = np.isfinite(added) & ~kept & ~barred
    gains = np.where(open_ & (gains > _LEAST), gains, 0.0)
    free = np.max(prices.costs, initial=1.0) * 1e-12
    return gains, gains / np.where(open_, np.maximum(added, free), 1.0)


def _filled(
    left: _Residual,
    prices: Prices,
    kept: NDArray[np.bool_],
    barred: NDArray[np.bool_],
    first: int,
) -> tuple[float, NDArray[np.bool_]]:
    chosen, change, feature = kept.copy(), left.harm, first
    residual, variance = left.residual.copy(), left.variance.copy()
    directions: list[NDArray] = []
    while True:
        # Cholesky's next column: covariances given what came in before.
        column = left.covariances(feature)
        for known in directions:
            column = column - known[feature] * known
        column = column / np.sqrt(variance[feature])
        step = residual[feature] / np.sqrt(variance[feature])
        change -= 0.5 * float(step) ** 2
        directions.append(column)
        residual -= step * column
        variance = np.maximum(variance - column**2, 0.0)
        chosen[feature] = True
        now = _Residual(left.model, 0.0, residual, variance, None)
        _, worth = _worth(now.gains(), prices, chosen, barred)
        if not worth.max(initial=0.0) > 0:
            return change, chosen
        feature = int(np.argmax(worth))
