"""A figure for each λ or budget, and one page whose slider needs no server."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal, TypeAlias

import holoviews as hv
import numpy as np
from bokeh.document import Document
from bokeh.models import Column, CustomJS, Slider

from solvers import Frontier, FrontierPoint
from solvers.errors import ThriftscopeError, shown
from solvers.values.rounding import rounded

from ..widgets.text import unit_text
from .frontier import frontier

Over: TypeAlias = Literal["alpha", "budget"]
Draw: TypeAlias = Callable[..., Any]
N_BUDGETS = 25
# One frame is seen at a time; the others wait, drawn, in the same page.
_CHOOSE = """
    frames.forEach((frame, k) => { frame.visible = k === cb_obj.value })
    cb_obj.title = titles[cb_obj.value]
"""


def holomap(
    results: Iterable[FrontierPoint] | Mapping[float, Any],
    over: Over = "budget",
    *,
    unit: str = "",
    draw: Draw | None = None,
    **options: Any,
) -> hv.HoloMap:
    """Return one figure for each budget, or for each λ.

    Parameters
    ----------
    results : iterable of FrontierPoint, or mapping of float to anything
        Points of one method or several, a `Frontier` with its own axes; or what
        belongs to each value, such as a fitted model for each λ, which `draw` makes a
        figure of.
    over : {"alpha", "budget"}, default="budget"
        What the slider moves. Of points, "budget" rings the best within it on
        validation rows, and "alpha" the best there of those trained at λ.
    unit : str, default=""
        Of costs.
    draw : callable, optional
        Takes one value of the mapping and returns a figure, as the functions of this
        package do; not needed for points.
    **options
        As `frontier` takes.

    Returns
    -------
    holoviews.HoloMap
        `save` writes it as one page that works from disk.

    Raises
    ------
    ThriftscopeError
        If there is nothing to draw, or nothing to draw it with.
    """
    if over not in ("alpha", "budget"):
        raise ThriftscopeError(
            f"A slider can't go over {shown(over)}; use 'alpha' or 'budget'."
        )
    if isinstance(results, Mapping):
        frames = _of_mapping(results, draw)
    else:
        given = isinstance(results, Frontier)
        accounting = options.get("accounting", "mean")
        points = results if given else Frontier(results, accounting)
        draw_over = _over_budget if over == "budget" else _over_alpha
        frames = draw_over(points, unit, options)
    if not frames:
        raise ThriftscopeError("There is nothing to draw; give one point or more.")
    label = {"alpha": "λ", "budget": "budget"}[over]
    unit_shown = unit_text(unit) if over == "budget" else ""
    return hv.HoloMap(
        frames, kdims=[hv.Dimension(over, label=label, unit=unit_shown or None)]
    )


def _of_mapping(results: Mapping[float, Any], draw: Draw | None) -> dict[float, Any]:
    if draw is None:
        raise ThriftscopeError(
            "A mapping of results needs draw=, which makes a figure of each: "
            "holomap(models, 'alpha', draw=plots.hypergraph), for instance."
        )
    return {float(value): draw(results[value]) for value in sorted(results)}


def _over_budget(
    points: Frontier, unit: str, options: dict[str, Any]
) -> dict[float, Any]:
    if not len(points):
        return {}
    full = options.get("full_cost") or max(map(points.cost, points))
    budgets = [rounded(b, 4) for b in np.linspace(0.0, full, N_BUDGETS)]
    return {
        budget: frontier(
            points,
            unit=unit,
            **{**options, "budget": budget, "chosen": points.best_within(budget)},
        )
        for budget in budgets
    }


def _over_alpha(
    points: Frontier, unit: str, options: dict[str, Any]
) -> dict[float, Any]:
    at: dict[float, list[FrontierPoint]] = {}
    for point in points:
        if "alpha" in point.params:
            at.setdefault(float(point.params["alpha"]), []).append(point)
    if not at:
        raise ThriftscopeError(
            "None of the points was trained at a λ; use over='budget', or points of "
            "a method that has alpha."
        )
    best = {a: points.holding(found).best_within(np.inf) for a, found in at.items()}
    return {
        alpha: frontier(points, unit=unit, **{**options, "chosen": best[alpha]})
        for alpha in sorted(at)
    }


def as_bokeh(figure: Any) -> Any:
    """Return the Bokeh model of a figure, drawn for no page that is open.

    `hv.render` draws for the current document, which in a thread of a server is that of
    whichever session is being served, and gives it the theme of the figure.
    """
    renderer = hv.renderer("bokeh").instance(mode="server")
    return renderer.get_plot(figure, doc=Document()).state


def with_slider(frames: hv.HoloMap) -> Column:
    """Return all frames below a slider that shows one of them."""
    (dimension,) = frames.kdims
    drawn = [as_bokeh(frame) for frame in frames.values()]
    for frame in drawn[1:]:
        frame.visible = False
    titles = [
        f"{dimension.label} = {rounded(key, 4):g} {dimension.unit or ''}".strip()
        for key in frames.keys()
    ]
    slider = Slider(
        start=0,
        end=max(len(drawn) - 1, 1),
        step=1,
        value=0,
        title=titles[0],
        show_value=False,
        width=600,
        disabled=len(drawn) == 1,
    )
    choose = CustomJS(args={"frames": drawn, "titles": titles}, code=_CHOOSE)
    slider.js_on_change("value", choose)
    return Column(slider, *drawn)
