"""Training rows in canonical form: a weight of two is a row written twice."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from .arrays import Floats, Integers
from .multinomial import class_corners

# Ratios of weights are rounded to so many decimals, so that equal tables are equal to
# the last bit and every step that follows is the same.
_DECIMALS = 9


@dataclass(frozen=True, eq=False)
class DistinctRows:
    """Distinct labelled rows in sorted order, with their share of the weight."""

    X: Floats  # (n_rows, n_features) The rows, sorted
    signs: Floats  # (n_rows,) +1 and -1; of many classes their codes
    shares: Floats  # (n_rows,) Weights that sum to one
    groups: Integers | None = None  # (n_rows,) Which rows belong together
    n_classes: int = 2  # Of more than two `signs` are codes

    @classmethod
    def of(
        cls,
        X: Floats,
        signs: NDArray,
        weights: Floats,
        groups: Integers | None = None,
        n_classes: int = 2,
    ) -> DistinctRows:
        """Sort rows, and add up the weights of those that agree in all columns.

        Shapes: `X` (n_samples, n_features), `signs`, `weights` and `groups`
        (n_samples,).
        Rows of different groups stay apart.
        """
        rows, labels, summed, together = merged_rows(X, signs, weights, groups)
        ratios = np.round(summed / summed.min(), _DECIMALS)
        return cls(rows, labels, ratios / ratios.sum(), together, n_classes)

    @property
    def n_rows(self) -> int:
        """Number of distinct rows."""
        return len(self.signs)

    @property
    def weights(self) -> Floats:
        """The shares as weights that average to one, shape (n_rows,)."""
        return self.shares * self.n_rows

    @property
    def codes(self) -> Integers:
        """Codes of the classes, shape (n_rows,)."""
        told = self.signs > 0 if self.n_classes == 2 else self.signs
        return np.asarray(told).astype(np.int64)

    @property
    def targets(self) -> Floats:
        """What stands for the classes, (n_rows,) or (n_rows, n_classes - 1).

        Signs of two; of more, corners of their simplex.
        """
        if self.n_classes == 2:
            return self.signs
        return class_corners(self.n_classes)[self.codes]

    def part(self, chosen: NDArray) -> DistinctRows:
        """Return some of the rows, their shares summing to one.

        Shapes: `chosen` (n_rows,).
        """
        shares = self.shares[chosen]
        signs, n_classes = self.signs[chosen], self.n_classes
        shares = shares / shares.sum()
        return DistinctRows(self.X[chosen], signs, shares, n_classes=n_classes)


def merged_rows(
    X: Floats, labels: NDArray, weights: Floats, groups: Integers | None = None
) -> tuple[Floats, Floats, Floats, Integers | None]:
    """Sort labelled rows, and add up the weights of those that agree in all columns.

    Shapes: `X` (n_samples, n_features), `labels`, `weights` and `groups` (n_samples,)
    -> `X` (n_distinct, n_features), `labels`, `weights` and `groups` (n_distinct,).
    `groups`: whole numbers; rows of different groups stay apart.
    """
    if groups is not None:  # one column more to agree in, which decides last
        marked, told, summed, _ = merged_rows(
            np.column_stack([groups, X]), labels, weights
        )
        rows = np.ascontiguousarray(marked[:, 1:])
        return rows, told, summed, marked[:, 0].astype(np.int64)
    if sparse.issparse(X):
        return *_merged_sparse_rows(sparse.csr_array(X), labels, weights), None
    order = np.lexsort([*X.T, labels])
    ranked, told = np.ascontiguousarray(X[order]), np.asarray(labels, float)[order]
    ranked += 0.0  # -0.0 is 0.0
    first = np.ones(len(ranked), dtype=bool)
    first[1:] = (ranked[1:] != ranked[:-1]).any(axis=1) | (told[1:] != told[:-1])
    summed = np.add.reduceat(weights[order], np.flatnonzero(first))
    return ranked if first.all() else ranked[first], told[first], summed, None


def _merged_sparse_rows(
    X: sparse.csr_array, labels: NDArray, weights: Floats
) -> tuple[sparse.csr_array, Floats, Floats]:
    """Sort by what is stored of each row, which is another order than the dense one."""
    X = X.copy()
    X.sum_duplicates()
    X.eliminate_zeros()
    ends = X.indptr
    keys = [
        (X.indices[a:b].tobytes(), X.data[a:b].tobytes(), float(label))
        for a, b, label in zip(ends[:-1], ends[1:], labels, strict=True)
    ]
    order = np.array(sorted(range(len(keys)), key=keys.__getitem__), dtype=int)
    first = np.ones(len(order), dtype=bool)
    first[1:] = [keys[i] != keys[j] for i, j in pairwise(order)]
    summed = np.add.reduceat(weights[order], np.flatnonzero(first))
    kept = order[first]
    return X[kept], np.asarray(labels, dtype=float)[kept], summed
