"""The training objective against cost: the proven floor, and what methods chose."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

import holoviews as hv

from solvers.certify import FloorStep
from solvers.errors import ThriftscopeError

from ..widgets.text import unit_text
from ..widgets.theme import Palette, method_style, palette
from .backends import framed
from .elements import boxed, drawn_line, marked, styled
from .methods import method_title

OBJECTIVE = hv.Dimension(
    "objective", label="training objective (mean logistic loss + ridge)"
)


def proven_floor(
    steps: Iterable[FloorStep],
    points: Iterable[tuple[str, float, float]] = (),
    *,
    unit: str = "",
    budget: float | None = None,
    title: str = "",
    dark: bool = False,
) -> hv.Overlay:
    """Draw what no linear model can be below, and where models are.

    Parameters
    ----------
    steps : iterable of FloorStep
        The staircase that `solvers.certify.floor_steps` gives.
    points : iterable of (str, float, float), optional
        Name of a method, cost and objective of a model: `solvers.certify.
        RidgeObjective` tells it of any columns.
    unit : str, default=""
        Of costs.
    budget : float, optional
        Where the budget stands.
    title : str, default=""
        Above the figure.
    dark : bool, default=False
        For a dark page.

    Returns
    -------
    holoviews.Overlay
        A filled band up to the floor; its edge is solid where the gap is closed and
        dashed, below a shaded gap, where it is open.

    Raises
    ------
    ThriftscopeError
        If there is no step.
    """
    drawn = list(steps)
    if not drawn:
        raise ThriftscopeError("There is no step to draw; prove at least two budgets.")
    colours, end = palette(dark), drawn[-1].end
    low, high = _ends(drawn)
    cost = hv.Dimension("cost", unit=unit_text(unit) or None)
    layers = [*_band(drawn, low, colours)]
    layers += _edges(drawn, colours)
    layers += _methods(points, (cost, OBJECTIVE), dark)
    if budget is not None:
        layers.append(drawn_line(hv.VLine(budget), colours.budget, "dashed", 2.5))
    return framed(
        hv.Overlay(layers),
        title=title,
        dark=dark,
        legend="top_right",
        xlim=(0.0, 1.02 * end),
        ylim=(low, high),
        xlabel=cost.pprint_label,
        ylabel=OBJECTIVE.label,
    )


def _ends(steps: list[FloorStep]) -> tuple[float, float]:
    bottom, top = steps[-1].lower, max(step.upper for step in steps)
    room = 0.06 * (top - bottom) or 0.01
    return bottom - 2 * room, top + room


def _band(steps: list[FloorStep], low: float, colours: Palette) -> Iterable[Any]:
    """Return what is ruled out, and what is not settled where there is any."""
    ruled = [(step.start, low, step.end, step.lower) for step in steps]
    band = hv.Rectangles(ruled, label="no linear model is here: proven")
    yield boxed(band, colours.faded, colours.faded, alpha=0.5, width=0.0)
    gaps = [
        (step.start, step.lower, step.end, step.upper)
        for step in steps
        if not step.closed
    ]
    if gaps:
        yield styled(
            hv.Rectangles(gaps, label="not settled: the gap is open"),
            bokeh={
                "fill_color": colours.quiet_text,
                "fill_alpha": 0.15,
                "line_color": colours.quiet_text,
                "line_dash": "dotted",
            },
            matplotlib={
                "facecolor": "none",
                "edgecolor": colours.quiet_text,
                "hatch": "///",
                "linewidth": 0.0,
            },
        )


def _edges(steps: list[FloorStep], colours: Palette) -> Iterable[Any]:
    for is_closed, label, colour, dash, width in (
        (False, "floor so far, gap open", colours.quiet_text, "dashed", 1.5),
        (True, "floor, gap closed", colours.text, "solid", 3.5),
    ):
        ends = [
            (step.start, step.lower, step.end, step.lower)
            for step in steps
            if step.closed == is_closed
        ]
        if ends:
            yield drawn_line(hv.Segments(ends, label=label), colour, dash, width)


def _methods(
    points: Iterable[tuple[str, float, float]], axes: Any, dark: bool
) -> Iterable[Any]:
    found = defaultdict(list)
    for name, cost, objective in points:
        found[name].append((cost, objective))
    for name, places in found.items():
        marks = hv.Scatter(places, *axes, label=method_title(name))
        yield marked(marks, method_style(name), dark, 7)
