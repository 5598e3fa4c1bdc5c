"""Forward selection by what a feature explains for what it costs more."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ..costs.budgets import room_of
from .arrays import Floats, Integers
from .logistic import LabelledColumns
from .multinomial import sizes

# A feature that selected ones explain to this share of its variance adds nothing.
LEAST_VARIANCE = 1e-8
LEAST_GAIN = 1e-12
_TIE = 1e-9
# Directions that stand in one array: few, or those not found yet would take room.
_AT_ONCE = 8


def forward_order(
    loss: LabelledColumns,
    incidence: sparse.csr_array,
    costs: Floats,
    budget: float = np.inf,
) -> Iterator[tuple[int, float]]:
    """Yield features in the order of least-squares gain per marginal cost.

    Features whose components are all paid for come first.

    Shapes: `incidence` (n_components, n_features), `costs` (n_components,).
    `budget`: what the selection may cost; features that do not fit are passed over.

    Notes
    -----
    Gains are exact: columns are kept orthogonal to what is selected. One pass over the
    columns for each feature yielded. Of many classes a feature gains what it explains
    of all numbers that stand for a class.
    """
    # What the intercept alone leaves: columns are centred, so it never changes again.
    residual = loss.signs - loss.shares @ loss.signs
    variance = loss.variances
    least_variance = np.maximum(LEAST_VARIANCE * variance, np.finfo(float).tiny)
    covariance = loss.gradient((loss.shares * residual.T).T)
    least_gain = LEAST_GAIN * float(np.sum(loss.shares @ residual**2))
    by_feature = sparse.csr_array(incidence.T, dtype=float)
    unpaid, spent = costs.astype(float).copy(), 0.0
    room = room_of(budget)
    open_ = loss.selectable.copy()
    directions = _Directions(loss)
    while True:
        prices = by_feature @ unpaid
        # What one more column, orthogonal to those selected, explains: its covariance
        # with the residual, squared, over its variance.
        gains = np.where(
            open_ & (variance > least_variance),
            sizes(covariance) ** 2 / np.maximum(variance, least_variance),
            0.0,
        )
        gains[spent + prices > room] = 0.0
        if not np.any(gains > least_gain):
            return
        feature = most_for_its_price(gains, prices, least_gain)
        price = float(prices[feature])
        open_[feature] = False
        spent += price
        # Its components are paid from now on: who shares them gets cheaper.
        needed = by_feature.indices[
            by_feature.indptr[feature] : by_feature.indptr[feature + 1]
        ]
        unpaid[needed] = 0.0
        yield feature, price
        q = directions.added(loss.columns[feature])
        # One step of modified Gram-Schmidt: q leaves every column, and the residual.
        projections = loss.gradient(loss.shares * q)
        explained = loss.shares @ (q * residual.T).T
        covariance = covariance - np.multiply.outer(projections, explained)
        variance = variance - projections**2
        residual = residual - np.multiply.outer(q, explained)


def most_for_its_price(
    gains: Floats, prices: Floats, least: float = 0.0, net: Floats | None = None
) -> int:
    """Return what gains most for its price; what is free and gains comes first.

    Shapes: `gains`, `prices` and `net` (n_features,).
    `least`: what gains no more than this is not taken for being free.
    `net`: what is paid for, where that is not all of the gain.
    """
    free = (prices == 0) & (gains > least)
    if free.any():
        worth = np.where(free, gains, 0.0)
    else:
        paid_for = gains if net is None else net
        worth = paid_for / np.where(prices > 0, prices, np.inf)
    # The first of equals, whatever rounding says.
    return int(np.flatnonzero(worth >= (1.0 - _TIE) * worth.max())[0])


class _Directions:
    """An orthonormal basis of the columns that are selected."""

    def __init__(self, loss: LabelledColumns) -> None:
        self._shares = loss.shares
        # In the columns' own precision: mixed products copy all that they take.
        self._dtype = loss.columns.dtype
        # In blocks, (_AT_ONCE, n_samples) each: one array would be copied to grow.
        self._blocks: list[NDArray] = []
        self._n = 0

    def added(self, column: NDArray) -> Floats:
        """Return a column's direction beside the earlier ones, and keep it.

        Shapes: `column` (n_samples,) -> (n_samples,).
        """
        q = column.astype(float)
        for _ in range(2):  # twice is enough (Kahan)
            weighted = (self._shares * q).astype(self._dtype, copy=False)
            q = q - sum((block @ weighted) @ block for block in self._blocks)
        q = q / np.sqrt(float(self._shares @ q**2))
        place = self._n % _AT_ONCE
        if place == 0:
            self._blocks.append(np.zeros((_AT_ONCE, len(q)), dtype=self._dtype))
        self._blocks[-1][place] = q
        self._n += 1
        return q


def least_squares(loss: LabelledColumns, chosen: Integers) -> tuple[Floats, Any]:
    """Return the weighted least-squares fit of the signs on some features.

    Shapes: `chosen` (k,) -> `weights` (n_features,), of many classes (n_features,
    n_outputs).
    `weights`: on scaled, centred columns.
    """
    # Weighted least squares is the plain one on rows times the roots of their weights.
    roots = np.sqrt(loss.shares)
    mean = loss.shares @ loss.signs
    weights = np.zeros((loss.n_features, *loss.signs.shape[1:]))
    if len(chosen):
        table = (loss.columns[chosen] * roots).T
        wanted = ((loss.signs - mean).T * roots).T
        weights[chosen] = np.linalg.lstsq(table, wanted)[0]
    return weights, mean
