"""Where to cut posteriors: the best new threshold of a set of features.

Three numbers for each joint state f of the features are all that is needed: A =
Pr(positive, f), P = Pr(f) and the signed mass D, the probability that the original
classifier says positive at f minus the probability that it says negative.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.linalg.blas import dasum

from ..numerics.cuts import midway
from ..values.rounding import rounded

# Posteriors closer than this are the same number reached by two routes.
TOLERANCE = 1e-12

Array = NDArray[np.float64]


@dataclass(frozen=True)
class ThresholdInterval:
    """The thresholds between two posteriors: all of them decide alike.

    Examples
    --------
    >>> interval = ThresholdInterval(0.25, 0.75)
    >>> str(interval), interval.middle, 0.25 in interval
    ('(0.25, 0.75]', 0.5, False)
    >>> low, high = interval
    """

    #: The ends; `high` belongs to the interval
    low: float
    high: float
    #: Whether `low` belongs to it: only where it starts at 0
    includes_low: bool = False

    @property
    def middle(self) -> float:
        """A threshold well inside."""
        return float(midway(self.low, self.high, inclusive=True))

    def __iter__(self) -> Iterator[float]:
        return iter((self.low, self.high))

    def __contains__(self, threshold: float) -> bool:
        above = threshold >= self.low if self.includes_low else threshold > self.low
        return above and threshold <= self.high

    def __str__(self) -> str:
        bracket = "[" if self.includes_low else "("
        return f"{bracket}{rounded(self.low, 4):g}, {rounded(self.high, 4):g}]"


class Achievable(NamedTuple):
    """The best agreement of a set of features, and the thresholds that attain it."""

    agreement: float  #: Maximum achievable agreement
    threshold_interval: ThresholdInterval  #: Every threshold in it attains it


@dataclass(frozen=True, eq=False)
class Cuts:
    """Every different way to cut the posteriors of a set of features."""

    agreements: Array  #: (n_cuts,) Expected agreement with the original classifier
    #: (n_cuts,) Ends of the thresholds that make the cut, ascending
    lows: Array
    highs: Array

    def best(self) -> Achievable:
        """Return the best agreement and the lowest interval that attains it.

        Returns
        -------
        Achievable
            Its interval includes adjoining cuts that agree as much.
        """
        top = float(self.agreements.max())
        good = self.agreements >= top - TOLERANCE
        first = int(np.argmax(good))
        beyond = np.flatnonzero(~good[first:])
        last = first + int(beyond[0]) - 1 if beyond.size else len(good) - 1
        low, high = float(self.lows[first]), float(self.highs[last])
        interval = ThresholdInterval(low, high, includes_low=first == 0)
        return Achievable(min(1.0, top), interval)


def all_cuts(positive: Array, total: Array, signed: Array) -> Cuts:
    """Return every cut between different posteriors, lowest threshold first.

    Algorithm 2 of [1]_, but states of equal posterior move together: as printed it may
    cut between them, where no threshold does.

    Shapes: `positive, total, signed` (n_states,).

    References
    ----------
    .. [1] Choi and Van den Broeck, "On robust trimming of Bayesian network
       classifiers", IJCAI 2018, Algorithm 2.
    """
    seen = total > 0
    posteriors = positive[seen] / total[seen]
    order = np.argsort(posteriors, kind="stable")
    ranked = posteriors[order]
    # ECA = (1 + sum s D) / 2, s = -1 below the cut: a state below takes off its D.
    below = np.concatenate([[0.0], np.cumsum(signed[seen][order])])
    # States of one posterior move together: no threshold parts them.
    steps = np.flatnonzero(np.diff(ranked) > TOLERANCE) + 1
    ends = np.concatenate([[0], steps, [len(ranked)]])
    if ranked[-1] >= 1.0 - TOLERANCE:
        ends = ends[:-1]  # no threshold up to 1 calls a certain state negative
    lows = np.where(ends == 0, 0.0, ranked[ends - 1])
    highs = np.append(ranked, 1.0)[ends]
    agreements = (total.sum() + below[-1]) / 2 - below[ends]
    return Cuts(agreements, lows, highs)


def cut_agreement(
    positive: Array, total: Array, signed: Array, threshold: float
) -> float:
    """Return the expected agreement of one threshold.

    Shapes: `positive, total, signed` (n_states,).
    `threshold`: states whose posterior is at least this, to 1e-12, are called positive.
    """
    called = positive - (threshold - TOLERANCE) * total >= 0
    return float(total.sum() + np.where(called, signed, -signed).sum()) / 2


def signed_masses(positive: Array, total: Array, threshold: float) -> Array:
    """Return D = Pr(f) where the classifier says positive, -Pr(f) elsewhere."""
    return np.copysign(total, positive - (threshold - TOLERANCE) * total)


def potential(signed: Array) -> float:
    """Return the maximum potential agreement, (1 + the sum of |D|) / 2.

    Shapes: `signed` (n_states,).
    """
    return min(1.0, 0.5 * (1.0 + float(dasum(signed))))
