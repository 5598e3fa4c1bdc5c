"""When rows leave, and what that costs and is worth."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ...decisions.row_costs import Accounting
from ...numerics.arrays import Floats

__all__ = ["Candidate", "Policy"]


@dataclass(frozen=True, eq=False)
class Policy:
    """When rows leave, and what that costs and is worth on held-out training rows."""

    member: int  #: Which cascade is run
    #: (n_stages,) For each leaf of its tree: a row goes on at a stage if its score is
    #: strictly between them
    low: tuple[Floats, ...]
    high: tuple[Floats, ...]
    cut: float  #: Rows of log-odds above it are called positive
    score: float  #: F1 or accuracy
    #: Cost of a row, in the hypergraph's unit
    mean: float
    p95: float
    max: float

    @cached_property
    def stops(self) -> tuple[tuple[tuple[int, float, float], ...], ...]:
        """For each leaf the stages at which a row may leave, with both bounds.

        Up to the first at which every row does; models of other stages are not asked.
        """
        return tuple(
            _stops(*bounds) for bounds in zip(self.low, self.high, strict=True)
        )

    def cost(self, accounting: Accounting) -> float:
        """Return the cost under an accounting.

        Parameters
        ----------
        accounting : {"mean", "p95", "max"}
            Over rows.

        Returns
        -------
        float
        """
        return float(getattr(self, accounting))


def _stops(low: NDArray, high: NDArray) -> tuple[tuple[int, float, float], ...]:
    last = int(np.argmax(low >= high))
    may_leave = ~(np.isneginf(low) & np.isposinf(high))
    stages = np.flatnonzero(may_leave[: last + 1]).tolist()
    return tuple((stage, float(low[stage]), float(high[stage])) for stage in stages)


@dataclass(frozen=True, eq=False)
class Candidate:
    """A policy, and what it calls each held-out row, shape (n_rows,)."""

    policy: Policy
    called: NDArray[np.int16]
