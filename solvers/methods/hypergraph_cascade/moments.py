"""Ridge fits read off sums of products, which add up over rows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...numerics.arrays import Floats
from .rows import WeightedRows

__all__ = ["Moments", "ridge_error", "standardised", "total_spread"]

# Ridge for each unit of weight, on columns of variance one.
_RIDGE = 1e-3
# Of the variance among all rows: what varies less is constant.
_LEAST_VARIANCE = 1e-12


@dataclass(frozen=True, eq=False)
class Moments:
    """What rows sum to, of columns and of codes of the classes behind them."""

    n_columns: int  # How many of the sums are of columns
    mass: float  # Weight of the rows
    sums: Floats  # (k,)
    products: Floats  # (k, k)

    @classmethod
    def of(cls, table: Floats, weights: Floats, n_columns: int) -> Moments:
        """Return the moments of rows, shape (n_rows, k), of some weights."""
        weighted = table * np.sqrt(weights)[:, np.newaxis]
        return cls(
            n_columns, float(weights.sum()), weights @ table, weighted.T @ weighted
        )

    def __sub__(self, part: Moments) -> Moments:
        """Return the moments of the other rows."""
        return Moments(
            self.n_columns,
            self.mass - part.mass,
            self.sums - part.sums,
            self.products - part.products,
        )

    @property
    def mean(self) -> Floats:
        """The weighted mean of the rows, shape (k,)."""
        return self.sums / self.mass

    def about(self, point: Floats) -> Floats:
        """Return the sums of products of distances from a point, shape (k, k)."""
        crossed = np.outer(self.sums, point)
        return self.products - crossed - crossed.T + self.mass * np.outer(point, point)


def standardised(rows: WeightedRows) -> Floats:
    """Return columns of mean 0 and variance 1, and codes of the classes behind them.

    Shape: (n_rows, n_features + n_classes).
    """
    n_features = rows.X.shape[1]
    table = np.empty((len(rows.labels), n_features + rows.n_classes))
    columns = table[:, :n_features]
    columns[:] = rows.X
    columns -= rows.shares @ columns
    scale = np.sqrt(np.einsum("i,ij,ij->j", rows.shares, columns, columns))
    columns /= np.where(scale > _LEAST_VARIANCE, scale, np.inf)
    table[:, n_features:] = np.eye(rows.n_classes)[rows.labels]
    return table


def ridge_error(train: Moments, test: Moments) -> float:
    """Return the squared error on some rows of a ridge fit to others."""
    n, centre = train.n_columns, train.mean
    spread = train.about(centre) / train.mass
    variance = np.diag(spread)[:n]
    scale = np.where(variance > _LEAST_VARIANCE, np.sqrt(np.abs(variance)), np.inf)
    gram = spread[:n, :n] / np.outer(scale, scale)
    gram[np.diag_indices(n)] += _RIDGE
    weights = np.linalg.solve(gram, spread[:n, n:] / scale[:, np.newaxis])
    # Codes minus what is foretold of them, as weights of all that was summed.
    missed = np.vstack([-weights / scale[:, np.newaxis], np.eye(len(centre) - n)])
    return float(np.sum(missed * (test.about(centre) @ missed)))


def total_spread(rows: Moments) -> float:
    """Return the squared error of the rows' own shares of the classes."""
    return float(np.trace(rows.about(rows.mean)[rows.n_columns :, rows.n_columns :]))
