"""How likely what is bought is in each class, and within each pattern of a parent."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import expit, ndtr, ndtri

from ...numerics.arrays import Floats, Integers
from ...numerics.cuts import QuantileBins

_BINS = 32  # of a column of numbers, about equally full
_PRIOR = 0.5  # rows of every class in every pattern, before any is seen
_ROUNDS = 20
_LEAST_SPREAD = 1e-3


@dataclass(frozen=True, eq=False)
class Parent:
    """Columns whose values, or halves of one column, are the patterns of rows."""

    columns: Integers  # (k,) Empty where there is no parent
    centres: Floats  # (n_patterns, k) A row is of the nearest
    is_told: bool  # whether nothing more is in the columns once the pattern is known

    def of(self, rows: Floats) -> Integers:
        """Return the pattern of each row, (n_rows,)."""
        if not len(self.columns):
            return np.zeros(len(rows), dtype=int)
        gaps = rows[:, np.newaxis, self.columns] - self.centres
        return (gaps**2).sum(axis=2).argmin(axis=1)


NO_PARENT = Parent(np.empty(0, dtype=int), np.empty((1, 0)), True)


class Scale:
    """Bins of every column, and where they lie were all rows normal."""

    def __init__(self, X: Floats, weights: Floats) -> None:
        self._bins = QuantileBins.fit(X, weights, _BINS)
        self.n_bins = self._bins.n_bins
        self.codes = self._bins.transform
        codes = self.codes(X)
        share = np.zeros((X.shape[1], self.n_bins))
        for j, code in enumerate(codes.T):
            share[j] = np.bincount(code, weights, self.n_bins)
        below = np.cumsum(share, axis=1) / weights.sum()
        middle = below - share / weights.sum() / 2
        edge = 0.5 / weights.sum()
        self.above = ndtri(np.clip(below, edge, 1 - edge))  # (n_columns, n_bins)
        # The last bin that a column has is open above, and so are those beyond it.
        self.above[below >= 1.0 - 1e-12] = np.inf
        self.middle = ndtri(np.clip(middle, edge, 1 - edge))

    def scores(self, codes: Integers) -> Floats:
        """Return cells as they were, were all rows normal."""
        return self.middle[np.arange(codes.shape[1]), codes]


def log_table(
    scale: Scale,
    codes: Integers,
    cell: Integers,
    weights: Floats,
    shape: tuple[int, int],
) -> Floats:
    """Return how likely each bin is in each class and pattern, as logarithms.

    Shapes: `codes` (n_rows, n_columns), `cell` (n_rows,): class times patterns plus
    pattern -> (n_columns, n_bins, n_classes, n_patterns).
    """
    n_classes, n_patterns = shape
    member = np.zeros((n_classes * n_patterns, len(codes)))
    member[cell, np.arange(len(codes))] = weights
    scores = scale.scores(codes)
    counts = member.sum(axis=1)
    sums = (member @ scores).reshape(*shape, -1)
    counts = counts.reshape(shape)[:, :, np.newaxis]
    total = np.maximum(counts.sum(axis=0), 1e-9)  # (n_patterns, 1)
    means = np.where(counts > 0, sums / np.maximum(counts, 1e-9), 0.0)
    by_pattern = member.reshape(n_classes, n_patterns, -1).sum(axis=0)
    squares = by_pattern @ scores**2  # (n_patterns, n_columns)
    within = np.maximum(squares - (counts * means**2).sum(axis=0), 0.0)
    free = np.maximum(total - (counts > 0).sum(axis=0), 1.0)
    found = _apart(means, counts, within / free + _LEAST_SPREAD)
    left = within + (counts * (means - found) ** 2).sum(axis=0)
    spread = np.sqrt(left / total + _LEAST_SPREAD)
    means = found
    edges = scale.above.T[:, np.newaxis, np.newaxis, :]
    below = ndtr((edges - means) / spread)  # (n_bins, n_classes, n_patterns, n_columns)
    likely = np.diff(below, axis=0, prepend=0.0)
    # A bin holds a little of what all rows say, whatever the class.
    share = np.diff(ndtr(scale.above), axis=1, prepend=0.0).T[:, np.newaxis, np.newaxis]
    return np.log(0.98 * likely + 0.02 * share + 1e-9).transpose(3, 0, 1, 2)


def _apart(means: Floats, counts: Floats, spread: Floats) -> Floats:
    """Return means of classes, those equal that chance alone may have parted.

    A mean is that of the column, or lies off it as one draw of a normal: how often and
    how far is what makes all means likeliest. Each is set between the two by how likely
    either is.

    Shapes: `means` (n_classes, n_patterns, n_columns), `counts` (n_classes, n_patterns,
    1), `spread`, variances within classes, (n_patterns, n_columns).
    """
    noise = spread / np.maximum(counts, 1e-9)
    is_seen = np.broadcast_to(counts > 0, means.shape)
    off, far = np.where(is_seen, 0.5, 0.0), 1.0
    often = 0.5
    for _ in range(_ROUNDS):
        weight = np.maximum(counts * (1.0 - off), 1e-3 * counts) + 1e-12
        centre = (weight * means).sum(axis=0) / weight.sum(axis=0)
        gap = (means - centre) ** 2
        slab = far * spread + noise
        odds = 0.5 * (gap / noise - gap / slab - np.log(slab / noise))
        off = np.where(is_seen, expit(odds + np.log(often / (1.0 - often))), 0.0)
        often = float(np.clip(off.sum() / max(is_seen.sum(), 1), 0.01, 0.99))
        excess = off * (gap - noise) / spread
        far = float(np.clip(excess.sum() / max(off.sum(), 1e-9), 0.01, 100.0))
    kept = off * far * spread / (far * spread + noise)
    return np.where(is_seen, centre + kept * (means - centre), centre)


def log_prior(cell: Integers, weights: Floats, shape: tuple[int, int]) -> Floats:
    """Return logarithms of the shares of rows of each class and pattern."""
    counts = np.bincount(cell, weights, shape[0] * shape[1]) + _PRIOR
    return np.log(counts / counts.sum()).reshape(shape)


def summed(table: Floats, codes: Integers, pattern: Integers) -> Floats:
    """Return the evidence of all columns, (n_rows, n_classes)."""
    said = np.zeros((len(codes), table.shape[2]))
    for j, column in enumerate(codes.T):
        said += table[j][column, :, pattern]
    return said


def class_entropy(share: Floats) -> Floats:
    """Return the entropy of the class, in nats: (n_rows, n_classes, n_patterns)."""
    classes = share.sum(axis=2)
    classes = classes / np.maximum(classes.sum(axis=1, keepdims=True), 1e-300)
    return -times_log(classes).sum(axis=1)


def times_log(share: Floats) -> Floats:
    """Return x log x, which is 0 at 0."""
    return share * np.log(np.maximum(share, 1e-300))
