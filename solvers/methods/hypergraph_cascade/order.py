"""In which order columns are bought: most explained per marginal cost first."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from scipy import sparse

from ...numerics.arrays import Floats, Integers, Mask
from ...numerics.forward import LEAST_GAIN, LEAST_VARIANCE, most_for_its_price
from .rows import WeightedRows

# Ridge for each row, on columns of variance one.
_RIDGE = 1e-3
# So many seeds of a block are looked into: best alone, and best with what they unlock.
_SEEDS = 8


@dataclass(frozen=True, eq=False)
class ColumnOrder:
    """Columns in the order in which they are bought."""

    columns: Integers  # (k,) The columns; those that explain nothing are left out
    spent: Floats  # (k,) What a row has paid once it has each
    # (k,) Whether a stage may end behind each: where the next one costs something, and
    # for blocks where one ends
    ends: Mask


class Purchases:
    """What is bought, what the rest would explain, and what it would cost.

    Everything is read off one Gram matrix, from which bought columns are swept out:
    O(n_columns^2) a purchase.

    Shapes: `table` (n_rows, n_columns), `needs` (n_columns, n_components), `unpaid`
    (n_components,).
    `is_exact`: whether gains are those of least squares, as in forward selection;
    otherwise a small ridge is added, and what noise would explain is taken off.
    """

    def __init__(
        self,
        table: Floats,
        rows: WeightedRows,
        needs: sparse.csr_array,
        unpaid: Floats,
        is_exact: bool = False,
    ) -> None:
        shares = rows.shares
        centre = shares @ table
        scaled = table - centre
        deviation = np.sqrt(np.einsum("i,ij,ij->j", shares, scaled, scaled))
        self.is_open = deviation > 1e-12 * np.maximum(1.0, np.abs(centre))
        scaled /= np.where(self.is_open, deviation, 1.0)
        targets, root = rows.targets(), np.sqrt(shares)[:, np.newaxis]
        scaled *= root
        self.gram = scaled.T @ scaled
        if not is_exact:
            self.gram[np.diag_indices_from(self.gram)] += _RIDGE
        self.slopes = scaled.T @ (root * targets)
        self.rest = float(shares @ (targets**2).sum(axis=1))
        self.noise = 0.0 if is_exact else 1.0 / rows.weights.sum()
        self._least_gain = LEAST_GAIN * self.rest
        self.needs, self.unpaid = needs, unpaid.astype(float).copy()
        self.bought: list[int] = []
        self.prices_paid: list[float] = []

    def prices(self) -> Floats:
        """Return what each column would cost more, shape (n_columns,)."""
        return self.needs @ self.unpaid

    def gains(self) -> Floats:
        """Return what each column would explain, shape (n_columns,)."""
        variance = np.diag(self.gram)
        usable = self.is_open & (variance > LEAST_VARIANCE)
        # Least squares: what column j alone explains of the rest is |g_j|^2 / G_jj.
        explained = (self.slopes**2).sum(axis=1) / np.where(usable, variance, 1.0)
        return np.where(usable & (explained > self._least_gain), explained, 0.0)

    def beyond_noise(self, gains: Floats) -> Floats:
        """Return gains over what one column of noise would explain.

        As they are where none is better than noise, so that an order goes on.
        """
        # One degree of freedom of noise explains rest / n on average.
        net = gains - self.rest * self.noise
        return np.maximum(net, 0.0) if (net > 0.0).any() else gains

    def buy(self, column: int) -> None:
        """Take a column, and sweep it out of the others."""
        self.prices_paid.append(float(self.prices()[column]))
        self.bought.append(column)
        self.is_open[column] = False
        # The sweep operator: G - G_j G_j' / G_jj is what this column leaves of others.
        pivot = self.gram[column, column]
        factor, slope = self.gram[:, column] / pivot, self.slopes[column].copy()
        self.rest -= float(slope @ slope) / pivot
        self.slopes -= np.outer(factor, slope)
        self.gram -= np.outer(factor, self.gram[column].copy())
        self.unpaid[self.components(column)] = 0.0

    def components(self, column: int) -> Integers:
        """Return the components that a column needs."""
        begin, end = self.needs.indptr[column : column + 2]
        return self.needs.indices[begin:end]

    def best(self) -> int | None:
        """Return the column of most gain per price, a free one first.

        None where nothing is left that explains anything.
        """
        gains = self.gains()
        if not gains.any():
            return None
        net = self.beyond_noise(gains)
        return most_for_its_price(gains, self.prices(), net=net)

    def unlocked(self, columns: Integers) -> Mask:
        """Return which open columns some columns would make cheaper, (n_columns,)."""
        paid = np.zeros_like(self.unpaid)
        for column in columns:
            needed = self.components(int(column))
            paid[needed] = self.unpaid[needed]
        return (self.needs @ paid > 0) & self.is_open


class ValuedPurchases(Purchases):
    """Columns whose worth is known beforehand, and that explain nothing of each other.

    Sweeping a diagonal Gram matrix changes no other column: the same searches serve.
    """

    def __init__(self, values: Floats, needs: sparse.csr_array, unpaid: Floats) -> None:
        self.is_open = values > 0.0
        self.gram = np.eye(len(values))
        self.slopes = np.sqrt(values)[:, np.newaxis]
        self.rest, self.noise = float(values.sum()), 0.0
        self._least_gain = 0.0
        self.needs, self.unpaid = needs, unpaid.astype(float).copy()
        self.bought, self.prices_paid = [], []


def forward_order(purchases: Purchases) -> ColumnOrder:
    """Buy one column after the other."""
    while (column := purchases.best()) is not None:
        purchases.buy(column)
    return _order(purchases, None)


def block_order(purchases: Purchases) -> ColumnOrder:
    """Buy blocks: a column, and what it makes cheaper for as long as that pays.

    A block begins at the seed whose block explains most for its price, and grows while
    the sum of gains over the sum of prices rises.
    """
    ends = []
    while (column := purchases.best()) is not None:
        block = [column]
        if purchases.prices()[column] > 0:
            grown = [_grown(purchases, seed) for seed in _seeds(purchases)]
            block = max(grown, key=lambda found: found[1])[0]
        for member in block:
            purchases.buy(member)
        ends.append(len(purchases.bought) - 1)
    return _order(purchases, ends)


def _seeds(purchases: Purchases) -> Iterator[int]:
    gains = purchases.beyond_noise(purchases.gains())
    prices = purchases.prices()
    alone = np.where(gains > 0, gains / np.where(prices > 0, prices, 1.0), 0.0)
    needed = purchases.needs.astype(bool).astype(float)
    unpaid = (purchases.unpaid > 0).astype(float)
    # What a column shares with others, roughly: gains are summed over components.
    sharing = needed @ (unpaid * (needed.T @ gains))
    together = np.where(gains > 0, sharing / np.where(prices > 0, prices, 1.0), 0.0)
    ranked = [np.argsort(-worth, kind="stable")[:_SEEDS] for worth in (alone, together)]
    for seed in dict.fromkeys(np.concatenate(ranked).tolist()):
        if gains[seed] > 0:
            yield int(seed)


def _grown(purchases: Purchases, seed: int) -> tuple[list[int], float]:
    """Return the block of a seed, and what it explains per price."""
    members = np.flatnonzero(purchases.unlocked(np.array([seed])))
    members = np.append(members[members != seed], seed)
    gram = purchases.gram[np.ix_(members, members)].copy()
    slopes = purchases.slopes[members].copy()
    needs, unpaid = purchases.needs[members], purchases.unpaid.copy()
    noise = purchases.rest * purchases.noise
    block, gain, price, ratio = [], 0.0, 0.0, -np.inf
    is_open = np.ones(len(members), dtype=bool)
    pick = len(members) - 1
    while True:
        variance = np.maximum(np.diag(gram), LEAST_VARIANCE)
        gains = (slopes**2).sum(axis=1) / variance - noise
        prices = needs @ unpaid
        gain, price = gain + float(gains[pick]), price + float(prices[pick])
        ratio = gain / price
        block.append(int(members[pick]))
        is_open[pick] = False
        unpaid[purchases.components(block[-1])] = 0.0
        factor, slope = gram[:, pick] / variance[pick], slopes[pick].copy()
        slopes -= np.outer(factor, slope)
        gram -= np.outer(factor, gram[pick].copy())
        variance = np.diag(gram)
        usable = is_open & (variance > LEAST_VARIANCE)
        gains = (slopes**2).sum(axis=1) / np.where(usable, variance, 1.0) - noise
        # The block grows while gain over price of the whole block rises.
        reached = np.where(usable, (gain + gains) / (price + needs @ unpaid), -np.inf)
        pick = int(np.argmax(reached))
        if reached[pick] <= ratio:
            return block, ratio


def _order(purchases: Purchases, ends: list[int] | None) -> ColumnOrder:
    prices = np.array(purchases.prices_paid)
    may_end = np.ones(len(prices), dtype=bool)
    may_end[:-1] = prices[1:] > 0
    if ends is not None:
        is_block_end = np.zeros(len(prices), dtype=bool)
        is_block_end[ends] = True
        may_end &= is_block_end
    return ColumnOrder(
        np.array(purchases.bought, dtype=np.int64), np.cumsum(prices), may_end
    )
