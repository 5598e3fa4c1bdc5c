"""Columns in units of their own spread, so that neither unit nor zero of one counts.

The spread is the weighted standard deviation: penalties of squares then weigh columns
alike, one far-off value does not stretch a unit as it stretches a range, and a row of
weight two is a row written twice.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from .arrays import Floats, Mask

# A column whose spread is below this share of its largest value is constant but for
# rounding: its unit stays as it is, and its values are all taken to be its mean.
_CONSTANT = 1e-13


@dataclass(frozen=True, eq=False)
class ColumnScale:
    """Mean and spread of each column, (n_features,); a spread is never 0."""

    centre: Floats
    spread: Floats
    is_constant: Mask

    @classmethod
    def of(cls, X: Floats, weights: Floats) -> Self:
        """Return the scale of the columns of a table of weighted rows."""
        # Shares of the largest value: squares of huge values overflow.
        largest = np.abs(X).max(axis=0)
        unit = np.where(largest > 0.0, largest, 1.0)
        weights = weights / weights.sum()
        shares = X / unit
        mean = weights @ shares
        shares -= mean
        # A second pass takes away what rounding left in the mean.
        left = weights @ shares
        shares -= left
        np.square(shares, out=shares)
        spread = np.sqrt(weights @ shares)
        is_constant = spread <= _CONSTANT
        spread = np.where(is_constant, 1.0, spread * unit)
        # So tiny a spread would overflow when weights are brought back.
        is_constant |= spread < np.finfo(float).tiny
        return cls(
            (mean + left) * unit, np.where(is_constant, 1.0, spread), is_constant
        )

    @classmethod
    def unchanged(cls, n_features: int) -> Self:
        """Return the scale that leaves columns as they are."""
        return cls(
            np.zeros(n_features), np.ones(n_features), np.zeros(n_features, dtype=bool)
        )

    def standardised(self, X: Floats) -> Floats:
        """Return columns of mean 0 and spread 1, those that are constant all 0."""
        scaled = X - self.centre
        scaled /= self.spread
        scaled[:, self.is_constant] = 0.0
        return scaled

    def raw(self, coef: Floats, intercept: Floats) -> tuple[Floats, Floats]:
        """Return weights and intercepts that say of raw rows what these say of scaled.

        ``coef`` is (n_outputs, n_features), ``intercept`` (n_outputs,).
        """
        coef = coef / self.spread
        return coef, intercept - coef @ self.centre
