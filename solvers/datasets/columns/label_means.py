"""Means of the label for each value of a column, drawn towards the mean of all rows.

The smoothing is the empirical Bayes estimate of scikit-learn's ``TargetEncoder``, which
takes no weights: here a row of weight two is a row written twice.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...arrays import Floats, Integers
from ...errors import DataError
from ...inner_folds import deal_folds, left_out, stratified

_FOLDS = 2


def counted_rows(sample_weight: Any, n_rows: int) -> Floats:
    """Return how many rows each row counts, shape (n_rows,)."""
    if sample_weight is None:
        return np.ones(n_rows)
    weights = np.asarray(sample_weight, dtype=float)
    is_fit = weights.shape == (n_rows,) and np.isfinite(weights).all()
    if not is_fit or (weights < 0).any() or not weights.any():
        least = f" from {weights.min():g}" if weights.size else ""
        raise DataError(
            f"There are {n_rows} rows, and weights of shape {weights.shape}{least}; "
            "give each a finite weight of 0 or more, one of them above 0."
        )
    # Of shares of the whole every value would be rare.
    return weights * max(1.0, 1.0 / weights[weights > 0].mean())


class LabelledCounts:
    """Labels of rows, how many rows each of them counts, and folds of them.

    Shapes: `y`, `counts`, above 0, and `groups` (n_rows,).
    `groups`: which rows belong together; no fold tears a group.
    """

    def __init__(self, y: Any, counts: Floats, groups: Integers | None) -> None:
        classes, codes = np.unique(np.asarray(y), return_inverse=True)
        # Of two classes the share of the second says all.
        outputs = np.arange(1, 2) if len(classes) <= 2 else np.arange(len(classes))
        self._targets: Floats = (codes[:, np.newaxis] == outputs).astype(float)
        self._codes, self._counts, self._groups = codes, counts, groups

    def means(self, levels: Integers, n_levels: int) -> Floats:
        """Return what each value of a column becomes, the mean of all if no row has it.

        Shapes: `levels`, the place of each row's value, (n_rows,) -> (n_levels,
        n_outputs): one output for two classes, one a class for more.
        """
        return self._means(levels, n_levels, np.arange(len(levels)))

    def crossed(self, levels: Integers, n_levels: int) -> Floats:
        """Return what rows become by the other rows' labels, (n_rows, n_outputs)."""
        folds = deal_folds(
            self._codes,
            _FOLDS,
            0,
            self._groups,
            freely=stratified,
            keep_classes=False,
        )
        encoded = np.empty((len(levels), self._targets.shape[1]))
        for learned, held in left_out(folds):
            encoded[held] = self._means(levels, n_levels, learned)[levels[held]]
        return encoded

    def _means(self, levels: Integers, n_levels: int, rows: Integers) -> Floats:
        if not len(rows):  # of one group there are no others: nothing is told
            share = self._counts @ self._targets / self._counts.sum()
            return np.tile(share, (n_levels, 1))
        at, counts = levels[rows], self._counts[rows]
        return np.column_stack(
            [_smoothed(at, n_levels, of[rows], counts) for of in self._targets.T]
        )


def _smoothed(
    levels: Integers, n_levels: int, target: NDArray[np.float64], counts: Floats
) -> Floats:
    """Return the mean of a target at each level, drawn towards that of all rows.

    Shapes: `levels`, `target` and `counts` (n_rows,) -> (n_levels,).
    """
    total = counts.sum()
    mean = float(counts @ target) / total
    variance = float(np.sum(counts * (target - mean) ** 2)) / total
    n_rows = np.bincount(levels, counts, n_levels)
    with np.errstate(invalid="ignore"):  # 0 / 0 where no row is, or all are alike
        means = np.bincount(levels, counts * target, n_levels) / n_rows
        squares = np.bincount(levels, counts * (target - means[levels]) ** 2, n_levels)
        # Micci-Barreca 2001, eqs. (5) and (6).
        trust = variance * n_rows / (variance * n_rows + squares / n_rows)
        smoothed = trust * means + (1 - trust) * mean
    return np.where(np.isnan(trust), mean, smoothed)
