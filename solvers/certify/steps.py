"""What floors at a few budgets say of every budget between them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import groupby, pairwise

import numpy as np

from ..costs.budgets import ROUNDING, room_of
from ..costs.hypergraph import FeatureHypergraph
from .frontier import CertifiedBudget

__all__ = ["FloorStep", "floor_steps"]

# Budgets are one that are closer than this share of themselves: between a cost and a
# budget just too small for it there is nothing else to buy.
_SAME = 10 * ROUNDING


@dataclass(frozen=True)
class FloorStep:
    """What is known of the least objective at all budgets of an interval.

    Parameters
    ----------
    start, end : float
        Budgets from the one, which is part of it, to just below the other.
    lower : float
        No selection within any of these budgets has a lower objective.
    upper : float
        A selection that the least of these budgets pays for has this objective.
    closed : bool
        Whether the two are within the tolerance of each other.
    """

    start: float
    end: float
    lower: float
    upper: float
    closed: bool


def floor_steps(
    certified: Iterable[CertifiedBudget],
    hypergraph: FeatureHypergraph,
    *,
    tol: float = 0.01,
    known: Iterable[tuple[float, float]] = (),
    floors: Iterable[tuple[float, float]] = (),
) -> tuple[FloorStep, ...]:
    """Return the proven floor as a staircase over all budgets.

    A floor holds at every smaller budget too; a selection can be bought at every larger
    one. Between two budgets that are closed the least objective may still be unknown:
    such a step is open.

    Parameters
    ----------
    certified : iterable of CertifiedBudget
        Of one table, hypergraph, ridge and exclusion; the last of each budget counts.
    hypergraph : FeatureHypergraph
        What selections cost.
    tol : float, default=0.01
        Gap at which a step is closed, as a share of what all features bring.
    known : iterable of (cost, objective), optional
        Further selections, such as those that methods chose.
    floors : iterable of (budget, lower), optional
        Further floors of the same, such as those that another search proved.

    Returns
    -------
    tuple of FloorStep
        From the least budget to the largest; nothing without a budget.
    """
    last = {one.budget: one for one in certified}
    if not last:
        return ()
    proven = [*((one.budget, one.lower) for one in last.values()), *floors]
    budgets, bounds = np.array(sorted(proven), dtype=float).T
    bought = [(hypergraph.cost(one.features), one.upper) for one in last.values()]
    costs, objectives = np.array([*bought, *known], dtype=float).T
    room = tol * next(iter(last.values())).full_gain
    ends = np.unique(np.clip([*budgets, *costs], budgets[0], budgets[-1]))
    # Of those that are one, the last: what has this cost can be bought from there on.
    ends = ends[np.append(np.diff(ends) > _SAME * ends[1:], True)]
    steps: list[FloorStep] = []
    for start, end in pairwise(ends.tolist()):
        lower = float(bounds[budgets >= end * (1.0 - _SAME)].max())
        paid = costs <= room_of(start)
        upper = max(float(objectives[paid].min(initial=np.inf)), lower)
        steps.append(FloorStep(start, end, lower, upper, upper - lower <= room))
    return tuple(_joined(steps))


def _joined(steps: list[FloorStep]) -> Iterator[FloorStep]:
    """Yield steps of which no two neighbours say the same."""
    for _, alike in groupby(steps, key=lambda step: (step.lower, step.upper)):
        first, *others = alike
        yield replace(first, end=others[-1].end) if others else first
