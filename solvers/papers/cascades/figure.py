"""What a figure of the paper is when it is computed anew."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...costs.budgets import room_of
from ..verdicts import Finding
from .rows import ExitRound


@dataclass(frozen=True, eq=False)
class Series:
    """A line, or marks, of a figure."""

    name: str  #: What it is called
    method: str  #: The method it is drawn as, a short name of ``all_methods()``
    #: (n_points,) The points
    x: NDArray[np.float64]
    y: NDArray[np.float64]
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
