"""Cutting the rows in two by a cheap feature, where two models beat one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...costs.hypergraph import FeatureHypergraph
from ...numerics.arrays import Floats, Integers, Mask
from ...numerics.cuts import weighted_quantiles
from .rows import WeightedRows

# Ridge fits read off sums of products, which add up over rows.


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


# Cutting the rows in two by a cheap feature, where two models beat one.


# A split's feature costs at most this share of all features.
_CHEAP = 0.1
# Two models must explain so much more of held-out rows than one.
_LEAST_GAIN = 0.02
# Rows of every class that each half must have.
_LEAST_ROWS = 10
_FOLDS = 3


@dataclass(frozen=True)
class FeatureCut:
    """One cut of a tree."""

    feature: int  # What is looked at
    threshold: float  # Rows at or below it go one way, others the other
    below: int  # Where to: the number of a split, or ``-1 - leaf``
    above: int


@dataclass(frozen=True)
class RoutingTree:
    """Which leaf a row belongs to."""

    # The root first; none where there is a single leaf
    splits: tuple[FeatureCut, ...] = ()
    # For each leaf the features that lead to it
    paths: tuple[tuple[int, ...], ...] = ((),)

    @property
    def n_leaves(self) -> int:
        """How many leaves there are."""
        return len(self.paths)

    def leaves(self, X: Floats) -> Integers:
        """Return the leaf of each row; only features on its way are looked at.

        Shapes: `X` (n_rows, n_features) -> (n_rows,).
        """
        at = np.full(len(X), 0 if self.splits else -1)
        for number, split in enumerate(self.splits):
            here = at == number
            is_below = X[here, split.feature] <= split.threshold
            at[here] = np.where(is_below, split.below, split.above)
        return -1 - at


def grow_tree(
    rows: WeightedRows,
    hypergraph: FeatureHypergraph,
    depth: int,
    random_state: int | None,
) -> RoutingTree:
    """Return the tree of median splits that explain held-out rows better."""
    growing = _Growing(hypergraph, random_state)
    growing.grow(rows, depth, ())
    return RoutingTree(tuple(growing.splits.values()), tuple(growing.paths))


class _Growing:
    """Splits and leaves so far."""

    def __init__(self, hypergraph: FeatureHypergraph, random_state: int | None) -> None:
        self.hypergraph, self.random_state = hypergraph, random_state
        self.splits: dict[int, FeatureCut] = {}
        self.paths: list[tuple[int, ...]] = []

    def grow(self, rows: WeightedRows, depth: int, path: tuple[int, ...]) -> int:
        """Add what rows need, and return its number."""
        found = self._best_split(rows, path) if depth else None
        if found is None:
            self.paths.append(path)
            return -len(self.paths)
        feature, threshold = found
        number = len(self.splits)
        self.splits[number] = FeatureCut(feature, threshold, 0, 0)  # keeps its place
        is_below = rows.X[:, feature] <= threshold
        way = path if feature in path else (*path, feature)
        self.splits[number] = FeatureCut(
            feature,
            threshold,
            self.grow(rows.part(is_below), depth - 1, way),
            self.grow(rows.part(~is_below), depth - 1, way),
        )
        return number

    def _best_split(
        self, rows: WeightedRows, path: tuple[int, ...]
    ) -> tuple[int, float] | None:
        prices = self.hypergraph.marginal_costs(paid_components(self.hypergraph, path))
        cheap = prices <= _CHEAP * self.hypergraph.total_cost
        test = rows.folds(_FOLDS, self.random_state) == 0
        if test.all() or not test.any():
            return None
        halves = _Halves(rows, test)
        best, found = _LEAST_GAIN, None
        for feature in np.flatnonzero(cheap):
            column = rows.X[:, feature]
            threshold = float(weighted_quantiles(column, rows.weights, 0.5))
            is_below = column <= threshold
            if not all(
                _is_enough(rows, half & ~test) for half in (is_below, ~is_below)
            ):
                continue
            gain = halves.gain(is_below)
            if gain > best:
                best, found = gain, (int(feature), threshold)
        return found


class _Halves:
    """How much more of held-out rows two models explain than one."""

    def __init__(self, rows: WeightedRows, test: Mask) -> None:
        self.table, self.weights, self.test = standardised(rows), rows.weights, test
        self.n_columns = rows.X.shape[1]
        self.all = [self._moments(part) for part in (~test, test)]
        self.one = ridge_error(*self.all)
        self.spread = total_spread(self.all[1])

    def _moments(self, chosen: Mask) -> Moments:
        return Moments.of(self.table[chosen], self.weights[chosen], self.n_columns)

    def gain(self, is_below: Mask) -> float:
        """Return the share of the spread that is explained by two models only."""
        # Only the smaller half is summed: the other one is the rest.
        is_below = is_below if 2 * is_below.sum() <= len(is_below) else ~is_below
        half = [self._moments(is_below & part) for part in (~self.test, self.test)]
        rest = [whole - part for whole, part in zip(self.all, half, strict=True)]
        # Held-out R² of two models less that of one.
        return (self.one - ridge_error(*half) - ridge_error(*rest)) / self.spread


def paid_components(hypergraph: FeatureHypergraph, features: Sequence[int]) -> Mask:
    """Return the components that are there once some features are computed.

    Shape: (n_components,).
    """
    computed = np.zeros(hypergraph.n_features, dtype=bool)
    computed[list(features)] = True
    return hypergraph.required_components(computed)


def _is_enough(rows: WeightedRows, chosen: Mask) -> bool:
    counts = np.bincount(rows.labels[chosen], minlength=rows.n_classes)
    return bool(counts.min() >= _LEAST_ROWS)
