"""The loss around a fit as a quadratic, on which selections are compared without fits.

A selection's loss, what a feature would lower it by and what a dropped one was worth
are exact Schur complements of one Gram matrix. Of many classes it is the same matrix
for each number of the odds, and a feature explains a part of each.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...numerics.arrays import Floats, Mask

# What is left of a column's variance, at least, for it to tell something new.
_NEW = 1e-8


class Quadratic:
    """The loss around a fit, with everything that is known about one selection.

    Shapes: `matrix` (f, f), `target` (f,) or (f, n_outputs), `chosen` (f,).
    """

    def __init__(self, matrix: NDArray, target: NDArray, chosen: Mask) -> None:
        self.chosen = chosen
        self._least_variance = _NEW * np.maximum(np.diag(matrix), 1e-300)
        block = matrix[np.ix_(chosen, chosen)]
        ridge = 1e-10 * np.trace(block) / max(len(block), 1) + 1e-300
        self._inverse = np.linalg.inv(block + ridge * np.eye(len(block)))
        target = target[:, np.newaxis] if target.ndim == 1 else target
        # One output after the other: of a single one, sums as they always were.
        weights = [self._inverse @ one for one in target[chosen].T]
        self._weights = np.stack(weights, axis=-1)
        self._shares = self._inverse @ matrix[chosen]
        # Covariances given the selection, and what is left to explain.
        self.schur = matrix - matrix[:, chosen] @ self._shares
        explained = [matrix[:, chosen] @ one for one in weights]
        self._residual = target - np.stack(explained, axis=-1)

    def without(self, dropped: Mask) -> Remainder:
        """Return what is left to explain once some features are gone, s sets at once.

        Shape: `dropped` (s, f).
        """
        gone = dropped[:, self.chosen]
        most = int(gone.sum(axis=1).max(initial=0))
        places = np.argsort(~gone, axis=1, kind="stable")[:, :most]
        # Smaller sets are made up to the largest by rows of the identity.
        real = np.take_along_axis(gone, places, axis=1)
        both = real[:, :, np.newaxis] & real[:, np.newaxis]
        # Dropping G from a selection costs w_G' C_GG^-1 w_G / 2, with C the inverse.
        block = self._inverse[places[:, :, np.newaxis], places[:, np.newaxis]]
        block = np.where(both, block, np.eye(most))
        w = np.where(real[:, :, np.newaxis], self._weights[places], 0.0)
        shares = np.where(real[:, :, np.newaxis], self._shares[places], 0.0)
        n_outputs = w.shape[2]
        solved = np.linalg.solve(block, np.concatenate([w, shares], axis=2))
        restored, solved = solved[:, :, :n_outputs], solved[:, :, n_outputs:]
        given_back = [
            np.einsum("sg,sgf->sf", restored[:, :, k], shares) for k in range(n_outputs)
        ]
        return Remainder(
            self,
            0.5 * (w * restored).sum(axis=2).sum(axis=1),
            self._residual + np.stack(given_back, axis=-1),
            np.diag(self.schur) + np.einsum("sgf,sgf->sf", shares, solved),
            shares,
            solved,
        )

    def gains(self, residual: NDArray, variance: NDArray) -> Floats:
        """Return by how much each feature alone would lower the loss.

        Shapes: `residual` (s, f, n_outputs), `variance` (s, f) -> (s, f).
        """
        # Of r w - v w^2 / 2 the maximum is r^2 / (2 v).
        fresh = variance > self._least_variance
        explained = 0.5 * (residual**2).sum(axis=2)
        return np.where(fresh, explained / np.where(fresh, variance, 1.0), 0.0)


@dataclass(frozen=True, eq=False)
class Remainder:
    """What features outside would explain, given each of s selections."""

    model: Quadratic
    harm: Floats  # (s,) What the drops cost
    residual: Floats  # (s, f, n_outputs)
    variance: Floats  # (s, f)
    shares: Floats  # (s, g, f) Of the dropped features in the others
    solved: Floats  # (s, g, f)

    def gains(self) -> Floats:
        return self.model.gains(self.residual, self.variance)

    def covariances(self) -> Floats:
        """Return the features' covariances given each selection, (s, f, f)."""
        return self.model.schur + self.shares.transpose(0, 2, 1) @ self.solved
