"""What rows cost, and what may be promised of as many others."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from typing import Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray
from scipy.stats import betabinom, t

from .errors import ThriftscopeError, shown

__all__ = ["Accounting", "RowCosts", "accounts", "check_accounting"]

#: What is counted of the cost over rows.
Accounting: TypeAlias = Literal["mean", "p95", "max"]


def check_accounting(accounting: str) -> None:
    """Refuse an accounting that there is not."""
    if accounting not in get_args(Accounting):
        raise ThriftscopeError(
            f'The accounting is {shown(accounting)}; use "mean", "p95" or "max".'
        )


def accounts(
    costs: NDArray[np.float64], weight: NDArray[np.float64] | None = None
) -> dict[str, float]:
    """Return the cost over rows under every accounting.

    `weight`: how much each row counts; .95 of the weight then stays within "p95".
    """
    within = (
        np.quantile(costs, 0.95)
        if weight is None
        else np.quantile(costs, 0.95, weights=weight, method="inverted_cdf")
    )
    return {
        # Rounding must not make a mean costlier than the costliest row.
        "mean": float(min(np.average(costs, weights=weight), costs.max())),
        "p95": float(within),
        "max": float(costs.max()),
    }


@dataclass(frozen=True, eq=False)
class RowCosts:
    """What each of some rows costs."""

    costs: NDArray[np.float64]  # (n_rows,) What each row paid
    most: float  # What a row pays that acquires all that any of them acquired
    # (n_rows,) How much each row counts; None where all count the same
    weight: NDArray[np.float64] | None = None

    def bound(self, accounting: Accounting, confidence: float) -> float:
        """Return what as many other rows stay within, with a confidence.

        Of the mean Student's prediction bound; of the 95th percentile and of the worst
        row the order statistic of these rows that bounds it whatever the distribution
        (Fligner and Wolfe, 1976). Where no row is costly enough for that, and at most,
        what a row pays that acquires everything. Rows that all cost the same do so
        under every confidence.

        Rows of unequal weights say as much as fewer rows of equal ones would: as their
        effective number (L. Kish, Survey sampling, 1965). The worst row is one of all.
        """
        costs, weight = self.costs, self.weight
        low, high = float(costs.min()), float(costs.max())
        if low == high:
            return high
        if accounting == "mean":
            # The means of these rows and of the others both vary.
            n, mean = self._effective_number(), float(np.average(costs, weights=weight))
            variance = float(np.average((costs - mean) ** 2, weights=weight))
            deviation = math.sqrt(2.0 * variance / (n - 1.0))
            return min(mean + _quantile(n, confidence) * deviation, self.most)
        if accounting == "max" or weight is None:
            rank = _rank(len(costs), 0.95 if accounting == "p95" else 1.0, confidence)
            return self.most if rank is None else float(np.partition(costs, rank)[rank])
        n_whole = math.floor(self._effective_number())
        rank = _rank(n_whole, 0.95, confidence)
        if rank is None:
            return self.most
        share = (rank + 1) / n_whole
        return float(np.quantile(costs, share, weights=weight, method="inverted_cdf"))

    def _effective_number(self) -> float:
        if self.weight is None:
            return float(len(self.costs))
        return float(self.weight.sum() ** 2 / (self.weight @ self.weight))


@cache
def _quantile(n_rows: float, confidence: float) -> float:
    return float(t.ppf(confidence, n_rows - 1))


@cache
def _rank(n_rows: int, share: float, confidence: float) -> int | None:
    """Return which of the sorted rows bounds a quantile of as many others.

    None where none does with the confidence asked for.
    """
    # What a quantile between two rows does not exceed.
    wanted = math.ceil(share * (n_rows - 1)) + 1
    ranks = np.arange(1, n_rows + 1)
    # How many of the others lie below the r-th of these is beta-binomial.
    sure = betabinom.sf(wanted - 1, n_rows, ranks, n_rows - ranks + 1) >= confidence
    return int(np.argmax(sure)) if sure.any() else None
