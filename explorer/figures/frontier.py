"""F1 against prediction cost: one line a method, and the budget."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import holoviews as hv

from solvers import Frontier, FrontierPoint
from solvers.decisions.row_costs import Accounting

from ..widgets.text import unit_text
from ..widgets.theme import method_style, palette
from .axes import cost_label, score_ends, score_label
from .backends import framed
from .elements import drawn_line, marked, ringed
from .methods import by_method, method_title


def frontier(
    points: Iterable[FrontierPoint],
    *,
    accounting: Accounting = "mean",
    unit: str = "",
    full_cost: float | None = None,
    budget: float | None = None,
    chosen: FrontierPoint | None = None,
    title: str = "",
    dark: bool = False,
) -> hv.Overlay:
    """Draw points of any methods, and the best that each buys at every cost.

    Parameters
    ----------
    points : iterable of FrontierPoint
        Of one method or several; a `Frontier` is one, too.
    accounting : {"mean", "p95", "max"}, default="mean"
        Which cost over test rows is the axis; a `Frontier` has its own axes.
    unit : str, default=""
        Of costs.
    full_cost : float, optional
        Right end of the axis; the costliest point by default.
    budget : float, optional
        Where the budget stands.
    chosen : FrontierPoint, optional
        The point that is ringed.
    title : str, default=""
        Above the figure.
    dark : bool, default=False
        For a dark page.

    Returns
    -------
    holoviews.Overlay
    """
    fronts = by_method(points, accounting)
    axes = points if isinstance(points, Frontier) else Frontier((), accounting)
    costs = [axes.cost(p) for front in fronts.values() for p in front]
    end = full_cost or max(costs, default=1.0) or 1.0
    cost = hv.Dimension("cost", label=cost_label(axes), unit=unit_text(unit) or None)
    score = hv.Dimension("f1", label=score_label(axes.score))
    layers: list[Any] = []
    for name, front in fronts.items():
        layers += _method(name, front, end, (cost, score), dark)
    if budget is not None:
        line = hv.VLine(budget)
        layers.append(drawn_line(line, palette(dark).budget, "dashed", 2.5))
    if chosen is not None:
        layers.append(ringed([_at(chosen, axes)], (cost, score), "chosen", dark))
    low, high = score_ends(
        p.scores["test"][axes.score] for f in fronts.values() for p in f
    )
    return framed(
        hv.Overlay(layers),
        title=title,
        dark=dark,
        legend="bottom_right",
        xlim=(0.0, 1.02 * end),
        ylim=(low, high),
    )


def _at(point: FrontierPoint, axes: Frontier) -> tuple[float, float]:
    return axes.cost(point), point.scores["test"][axes.score]


def _method(name: str, front: Frontier, end: float, axes: Any, dark: bool) -> list[Any]:
    style = method_style(name)
    colour = style.colour(dark)
    title = method_title(name)
    # What is bought at a cost is still bought above it.
    best = [_at(p, front) for p in front.undominated()]
    stairs = [*best, (max(end, best[-1][0]), best[-1][1])] if best else []
    line = hv.Curve(stairs, *axes, label=title)
    marks = hv.Scatter([_at(p, front) for p in front.points], *axes, label=title)
    return [
        drawn_line(line, colour, style.dash, 2.5, interpolation="steps-post"),
        marked(marks, style, dark, 8),
    ]
