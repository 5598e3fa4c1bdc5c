"""Tiny problems are finished by trying every pattern of signs.

Inside an orthant the objective is smooth, so each pattern of -1, 0 and +1 is followed
downhill; all patterns move together as one batch.
"""

from __future__ import annotations

from itertools import product

import numpy as np
from numpy.typing import NDArray

from ...numerics.logistic import LogisticLoss
from .penalties import SharedPenalty

__all__ = ["best_orthants", "is_tiny"]

_MOST_FEATURES = 6
_MOST_ODDS = 300_000
_ROUNDS = 40
_HALVINGS = 6
_MAGNITUDES = (1.0, 0.3)


def is_tiny(loss: LogisticLoss) -> bool:
    """Return whether every sign pattern can be tried in a few milliseconds.

    Parameters
    ----------
    loss : LogisticLoss
        The data.

    Returns
    -------
    bool
    """
    m = loss.n_features
    return m <= _MOST_FEATURES and 3**m * loss.n_samples <= _MOST_ODDS


def best_orthants(
    loss: LogisticLoss,
    penalty: SharedPenalty,
    dense: NDArray[np.float64],
    n_best: int,
) -> list[tuple[NDArray[np.float64], float]]:
    """Return the best points found from each sign pattern, to be polished.

    Parameters
    ----------
    loss : LogisticLoss
        The smooth part.
    penalty : SharedPenalty
        The other part.
    dense : ndarray of float, shape (n_features,)
        The unpenalised fit: its magnitudes are where the patterns begin.
    n_best : int
        How many to return.

    Returns
    -------
    list of (ndarray of float, shape (n_features,), float)
        Weights and intercepts, best first.
    """
    signs = np.array(list(product((0.0, 1.0, -1.0), repeat=loss.n_features)))
    signs = signs[(signs[:, ~loss.selectable] == 0).all(axis=1)]
    size = np.maximum(np.abs(dense), 0.1 * np.abs(dense).max(initial=1.0))
    batch = _Batch(loss, penalty, np.vstack([signs * size * s for s in _MAGNITUDES]))
    for _ in range(_ROUNDS):
        if not batch.step():
            break
    order = np.argsort(batch.values, kind="stable")[:n_best]
    return [(batch.w[i], float(batch.b[i])) for i in order]


class _Batch:
    """Many points that each go downhill; a weight that crosses zero stays there."""

    def __init__(self, loss: LogisticLoss, penalty: SharedPenalty, w: NDArray) -> None:
        self.loss, self.penalty = loss, penalty
        self.columns = loss.columns.astype(float)
        m = loss.n_features
        pairs = self.columns[:, np.newaxis, :] * self.columns[np.newaxis]
        self.pairs = pairs.reshape(m * m, -1)
        self.w, self.b = w, np.full(len(w), loss.base_intercept)
        self.rows = penalty.sharing.rows_of(np.arange(m))
        self.values = self._values(self.w, self.b)

    def _values(self, w: NDArray, b: NDArray) -> NDArray[np.float64]:
        agreement = self.loss.signs * (w @ self.columns + b[:, np.newaxis])
        tails = np.log1p(np.exp(-np.abs(agreement))) - np.minimum(agreement, 0.0)
        paid = self.penalty.shape.value(np.abs(w) @ self.rows)
        costs = self.penalty.alpha * (paid @ self.penalty.sharing.costs)
        return tails @ self.loss.shares + costs

    def step(self) -> bool:
        """Move every point once; return whether any got better."""
        target_w, target_b = self._targets()
        t = np.ones(len(self.w))
        best_w, best_b, best = self.w, self.b, self.values
        for _ in range(_HALVINGS):
            w = self.w + t[:, np.newaxis] * (target_w - self.w)
            w[w * self.w <= 0] = 0.0
            b = self.b + t * (target_b - self.b)
            values = self._values(w, b)
            better = values < best
            best_w = np.where(better[:, np.newaxis], w, best_w)
            best_b, best = np.where(better, b, best_b), np.where(better, values, best)
            t = np.where(best < self.values, t, t / 2.0)
        progress = float((self.values - best).max(initial=0.0))
        self.w, self.b, self.values = best_w, best_b, best
        return progress > 1e-9

    def _targets(self) -> tuple[NDArray, NDArray]:
        """Return the minimisers of the quadratic models, inside each orthant."""
        count, m = self.w.shape
        points = [
            self.loss.at(row @ self.columns + b)
            for row, b in zip(self.w, self.b, strict=True)
        ]
        slopes = np.stack([point.slopes for point in points])
        curvatures = np.stack([point.curvatures for point in points])
        system = np.empty((count, m + 1, m + 1))
        system[:, :m, :m] = (curvatures @ self.pairs.T).reshape(count, m, m)
        system[:, m, :m] = system[:, :m, m] = curvatures @ self.columns.T
        system[:, m, m] = curvatures.sum(axis=1)
        right = np.column_stack([slopes @ self.columns.T, slopes.sum(axis=1)])
        right[:, :m] += self._penalty_slopes() * np.sign(self.w)
        fixed = np.column_stack([self.w == 0, np.zeros(count, dtype=bool)])
        right[fixed] = 0.0
        system[fixed[:, :, np.newaxis] | fixed[:, np.newaxis, :]] = 0.0
        system[:, np.arange(m + 1), np.arange(m + 1)] += np.where(fixed, 1.0, 1e-9)
        step = np.linalg.solve(system, right[:, :, np.newaxis])[:, :, 0]
        return self.w - step[:, :m], self.b - step[:, m]

    def _penalty_slopes(self) -> NDArray[np.float64]:
        """Return the penalty's derivative in each magnitude, 0 for zero weights."""
        loads = np.abs(self.w) @ self.rows
        rise = np.zeros_like(loads)
        used = loads > 0
        rise[used] = self.penalty.shape.slope(loads[used])
        slopes = (rise * self.penalty.sharing.costs) @ self.rows.T
        return np.where(self.w == 0, 0.0, self.penalty.alpha * slopes)
