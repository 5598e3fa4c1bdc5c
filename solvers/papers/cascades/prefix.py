"""Where a cascade beats the same machines used one for every row, and where not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from ...costs.budgets import room_of
from ..verdicts import beyond_noise
from .rows import CascadeRows

Ahead: TypeAlias = Literal["cascade", "prefix", "level"]

#: Budgets, as shares of what all features cost.
SHARES = (0.05, 0.1, 0.2, 0.3, 0.4, 0.6, 0.8, 1.0)
_AHEAD: dict[str, Ahead] = {"holds": "cascade", "does not hold": "prefix"}


@dataclass(frozen=True)
class PrefixComparison:
    """Both within one budget; each chosen on validation rows, reported on test rows."""

    share: float  #: The budget over the cost of all features
    budget: float  #: Mean cost of a row that is allowed, in the hypergraph's unit
    #: Accuracy on test rows
    cascade: float
    prefix: float
    #: Mean cost of a test row
    cascade_cost: float
    prefix_cost: float
    error: float  #: Standard error of the difference of the two accuracies, row by row

    @property
    def ahead(self) -> Ahead:
        """Which is ahead by more than two standard errors."""
        outcome = beyond_noise(self.cascade - self.prefix, 2 * self.error)
        return _AHEAD.get(outcome, "level")


def compare_with_prefix(
    validation: CascadeRows, test: CascadeRows, shares: Sequence[float] = SHARES
) -> list[PrefixComparison]:
    """Return the cascade beside the static prefix within several budgets.

    Parameters
    ----------
    validation : CascadeRows
        Where the threshold, and the length of the prefix, are chosen.
    test : CascadeRows
        Where both are reported; of the same cascade.
    shares : sequence of float, optional
        Budgets over the cost of all features.

    Returns
    -------
    list of PrefixComparison
        Without the budgets that do not pay for the first stage.
    """
    full = float(test.stage_costs[-1])
    affordable = [
        share for share in shares if room_of(share * full) >= test.stage_costs[0]
    ]
    return [_row(validation, test, share, share * full) for share in affordable]


def _row(
    validation: CascadeRows, test: CascadeRows, share: float, budget: float
) -> PrefixComparison:
    room = room_of(budget)
    curve, costs = validation.curve, validation.stage_costs
    # Both choose on validation rows: the threshold, and how many stages.
    best = int(np.argmax(np.where(curve.cost <= room, curve.accuracy, -1.0)))
    stage = int(np.argmax(np.where(costs <= room, validation.prefix_accuracy, -1.0)))
    exits = test.exits(float(curve.thresholds[best]))
    by_cascade = test.right[np.arange(test.n_rows), exits].astype(float)
    by_prefix = test.right[:, stage].astype(float)
    # Paired: both are judged on the same rows.
    spread = np.std(by_cascade - by_prefix)
    return PrefixComparison(
        share,
        budget,
        float(by_cascade.mean()),
        float(by_prefix.mean()),
        float(test.stage_costs[exits].mean()),
        float(test.stage_costs[stage]),
        float(spread / np.sqrt(test.n_rows)),
    )
