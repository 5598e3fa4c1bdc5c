"""What rows cost, and what may be promised of as many others."""

from __future__ import annotations

import math
from dataclasses import KW_ONLY, dataclass, field
from functools import cache
from typing import Literal, TypeAlias, get_args

import numpy as np
from scipy.optimize import brentq
from scipy.special import logsumexp
from scipy.stats import betabinom

from ..errors import ThriftscopeError, shown
from ..numerics.arrays import Floats

#: What is counted of the cost over rows.
Accounting: TypeAlias = Literal["mean", "p95", "max"]

_ROUNDING = 1e-9
# In how many orders rows are bet on: one alone makes much of chance.
_ORDERS = 4
# Of the capital, on one row.
_MOST_STAKED = 0.75
# Share of the largest cost to which the mean's bound is found, from above.
_CLOSE = 1e-9


def check_accounting(accounting: str) -> None:
    """Refuse an accounting that there is not."""
    if accounting not in get_args(Accounting):
        raise ThriftscopeError(
            f'The accounting is {shown(accounting)}; use "mean", "p95" or "max".'
        )


def accounts(costs: Floats, weight: Floats | None = None) -> dict[str, float]:
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

    costs: Floats  # (n_rows,) What each row paid
    _: KW_ONLY
    #: What a row can pay at most, whatever its values; infinite where it is unknown
    largest: float
    # (n_rows,) How much each row counts; None where all count the same
    weight: Floats | None = None
    _known: dict[tuple[Accounting, float], float] = field(
        default_factory=dict, init=False, repr=False
    )

    def __post_init__(self) -> None:
        dearest = float(self.costs.max())
        if dearest > self.largest * (1.0 + _ROUNDING):
            raise ThriftscopeError(
                f"A row cost {dearest:g}, and none can cost more than "
                f"{self.largest:g}; say in acquirable_features all that a row may "
                "compute."
            )
        # Sums of the same costs in another order differ in the last bit.
        object.__setattr__(self, "largest", max(self.largest, dearest))

    def bound(self, accounting: Accounting, confidence: float) -> float:
        """Return what as many other rows stay within, with a confidence.

        In so many of a hundred draws of these rows and of as many others, all drawn
        alike and apart from one another, the cost of the others stays within the bound
        that these give, whatever the distribution. It is `largest`, which holds for
        certain, where these rows can promise no less.

        Of the 95th percentile and of the worst row the bound is the order statistic of
        these rows whose number of others below is beta-binomial [1]_, which is exact;
        of the mean it is that of betting against a larger one [2]_. Other rows of
        unequal weights must weigh no more than the heaviest of these; they are promised
        nothing of their 95th percentile.

        `accounting`: what is counted of the cost over rows.
        `confidence`: at least 0.5 and less than 1.

        References
        ----------
        .. [1] Fligner and Wolfe, "Some applications of sample analogues to the
           probability integral transformation and a coverage property", 1976.
        .. [2] Waudby-Smith and Ramdas, "Estimating means of bounded random variables by
           betting", 2024, section 5: sampling without replacement.
        """
        key = accounting, confidence
        if key not in self._known:
            self._known[key] = min(self._bound(accounting, confidence), self.largest)
        return self._known[key]

    def _bound(self, accounting: Accounting, confidence: float) -> float:
        costs, weight = self.costs, self.weight
        if accounting == "mean":
            if weight is None:
                return _mean_bound(costs, self.largest, confidence)
            return _weighted_mean_bound(costs, weight, self.largest, confidence)
        if accounting == "p95" and weight is not None and np.ptp(weight) > 0:
            return self.largest
        rank = _rank(len(costs), 0.95 if accounting == "p95" else 1.0, confidence)
        return self.largest if rank is None else float(np.partition(costs, rank)[rank])


def _weighted_mean_bound(
    costs: Floats, weight: Floats, largest: float, confidence: float
) -> float:
    """Return what the weighted mean of as many other rows stays within."""
    shares = weight / weight.max()
    if shares.min() == 1.0:
        return _mean_bound(costs, largest, confidence)
    # What the others weigh is not known: a quarter of the risk is that they weigh less.
    risk = 1.0 - confidence
    light = _mean_bound(1.0 - shares, 1.0, 1.0 - risk / 4)
    return _mean_bound(costs, largest, 1.0 - 0.75 * risk, shares, 1.0 - light)


def _mean_bound(
    costs: Floats,
    largest: float,
    confidence: float,
    shares: Floats | None = None,
    others: float = 1.0,
) -> float:
    """Return what the mean cost of as many other rows stays within.

    `costs`: (n_rows,) from 0 to `largest`. `shares`: (n_rows,) weights of the rows, of
    which the heaviest is 1; `others`: what the others weigh on average, at least.

    These rows and the others are drawn from all of them together. Before each of these
    is seen, a bettor stakes on its cost lying below the mean of what is not drawn yet;
    if the others cost `bound` or more on average, no bet is in the bettor's favour, and
    the capital of 1 reaches 1 / (1 - confidence) with probability 1 - confidence at
    most. The bound is the least for which it does.
    """
    if not (math.isfinite(largest) and costs.min() < largest):
        return largest
    n = len(costs)
    # Places, whatever stands there: by their costs rows would come in no fair order.
    places = np.tile(np.arange(n), (_ORDERS, 1))
    shuffled = np.random.default_rng(0).permuted(places, axis=1)
    cost = costs[shuffled] / largest
    share = np.ones_like(cost) if shares is None else shares[shuffled]
    # Measured from the mean of what was seen before, a half to begin with.
    seen = np.cumsum(np.insert(share, 0, 1.0, axis=1), axis=1)[:, :-1]
    paid = np.cumsum(np.insert(share * cost, 0, 0.5, axis=1), axis=1)[:, :-1]
    mean = paid / seen
    value = share * (cost - mean)
    rest = np.cumsum((share * cost)[:, ::-1], axis=1)[:, ::-1]
    rest -= mean * np.cumsum(share[:, ::-1], axis=1)[:, ::-1]
    squares = np.cumsum(np.insert(value**2, 0, 0.25, axis=1), axis=1)[:, :-1]
    left = 2 * n - np.arange(n)
    risk = -math.log(1.0 - confidence)
    # The stake that grows the capital fastest where costs spread as those before did.
    stake = 2.0 * np.sqrt(risk * np.arange(1, n + 1) / (n * squares)) * n / left

    def gained(bound: float) -> float:
        # Least where the others weigh least, or most where they pull it down.
        heavy = np.where(bound > mean, others, 1.0)
        expected = (n * heavy * (bound - mean) + rest) / left
        # No bet loses more than a share of what there is, even to the largest cost.
        lost = np.maximum(1.0 - mean - expected, np.finfo(float).tiny)
        staked = np.minimum(stake, _MOST_STAKED / lost)
        capital = np.log1p(staked * (expected - value)).sum(axis=1)
        # The mean of several bettors, who see the rows in different orders.
        return float(logsumexp(capital)) - math.log(_ORDERS) - risk

    least = float(np.average(costs, weights=shares)) / largest
    if gained(1.0) <= 0.0:
        return largest
    if gained(least) < 0.0:
        least = brentq(gained, least, 1.0, xtol=_CLOSE) + _CLOSE
    return largest * min(least, 1.0)


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
