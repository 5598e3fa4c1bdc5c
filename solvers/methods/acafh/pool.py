"""Fits of one data set, kept as starts for other values of λ and p."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...numerics.prox_newton import LinearFit
from .penalties import ComponentPenalty, SharedPenalty, Sharing

__all__ = ["Pool"]


@dataclass(frozen=True, eq=False)
class _Entry:
    kind: str
    index: NDArray[np.int_]
    values: NDArray[np.float64]
    intercept: float
    loss: float
    rows: NDArray[np.int_]
    loads: NDArray[np.float64]


class Pool:
    """Weights with their loss and loads, so that any penalty of them is quick.

    Parameters
    ----------
    sharing : Sharing
        Who leans on what.
    """

    def __init__(self, sharing: Sharing) -> None:
        self._sharing = sharing
        self._entries: list[_Entry] = []
        self._seen: set[tuple[str, float, int]] = set()

    def add(self, kind: str, fit: LinearFit) -> None:
        """Keep a fit, unless its like is there.

        Parameters
        ----------
        kind : str
            How it was found.
        fit : LinearFit
            What was found.
        """
        index = np.flatnonzero(fit.weights)
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

        Parameters
        ----------
        kind : str
            How it was found.
        index : ndarray of int, shape (k,)
            Features with a weight.
        values : ndarray of float, shape (k,)
            Their weights.
        intercept : float
            Of the decision itself.
        losses : mapping of float to float
            Loss of each multiple, by its factor.
        """
        weights = np.zeros(self._sharing.by_feature.shape[0])
        weights[index] = np.abs(values)
        loads = self._sharing.loads(weights)
        rows = np.flatnonzero(loads)
        for factor, loss in losses.items():
            self._entries.append(
                _Entry(
                    kind,
                    index,
                    factor * values,
                    factor * intercept,
                    loss,
                    rows,
                    factor * loads[rows],
                )
            )

    def best(
        self, penalty: SharedPenalty, kinds: Sequence[str], n_best: int
    ) -> list[tuple[NDArray[np.float64], float]]:
        """Return the weights and intercepts of lowest objective.

        Parameters
        ----------
        penalty : SharedPenalty
            The penalty to add to the loss.
        kinds : sequence of str
            How they were found.
        n_best : int
            How many, at most; each of another support.

        Returns
        -------
        list of (ndarray of float, shape (n_features,), float)
        """
        entries = [entry for entry in self._entries if entry.kind in kinds]
        if not entries:
            return []
        order = np.argsort(self._objectives(entries, penalty), kind="stable")
        chosen: list[tuple[NDArray[np.float64], float]] = []
        supports: set[bytes] = set()
        for i in order:
            key = entries[i].index.tobytes()
            if key in supports:
                continue
            supports.add(key)
            weights = np.zeros(self._sharing.by_feature.shape[0])
            weights[entries[i].index] = entries[i].values
            chosen.append((weights, entries[i].intercept))
            if len(chosen) == n_best:
                break
        return chosen

    def break_even(self, shape: ComponentPenalty, null_loss: float) -> float:
        """Return the largest trade-off at which an entry is as good as the null model.

        Parameters
        ----------
        shape : ComponentPenalty
            Penalty of a component.
        null_loss : float
            Loss of the model that pays nothing.

        Returns
        -------
        float
            0 where no entry gains anything.
        """
        paying = [entry for entry in self._entries if len(entry.rows)]
        if not paying:
            return 0.0
        gains = null_loss - np.array([entry.loss for entry in paying])
        return float(np.max(gains / self._penalties(paying, shape), initial=0.0))

    def _objectives(
        self, entries: list[_Entry], penalty: SharedPenalty
    ) -> NDArray[np.float64]:
        losses = np.array([entry.loss for entry in entries])
        return losses + penalty.alpha * self._penalties(entries, penalty.shape)

    def _penalties(
        self, entries: list[_Entry], shape: ComponentPenalty
    ) -> NDArray[np.float64]:
        sizes = [len(entry.rows) for entry in entries]
        owners = np.repeat(np.arange(len(entries)), sizes)
        rows = np.concatenate([entry.rows for entry in entries])
        loads = np.concatenate([entry.loads for entry in entries])
        paid = self._sharing.costs[rows] * shape.value(loads)
        return np.asarray(np.bincount(owners, paid, len(entries)), dtype=float)
