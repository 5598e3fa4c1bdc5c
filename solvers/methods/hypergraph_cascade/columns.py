"""What the models of the stages see of the features: as they come, or expanded."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...numerics.arrays import Floats, Integers
from ...numerics.quantile_bins import weighted_quantiles
from .rows import WeightedRows

__all__ = ["ExpandedColumns"]

_QUANTILES = (0.25, 0.5, 0.75)
# Columns of an expanded feature: itself, a fold at the median, and two hinges.
_KINDS = 4


@dataclass(frozen=True, eq=False)
class ExpandedColumns:
    """Columns made of single features, each as costly as its feature."""

    n_features: int  # How many features there are
    # (3, n_features) Quartiles; the features are not expanded where they are missing
    knots: Floats | None = None

    @classmethod
    def expanded(cls, rows: WeightedRows) -> ExpandedColumns:
        """Return x, |x - median|, (x - upper quartile)+ and (lower quartile - x)+.

        `rows`: where quartiles are read.
        """
        quartiles = [
            weighted_quantiles(column, rows.weights, _QUANTILES) for column in rows.X.T
        ]
        return cls(rows.X.shape[1], np.column_stack(quartiles))

    @property
    def parents(self) -> Integers:
        """The feature of each column, shape (n_columns,)."""
        kinds = 1 if self.knots is None else _KINDS
        return np.tile(np.arange(self.n_features), kinds)

    def table(self, X: Floats, chosen: Integers) -> Floats:
        """Return some columns; features of no chosen column are not looked at.

        Shapes: `X` (n_rows, n_features), `chosen` (k,) -> (n_rows, k).
        """
        features = chosen % self.n_features
        if self.knots is None:
            return X[:, features]
        values = X[:, features].astype(float, copy=False)
        low, middle, high = self.knots[:, features]
        kinds = chosen // self.n_features
        # In place: of many rows expanded columns are the largest table there is.
        values -= np.select([kinds == 1, kinds == 2, kinds == 3], [middle, high, low])
        values *= np.where(kinds == 3, -1.0, 1.0)
        np.abs(values, out=values, where=kinds == 1)
        return np.maximum(values, np.where(kinds >= 2, 0.0, -np.inf), out=values)
