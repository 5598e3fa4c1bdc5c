"""How straight the cost of a cascade rises with its threshold."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...numerics.exit_curve import ExitCurve

# Beyond this share of the way from the least to the full cost the curve is a long tail.
_UPPER_SHARE = 0.9


@dataclass(frozen=True, eq=False)
class Linearity:
    """The paper's straight line beside the curve that it stands for."""

    #: Cost on the line at threshold 0, and how fast it rises; through two points, as in
    #: section 4.6 of the paper
    intercept: float
    slope: float
    #: The threshold at which nine tenths of the way to the full cost are paid; up to
    #: there line and curve are compared
    top: float
    #: Share of the variation of the cost that the line explains; may be negative
    r2: float
    largest_deviation: float  #: Largest distance of line and curve, over the full cost

    def cost(self, thresholds: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the cost on the line.

        Parameters
        ----------
        thresholds : ndarray of float
            Finite.

        Returns
        -------
        ndarray of float, of the same shape
        """
        return self.intercept + self.slope * thresholds


def linearity(curve: ExitCurve) -> Linearity:
    """Return how well the paper's straight line foresees what a threshold costs.

    Parameters
    ----------
    curve : ExitCurve
        Of some rows.

    Returns
    -------
    Linearity
        Compared at 101 thresholds, evenly spaced from the least finite one to `top`.
    """
    intercept, slope = curve.straight_line()
    finite = np.flatnonzero(np.isfinite(curve.thresholds))
    if not finite.size:
        return Linearity(intercept, slope, 1.0, 1.0, 0.0)
    full = curve.cost[-1]
    paid = curve.cost[0] + _UPPER_SHARE * (full - curve.cost[0])
    within = finite[curve.cost[finite] <= paid]
    last = within[-1] if within.size else finite[0]
    top = float(curve.thresholds[last])
    at = np.linspace(float(curve.thresholds[finite[0]]), top, 101)
    cost = curve.cost[np.searchsorted(curve.levels, at, side="left")]
    off = cost - (intercept + slope * at)
    varied = float(np.sum((cost - cost.mean()) ** 2))
    # Against the mean, not against the best line: a bad line is below 0.
    r2 = 1.0 - float(np.sum(off**2)) / varied if varied > 0 else 1.0
    deviation = float(np.abs(off).max() / full) if full > 0 else 0.0
    return Linearity(intercept, slope, top, r2, deviation)
