"""Trees whose splits pay for what they read, and what is paid by then."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ...costs.hypergraph import FeatureHypergraph
from ...numerics.arrays import Floats, Integers
from ...numerics.cuts import QuantileBins

# What the next feature costs, given those that earlier splits have bought.


CostUpdate: TypeAlias = Literal["split", "tree"]


class FallingCosts:
    """Prices that fall as features are bought.

    `share`: whether a component that is paid makes its other features cheaper. Without
    it a feature costs all of its components until it is bought itself.
    `update`: when prices fall: after each split, or after each tree as published.
    """

    def __init__(
        self, hypergraph: FeatureHypergraph, share: bool, update: CostUpdate
    ) -> None:
        self._hypergraph = hypergraph
        self._share = share
        self._update = update
        self.bought = np.zeros(hypergraph.n_features, dtype=bool)
        # Prices before anything is bought: every feature by itself.
        self.current = hypergraph.marginal_costs()

    def buy(self, feature: int) -> None:
        """Note that a split asks a feature."""
        if not self.bought[feature]:
            self.bought[feature] = True
            if self._update == "split":
                self._refresh()

    def end_tree(self) -> None:
        """Note that a tree is complete."""
        if self._update == "tree":
            self._refresh()

    def _refresh(self) -> None:
        paid = self._hypergraph.required_components(self.bought)
        if self._share:
            self.current = self._hypergraph.marginal_costs(paid)
        else:
            alone = self._hypergraph.marginal_costs()
            self.current = np.where(self.bought, 0.0, alone)


# Regression trees on binned columns, whose splits must be worth their price.


# The first of equals, whatever rounding says.
_TIE = 1e-9


@dataclass(frozen=True, eq=False)
class FixedDepthTree:
    """A tree of fixed depth; a node that does not split sends rows left."""

    # (2 ** levels - 1,) The feature that each node asks, level by level; -1 where it
    # does not split
    features: Integers
    thresholds: Floats  # (2 ** levels - 1,) A row whose value is above goes right
    # (n_rows,) At which of the 2 ** levels leaves each training row ends
    leaf: Integers


class BinnedTable:
    """Binned columns, and sums of rows over bins.

    Shapes: `X` (n_rows, n_features), `shares` (n_rows,).
    """

    def __init__(self, X: Floats, shares: Floats, n_bins: int) -> None:
        self.shares = shares
        self.n_features = X.shape[1]
        self._bins = QuantileBins.fit(X, shares, n_bins)
        self.n_bins = self._bins.n_bins
        self.binned = self._bins.transform(X)
        # Feature by feature, so that sums of a feature lie together.
        offsets = np.arange(self.n_features)[:, np.newaxis] * self.n_bins
        self._place = np.ascontiguousarray(self.binned.T) + offsets
        # Sums are taken often: their tables are made once.
        self._shifted = np.empty_like(self._place)
        self._spread = np.empty(self._place.shape)
        self._width = self.n_features * self.n_bins

    def threshold(self, feature: int, cut: int) -> float:
        """Return the value up to which rows lie in bins 0 to `cut`."""
        return float(self._bins.edges[feature][cut])

    def sums(self, values: Floats, node: Integers, n_nodes: int) -> Floats:
        """Return sums of values over the rows of each node, feature and bin.

        Shapes: `values` (n_rows,), `node` (n_rows,) -> (n_nodes, n_features, n_bins).
        """
        np.add(self._place, node * self._width, out=self._shifted)
        self._spread[:] = values
        place, spread = self._shifted.ravel(), self._spread.ravel()
        summed: NDArray = np.bincount(place, spread, n_nodes * self._width)
        return summed.reshape(n_nodes, self.n_features, self.n_bins)


def split_gains(weight: Floats, total: Floats, least: float) -> Floats:
    """Return by how much each cut lowers the squared error.

    With weights W and sums of residuals S: ``S_L^2 / W_L + S_R^2 / W_R - S^2 / W``.

    Shapes: `weight, total` (n_nodes, n_features, n_bins) -> (n_nodes, n_features,
    n_bins).
    For the cut behind each bin; minus infinity where a side is too light.
    `weight, total`: weight of the rows in each bin, and sum of their weighted
    residuals.
    """
    left_weight, left = np.cumsum(weight, axis=2), np.cumsum(total, axis=2)
    all_weight, all_ = left_weight[:, :, -1:], left[:, :, -1:]
    right_weight, right = all_weight - left_weight, all_ - left
    # A hair less, so that rounding of the sums does not decide.
    allowed = np.minimum(left_weight, right_weight) >= least * (1.0 - _TIE)
    gains = (
        left**2 / np.where(allowed, left_weight, 1.0)
        + right**2 / np.where(allowed, right_weight, 1.0)
        - all_**2 / np.maximum(all_weight, least)
    )
    return np.where(allowed, gains, -np.inf)


def sum_of_gains(
    table: BinnedTable, outputs: Floats, weight: Floats, node: Integers, least: float
) -> Floats:
    """Return what each cut gains in all outputs, (n_nodes, n_features, n_bins).

    Shapes: `outputs` (n_outputs, n_rows), `weight` (n_nodes, n_features, n_bins).
    """
    totals = (table.sums(table.shares * one, node, len(weight)) for one in outputs)
    first, *others = (split_gains(weight, total, least) for total in totals)
    for gains in others:
        first += gains
    return first


def grow_tree(
    table: BinnedTable,
    residuals: Floats,
    prices: FallingCosts,
    alpha: float,
    levels: int,
    least: float,
) -> FixedDepthTree:
    """Return a tree whose splits gain more than `alpha` times what they buy.

    Shapes: `residuals` (n_rows,) or (n_rows, n_outputs).
    A split of several outputs gains what it gains in all of them together.
    """
    outputs = residuals.reshape(len(residuals), -1).T
    features = np.full(2**levels - 1, -1)
    thresholds = np.full(2**levels - 1, np.inf)
    node = np.zeros(len(residuals), dtype=np.int64)
    for level in range(levels):
        n_nodes = 2**level
        weight = table.sums(table.shares, node, n_nodes)
        gains = sum_of_gains(table, outputs, weight, node, least)
        cuts = np.full(n_nodes, table.n_bins)
        asked = np.zeros(n_nodes, dtype=np.int64)
        # The node that gains most buys first: others then find its feature paid.
        for k in np.argsort(-gains.max(axis=(1, 2)), kind="stable"):
            feature, cut = _best(gains[k], alpha * prices.current)
            if feature < 0:
                continue
            prices.buy(feature)
            asked[k], cuts[k] = feature, cut
            features[n_nodes - 1 + k] = feature
            thresholds[n_nodes - 1 + k] = table.threshold(feature, cut)
        rows = np.arange(len(node))
        node = 2 * node + (table.binned[rows, asked[node]] > cuts[node])
    prices.end_tree()
    return FixedDepthTree(features, thresholds, node)


def _best(gains: NDArray, charges: NDArray) -> tuple[int, int]:
    """Return the feature and cut of the largest gain after its charge, or -1, -1."""
    # The miser's impurity: squared error saved, less λ times what the feature adds.
    net = gains - charges[:, np.newaxis]
    largest = float(net.max())
    if largest <= _TIE * max(float(gains.max()), 0.0):
        return -1, -1
    place = int(np.flatnonzero(net.ravel() >= largest - _TIE * abs(largest))[0])
    return divmod(place, net.shape[1])
