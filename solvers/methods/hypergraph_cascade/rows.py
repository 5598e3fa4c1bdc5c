"""Training rows in canonical form, and what the models of the stages see of them."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_random_state

from ...numerics.arrays import Floats, Integers
from ...numerics.cuts import weighted_quantiles
from ...numerics.distinct_rows import merged_rows
from ...numerics.inner_folds import deal_folds, in_turn

_FEWEST = 10  # of a class, where rows are drawn


@dataclass(frozen=True, eq=False)
class WeightedRows:
    """Labelled rows with weights."""

    X: Floats  # (n_rows, n_features) The rows
    labels: Integers  # (n_rows,) Codes of the classes, from 0
    weights: Floats  # (n_rows,) Above 0
    n_classes: int  # How many classes there are
    groups: Integers | None = None  # (n_rows,) Which rows belong together

    @property
    def shares(self) -> Floats:
        """Weights that sum to one, shape (n_rows,)."""
        return self.weights / self.weights.sum()

    def part(self, chosen: NDArray) -> WeightedRows:
        """Return some of the rows."""
        return WeightedRows(
            self.X[chosen],
            self.labels[chosen],
            self.weights[chosen],
            self.n_classes,
            None if self.groups is None else self.groups[chosen],
        )

    def folds(self, n_folds: int, random_state: int | None) -> Integers:
        """Return the fold of each row, -1 where it is never left out, (n_rows,)."""
        return deal_folds(
            self.labels, n_folds, random_state, self.groups, freely=in_turn
        )

    def without_columns(self) -> WeightedRows:
        """Return labels and weights alone: parts of them copy no columns."""
        return replace(self, X=np.empty((len(self.X), 0)))

    def targets(self) -> Floats:
        """Return centred codes of the classes.

        Shape: (n_rows, n_outputs).
        One column of +1 and -1 for two classes, one column a class for more.
        """
        if self.n_classes == 2:
            codes = 2.0 * self.labels[:, np.newaxis] - 1.0
        else:
            codes = np.eye(self.n_classes)[self.labels]
        return np.asarray(codes - self.shares @ codes)


def distinct_rows(
    X: Floats, labels: Integers, weights: Floats, groups: Integers | None = None
) -> WeightedRows:
    """Sort rows, and add up the weights of those that agree in columns and label.

    Shapes: `X` (n_samples, n_features), `labels`, `weights` and `groups` (n_samples,).
    Copies of a row are one row, so that they never part between folds; where rows
    belong to groups, copies of one group are.
    """
    rows, codes, summed, together = merged_rows(X, labels, weights, groups)
    n_classes = int(labels.max()) + 1
    return WeightedRows(rows, codes.astype(np.int64), summed, n_classes, together)


def drawn_rows(
    labels: Integers, most: int | None, random_state: int | None
) -> Integers | None:
    """Return rows drawn by chance, each class in its share; None where all are taken.

    Shapes: `labels` (n_rows,) -> (n_drawn,), in their order.
    Of a rare class ten rows are drawn where it has them, so that it can be learned.
    """
    if most is None or len(labels) <= most:
        return None
    generator = check_random_state(random_state)
    sizes = np.bincount(labels)
    taken = np.maximum(np.rint(sizes * most / len(labels)), np.minimum(sizes, _FEWEST))
    drawn = [
        generator.permutation(np.flatnonzero(labels == label))[: int(n)]
        for label, n in enumerate(taken)
    ]
    return np.sort(np.concatenate(drawn))


# What the models of the stages see of the features: as they come, or expanded.


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
