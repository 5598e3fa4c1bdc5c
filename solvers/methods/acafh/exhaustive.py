"""Tiny problems are finished by trying every pattern of signs.

Inside an orthant the objective is smooth, so each pattern of -1, 0 and +1 is followed
downhill; all patterns move together as one batch. A support whose unpenalised loss is
above the best objective known cannot win, and is left out. The other starts alone end
higher in one of twelve fits of such problems (174 of 2160 on random tables of two to
five features, with all penalties).
"""

from __future__ import annotations

from itertools import product

import numpy as np
from numpy.typing import NDArray

from ...numerics.arrays import Floats
from ...numerics.logistic import LogisticLoss, log_losses
from ...numerics.prox_newton import refit_on
from .penalties import SharedPenalty

_MOST_FEATURES = 5
_MOST_ODDS = 100_000
_ROUNDS = 40
_HALVINGS = 6
_MAGNITUDES = (1.0, 0.3)
_PROGRESS = 1e-8


class Orthants:
    """All sign patterns of a few features."""

    def __init__(self, loss: LogisticLoss) -> None:
        self.loss = loss
        patterns = product((0.0, 1.0, -1.0), repeat=loss.n_features)
        signs = np.array(list(patterns))
        signs = signs[(signs[:, ~loss.selectable] == 0).all(axis=1)]
        supports, which = np.unique(signs != 0, axis=0, return_inverse=True)
        fits = [refit_on(loss, support) for support in supports]
        # No weights on a support have a lower loss than these.
        self.bounds = np.array([fit.loss for fit in fits])[which.ravel()]
        dense = np.abs(fits[-1].weights)
        size = np.maximum(dense, 0.1 * dense.max(initial=1.0))
        self.starts = signs * size

    @staticmethod
    def affordable(loss: LogisticLoss) -> bool:
        """Return whether every sign pattern can be tried in a few milliseconds."""
        m = loss.n_features
        return m <= _MOST_FEATURES and 3**m * loss.n_samples <= _MOST_ODDS

    def best(
        self, penalty: SharedPenalty, known: float, n_best: int
    ) -> list[tuple[Floats, float]]:
        """Return the best points found, to be polished, (n_features,)."""
        # The penalty is not negative: a support's bare loss bounds its objective.
        starts = self.starts[self.bounds < known]
        if not len(starts):
            return []
        batch = _Batch(
            self.loss, penalty, np.vstack([size * starts for size in _MAGNITUDES])
        )
        for _ in range(_ROUNDS):
            if not batch.step():
                break
        order = np.argsort(batch.values, kind="stable")[:n_best]
        return [(batch.w[i], float(batch.b[i])) for i in order]


class _Batch:
    """Many points that each go downhill; a weight that crosses zero stays there."""

    def __init__(self, loss: LogisticLoss, penalty: SharedPenalty, w: NDArray) -> None:
        self.loss, self.penalty = loss, penalty
        self.columns = loss.columns[:].astype(float, copy=False)
        m = loss.n_features
        pairs = self.columns[:, np.newaxis, :] * self.columns[np.newaxis]
        self.pairs = pairs.reshape(m * m, -1)
        self.rows = penalty.sharing.rows_of(np.arange(m))
        self.w, self.b = w, np.full(len(w), loss.base_intercept)
        self.values = self._values(self.w, self.b)
        self.moving = np.arange(len(w))

    def _values(self, w: NDArray, b: NDArray) -> Floats:
        agreement = self.loss.signs * (w @ self.columns + b[:, np.newaxis])
        paid = self.penalty.shape.value(np.abs(w) @ self.rows)
        costs = self.penalty.alpha * (paid @ self.penalty.sharing.costs)
        return np.asarray(log_losses(agreement) @ self.loss.shares + costs)

    def step(self) -> bool:
        """Move every point that still gets better; return whether any does."""
        moving = self.moving
        w, b, values = self.w[moving], self.b[moving], self.values[moving]
        target_w, target_b = self._targets(w, b)
        pending, t = np.arange(len(moving)), 1.0
        for _ in range(_HALVINGS):
            some = w[pending]
            new_w = some + t * (target_w[pending] - some)
            # It stays in its orthant: past zero the penalty's slope jumps.
            new_w[new_w * some <= 0] = 0.0
            new_b = b[pending] + t * (target_b[pending] - b[pending])
            new_values = self._values(new_w, new_b)
            better = new_values < values[pending]
            done = moving[pending[better]]
            self.w[done], self.b[done] = new_w[better], new_b[better]
            self.values[done] = new_values[better]
            pending, t = pending[~better], t / 2.0
            if not len(pending):
                break
        self.moving = moving[values - self.values[moving] > _PROGRESS]
        return len(self.moving) > 0

    def _targets(self, w: NDArray, b: NDArray) -> tuple[NDArray, NDArray]:
        """Return the minimisers of the quadratic models, zeros held."""
        count, m = w.shape
        agreement = self.loss.signs * (w @ self.columns + b[:, np.newaxis])
        # Newton's system of the loss for every point at once, sums over rows of c x x'.
        doubt = 0.5 * (1.0 - np.tanh(agreement / 2.0))
        slopes = -self.loss.shares * self.loss.signs * doubt
        curvatures = self.loss.shares * doubt * (1.0 - doubt)
        system = np.empty((count, m + 1, m + 1))
        system[:, :m, :m] = (curvatures @ self.pairs.T).reshape(count, m, m)
        system[:, m, :m] = system[:, :m, m] = curvatures @ self.columns.T
        system[:, m, m] = curvatures.sum(axis=1)
        right = np.column_stack([slopes @ self.columns.T, slopes.sum(axis=1)])
        # Of the concave penalty, eq. (8), the tangent alone: that majorises it.
        right[:, :m] += self._penalty_slopes(w) * np.sign(w)
        fixed = np.column_stack([w == 0, np.zeros(count, dtype=bool)])
        right[fixed] = 0.0
        # A zero stays: its row and column are those of the identity, its right side 0.
        system[fixed[:, :, np.newaxis] | fixed[:, np.newaxis, :]] = 0.0
        system[:, np.arange(m + 1), np.arange(m + 1)] += np.where(fixed, 1.0, 1e-9)
        step = np.linalg.solve(system, right[:, :, np.newaxis])[:, :, 0]
        return w - step[:, :m], b - step[:, m]

    def _penalty_slopes(self, w: NDArray) -> Floats:
        """Return the penalty's derivative in each magnitude, 0 for zero weights."""
        loads = np.abs(w) @ self.rows
        rise = np.zeros_like(loads)
        used = loads > 0
        rise[used] = self.penalty.shape.slope(loads[used])
        # d/d|w_k| sum_i D_i R((H|w|)_i) = sum_i H_ik D_i R'((H|w|)_i).
        slopes = (rise * self.penalty.sharing.costs) @ self.rows.T
        return np.where(w == 0, 0.0, self.penalty.alpha * slopes)
