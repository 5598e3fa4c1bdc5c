"""Claims about curves of accuracy against cost, fold by fold.

Folds of a problem share rows only with each other: where a figure has several problems,
these are the pairs, and a number of theirs is the mean over their folds.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

import numpy as np

from ..claims import Form, StudyTable
from ..verdicts import Outcome, all_hold, paired_verdict
from .figure import Series, at_cost

# The curves of one fold by what they are called.
Named: TypeAlias = dict[str, Series]


def curves_of(table: StudyTable) -> list[list[Named]]:
    """Return the curves of each pair: of each fold, by what they are called."""
    found: dict[tuple[str, ...], dict[int, Named]] = {}
    for row in table.rows:
        pair = tuple(str(getattr(row, key)) for key in table.pair)
        found.setdefault(pair, {}).setdefault(row.fold, {})[row.method] = row.curve
    return [list(folds.values()) for folds in found.values()]


def _means(table: StudyTable, number: Callable[[Named], float]) -> list[float]:
    """Return one number a pair: the mean over its folds, which share rows."""
    return [
        float(np.mean([number(fold) for fold in folds])) for folds in curves_of(table)
    ]


@dataclass(frozen=True)
class Dominates(Form):
    """Better for the same cost: at cheap, middling and high costs apart.

    Costs are those of the rival's points. What is cheaper than our first stage cannot
    be compared: nothing of ours answers there.
    """

    method: str
    of: str

    def test(self, table: StudyTable) -> tuple[Outcome | None, str]:
        """Judge each third of the costs; all are to hold."""
        folds = [named for unit in curves_of(table) for named in unit]
        first = max(float(named[self.method].x.min()) for named in folds)
        costs = np.unique(np.concatenate([named[self.of].x for named in folds]))
        thirds = np.array_split(costs[costs >= first], 3)
        verdicts = [
            paired_verdict(_means(table, partial(self._lead, costs=at)))
            for at in thirds
            if at.size
        ]
        if not verdicts:
            return None, "nothing to compare: nothing of ours is as cheap"
        points = ", ".join(
            f"{100 * found.mean:+.1f} ± {100 * found.two_standard_errors:.1f}"
            for found in verdicts
        )
        told = f"points ahead at cheap, middling and high costs: {points}"
        return all_hold(found.outcome for found in verdicts), told

    def _lead(self, named: Named, costs: np.ndarray) -> float:
        # Chosen by cost alone: the best of many thresholds on test rows is lucky.
        ours = [at_cost(named[self.method], cost) for cost in costs]
        theirs = [at_cost(named[self.of], cost) for cost in costs]
        return float(np.mean(np.subtract(ours, theirs)))


@dataclass(frozen=True)
class FallsShort(Form):
    """A method stays below the accuracy of another by more than a margin, at best."""

    method: str
    of: str
    margin: float

    def test(self, table: StudyTable) -> tuple[Outcome | None, str]:
        """Judge how far the best point is below."""
        short = _means(table, lambda one: float(one[self.of].y[0] - self._best(one)))
        found = paired_verdict(short, margin=self.margin)
        best = np.mean(_means(table, self._best))
        at = np.mean(
            _means(
                table, lambda one: float(one[self.method].x.max() / one[self.of].x[0])
            )
        )
        return found.outcome, (
            f"at best {100 * best:.0f} %, {100 * found.mean:.1f} ± "
            f"{100 * found.two_standard_errors:.1f} points below {self.of}, never for "
            f"more than {100 * at:.0f} % of the cost"
        )

    def _best(self, named: Named) -> float:
        return float(named[self.method].y.max())


@dataclass(frozen=True)
class FallsTo(Form):
    """What a method costs falls to a share of another's cost, for a little accuracy."""

    share: float
    method: str
    of: str
    lost: float  # So much of accuracy may be lost

    def test(self, table: StudyTable) -> tuple[Outcome | None, str]:
        """Judge the share that the cheapest point needs which is good enough."""
        shares = np.array(_means(table, self._needed))
        outcome = paired_verdict(-shares, margin=-self.share).outcome
        told = f"{100 * self.lost:.0f} points lost for {100 * shares.mean():.0f} %"
        return outcome, f"{told} of the cost"

    def _needed(self, named: Named) -> float:
        full, ours = named[self.of], named[self.method]
        good = ours.x[ours.y >= float(full.y[0]) - self.lost]
        return float(good.min(initial=full.x[0]) / full.x[0])
