"""What a figure of the paper is when it is computed anew, and claims about its curves.

Folds of a problem share rows only with each other: where a figure has several problems,
these are the pairs, and a number of theirs is the mean over their folds.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeAlias

import numpy as np

from ...costs.budgets import room_of
from ...numerics.arrays import Floats
from ..claims import Form, StudyTable
from ..verdicts import Finding, Outcome, all_hold, paired_verdict
from .rows import ExitRound


@dataclass(frozen=True, eq=False)
class Series:
    """A line, or marks, of a figure."""

    name: str  #: What it is called
    method: str  #: The method it is drawn as, a short name of ``all_methods()``
    #: (n_points,) The points
    x: Floats
    y: Floats
    joined: bool = True  #: Whether a line joins them


@dataclass(frozen=True, eq=False)
class Figure:
    """A figure as far as it has been computed."""

    name: str  #: A name of ``FIGURES``
    title: str  #: What it shows
    #: Its axes, with units and rows
    x_label: str
    y_label: str
    note: str  #: What ours is computed on
    series: tuple[Series, ...] = ()  #: What is drawn
    #: What the paper says of it, and what came out; when all is computed
    findings: tuple[Finding, ...] = ()
    rows: tuple[Any, ...] = ()  #: What these follow from
    #: Of "table2": rows of the data set by where they leave
    rounds: tuple[ExitRound, ...] = ()
    share: float = 0.0  #: How much is done, from 0 to 1

    def table(self) -> list[tuple[str, float, float]]:
        """Return every point: the name of its series, x and y.

        Returns
        -------
        list of (str, float, float)
        """
        return [
            (series.name, float(x), float(y))
            for series in self.series
            for x, y in zip(series.x, series.y, strict=True)
        ]


def within_cost(series: Series, cost: float) -> float:
    """Return the best score that a series reaches within a cost.

    `cost`: in the unit of x.
    """
    affordable = series.y[series.x <= room_of(cost)]
    return float(affordable.max(initial=0.0))


def at_cost(series: Series, cost: float) -> float:
    """Return the score of the costliest point within a cost: chosen by its cost alone.

    `cost`: in the unit of x.
    """
    affordable = np.where(series.x <= room_of(cost), series.x, -np.inf)
    costliest = int(np.argmax(affordable))
    return float(series.y[costliest]) if np.isfinite(affordable[costliest]) else 0.0


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
            f"{100 * found.mean:+z.1f} ± {100 * found.two_standard_errors:.1f}"
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
