"""Fits of one data set, kept as starts for other values of λ and p."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ...costs.budgets import room_of
from ...numerics.arrays import Floats, Integers, Mask
from ...numerics.prox_newton import LinearFit
from .penalties import ComponentPenalty, SharedPenalty, Sharing


@dataclass(frozen=True, eq=False)
class _Entry:
    index: Integers
    values: Floats
    intercept: float
    loss: float
    rows: Integers
    loads: Floats


class Pool:
    """Weights with their loss and loads, so that any penalty of them is quick."""

    def __init__(self, sharing: Sharing) -> None:
        self._sharing = sharing
        self._entries: list[_Entry] = []
        self._seen: set[tuple[float, int]] = set()

    def add(self, fit: LinearFit) -> None:
        """Keep a fit, unless its like is there."""
        index = np.flatnonzero(fit.weights)
        # Descents from many starts end in the same points, but for rounding.
        like = round(fit.loss, 7), len(index)
        if like not in self._seen:
            self._seen.add(like)
            self.add_scaled(index, fit.weights[index], fit.intercept, {1.0: fit.loss})

    def add_scaled(
        self,
        index: Integers,
        values: Floats,
        intercept: float,
        losses: Mapping[float, float],
    ) -> None:
        """Keep multiples of the same decision.

        Shapes: `index` (k,), `values` (k,).
        """
        weights = np.zeros(self._sharing.n_features)
        weights[index] = np.abs(values)
        loads = self._sharing.loads(weights)
        rows = np.flatnonzero(loads)
        for factor, loss in losses.items():
            scaled = factor * values, factor * intercept
            self._entries.append(
                _Entry(index, *scaled, loss, rows, factor * loads[rows])
            )
        self.__dict__.pop("_stacked", None)

    @cached_property
    def _stacked(self) -> tuple[NDArray, NDArray, NDArray, NDArray]:
        """Losses, and end to end whose loads, on which components, and how large."""
        sizes = [len(entry.rows) for entry in self._entries]
        return (
            np.array([entry.loss for entry in self._entries]),
            np.repeat(np.arange(len(sizes)), sizes),
            np.concatenate([np.zeros(0, int), *(e.rows for e in self._entries)]),
            np.concatenate([np.zeros(0), *(e.loads for e in self._entries)]),
        )

    def _priced(self, shape: ComponentPenalty) -> tuple[NDArray, NDArray]:
        """Return the loss of each entry, and its penalty per unit of alpha."""
        losses, owners, rows, loads = self._stacked
        # Loss and loads are kept: alpha, R and D may have changed since.
        paid = self._sharing.costs[rows] * shape.value(loads)
        return losses, np.bincount(owners, paid, len(losses)).astype(float, copy=False)

    def best(self, penalty: SharedPenalty, n_best: int) -> list[tuple[Floats, float]]:
        """Return the weights and intercepts of lowest objective, (n_features,)."""
        losses, paid = self._priced(penalty.shape)
        order = np.argsort(losses + penalty.alpha * paid, kind="stable")
        chosen: dict[bytes, tuple[Floats, float]] = {}
        for entry in (self._entries[i] for i in order):
            if len(chosen) == n_best:
                break
            key = entry.index.tobytes()
            if key not in chosen:
                weights = np.zeros(self._sharing.n_features)
                weights[entry.index] = entry.values
                chosen[key] = weights, entry.intercept
        return list(chosen.values())

    def within(self, budget: float) -> Mask | None:
        """Return the selection of lowest loss that a budget pays for.

        Shape: (n_features,).
        None where every entry costs more.
        """
        costs = self._sharing.costs
        room = room_of(budget)
        paid_for = [e for e in self._entries if float(costs[e.rows].sum()) <= room]
        if not paid_for:
            return None
        support = np.zeros(self._sharing.n_features, dtype=bool)
        support[min(paid_for, key=lambda entry: entry.loss).index] = True
        return support

    def break_even(self, shape: ComponentPenalty, null_loss: float) -> float:
        """Return the largest trade-off at which an entry beats the null model."""
        losses, paid = self._priced(shape)
        # loss + alpha paid < null loss exactly below alpha = (null loss - loss) / paid.
        gains = (null_loss - losses)[paid > 0]
        return float(np.max(gains / paid[paid > 0], initial=0.0))
