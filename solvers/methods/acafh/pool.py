"""Fits of one data set, kept as starts for other values of λ and p."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ...numerics.prox_newton import LinearFit
from .penalties import ComponentPenalty, SharedPenalty, Sharing

__all__ = ["Pool"]


@dataclass(frozen=True, eq=False)
class _Entry:
    index: NDArray[np.int_]
    values: NDArray[np.float64]
    intercept: float
    loss: float
    rows: NDArray[np.int_]
    loads: NDArray[np.float64]


@dataclass(eq=False)
class _Shelf:
    """Entries of one kind, with their loads end to end."""

    entries: list[_Entry] = field(default_factory=list)

    def put(self, entry: _Entry) -> None:
        self.entries.append(entry)
        self.__dict__.pop("_stacked", None)

    @cached_property
    def _stacked(self) -> tuple[NDArray, NDArray, NDArray, NDArray]:
        sizes = [len(entry.rows) for entry in self.entries]
        return (
            np.array([entry.loss for entry in self.entries]),
            np.repeat(np.arange(len(sizes)), sizes),
            np.concatenate([entry.rows for entry in self.entries]),
            np.concatenate([entry.loads for entry in self.entries]),
        )

    @property
    def losses(self) -> NDArray[np.float64]:
        return self._stacked[0]

    def penalties(
        self, shape: ComponentPenalty, costs: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        losses, owners, rows, loads = self._stacked
        paid = costs[rows] * shape.value(loads)
        return np.asarray(np.bincount(owners, paid, len(losses)), dtype=float)


class Pool:
    """Weights with their loss and loads, so that any penalty of them is quick."""

    def __init__(self, sharing: Sharing) -> None:
        self._sharing = sharing
        self._shelves: dict[str, _Shelf] = {}
        self._seen: set[tuple[str, float, int]] = set()

    def add(self, kind: str, fit: LinearFit) -> None:
        """Keep a fit, unless its like is there."""
        index = np.flatnonzero(fit.weights)
        # Descents from many starts end in the same points, but for rounding.
        like = (kind, round(fit.loss, 7), len(index))
        if like in self._seen:
            return
        self._seen.add(like)
        self.add_scaled(kind, index, fit.weights[index], fit.intercept, {1.0: fit.loss})

    def add_scaled(
        self,
        kind: str,
        index: NDArray[np.int_],
        values: NDArray[np.float64],
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
        shelf = self._shelves.setdefault(kind, _Shelf())
        for factor, loss in losses.items():
            scaled = factor * values, factor * intercept
            shelf.put(_Entry(index, *scaled, loss, rows, factor * loads[rows]))

    def best(
        self, penalty: SharedPenalty, kind: str, n_best: int
    ) -> list[tuple[NDArray[np.float64], float]]:
        """Return the weights and intercepts of lowest objective.

        Shape: (n_features,).
        """
        shelf = self._shelves.get(kind)
        if shelf is None:
            return []
        paid = shelf.penalties(penalty.shape, self._sharing.costs)
        # Loss and loads are kept: alpha, R and D may have changed since.
        order = np.argsort(shelf.losses + penalty.alpha * paid, kind="stable")
        chosen: dict[bytes, tuple[NDArray[np.float64], float]] = {}
        for entry in (shelf.entries[i] for i in order):
            key = entry.index.tobytes()
            if key not in chosen:
                weights = np.zeros(self._sharing.n_features)
                weights[entry.index] = entry.values
                chosen[key] = weights, entry.intercept
            if len(chosen) == n_best:
                break
        return list(chosen.values())

    def within(self, kind: str, budget: float) -> NDArray[np.bool_] | None:
        """Return the selection of lowest loss that a budget pays for.

        Shape: (n_features,).
        None where every entry costs more.
        """
        best: _Entry | None = None
        for entry in self._shelves.get(kind, _Shelf()).entries:
            cost = float(self._sharing.costs[entry.rows].sum())
            if cost <= budget and (best is None or entry.loss < best.loss):
                best = entry
        if best is None:
            return None
        support = np.zeros(self._sharing.n_features, dtype=bool)
        support[best.index] = True
        return support

    def break_even(self, shape: ComponentPenalty, kind: str, null_loss: float) -> float:
        """Return the largest trade-off at which an entry beats the null model."""
        shelf = self._shelves.get(kind)
        if shelf is None:
            return 0.0
        paid = shelf.penalties(shape, self._sharing.costs)
        # loss + alpha paid < null loss exactly below alpha = (null loss - loss) / paid.
        gains = (null_loss - shelf.losses)[paid > 0]
        return float(np.max(gains / paid[paid > 0], initial=0.0))
