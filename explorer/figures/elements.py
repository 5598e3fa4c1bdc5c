"""Layers of a figure, each described once for both backends; sizes are in pixels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import holoviews as hv
import holoviews.plotting.bokeh
import holoviews.plotting.mpl  # both register themselves

from ..widgets.theme import MethodStyle

# What a marker and a dash of the theme are called by Matplotlib.
MARKERS = {
    "circle": "o",
    "triangle": "^",
    "square": "s",
    "diamond": "D",
    "inverted_triangle": "v",
    "hex": "h",
    "star": "*",
    "x": "X",  # the filled one: an unfilled mark has no rim of its own colour
    "dash": "_",
    "square_cross": "P",
    "circle_cross": "X",
    "diamond_cross": "d",
}
DASHES = {
    "solid": "-",
    "dashed": "--",
    "dotdash": "-.",
    "dashdot": "-.",
    "dotted": ":",
}
_BASELINES = {"middle": "center", "alphabetic": "baseline"}
# An edit of options or a figure needs to know of a backend; pages do not ask for one.
if hv.Store.current_backend not in hv.Store.renderers:
    hv.Store.set_current_backend("bokeh")


def styled(
    element: Any,
    *,
    bokeh: Mapping[str, Any] | None = None,
    matplotlib: Mapping[str, Any] | None = None,
    **both: Any,
) -> Any:
    """Return an element with options of each backend, and of both."""
    drawn = element.opts(**both, **(bokeh or {}), backend="bokeh", clone=True)
    return drawn.opts(**both, **(matplotlib or {}), backend="matplotlib", clone=True)


def drawn_line(
    element: Any, colour: str, dash: str = "solid", width: float = 2.0, **more: Any
) -> Any:
    """Return a line of a colour, a dash and a width."""
    return styled(
        element,
        bokeh={"line_dash": dash, "line_width": width},
        matplotlib={"linestyle": DASHES[dash], "linewidth": 0.8 * width},
        color=colour,
        **more,
    )


def marked(element: Any, style: MethodStyle, dark: bool, size: float) -> Any:
    """Return the marks of a method, half transparent where they lie on each other."""
    colour = style.colour(dark)
    return styled(
        element,
        bokeh={
            "marker": style.marker,
            "size": size,
            "fill_alpha": 0.45,
            "color": colour,
        },
        matplotlib={
            "marker": MARKERS[style.marker],
            "s": 0.5 * size**2,
            "color": colour + "73",
            "edgecolors": colour,
            "linewidth": 1.0,
        },
    )


def drawn_nodes(
    points: Any,
    marker: str,
    size: Any,
    fill: str,
    rim: str,
    width: float = 1.0,
    hover: Sequence[tuple[str, str]] = (),
) -> Any:
    """Return points as marks with a rim.

    `size`, `fill`, `rim`: of all, or the name of the column that holds them.
    `hover`: titles, and which columns are told.
    """
    told = {"tools": ["hover"], "hover_tooltips": [*hover]} if hover else {}
    pixels = hv.dim(size) if isinstance(size, str) else size
    return styled(
        points,
        bokeh={
            "marker": marker,
            "size": size,
            "fill_color": fill,
            "line_color": rim,
            "line_width": width,
            **told,
        },
        matplotlib={
            "marker": MARKERS[marker],
            "s": 0.5 * pixels**2,
            "facecolors": fill,
            "edgecolors": rim,
            "linewidth": 0.75 * width,
        },
    )


def boxed(
    boxes: Any,
    fill: str,
    rim: str,
    *,
    alpha: float = 1.0,
    width: float = 1.0,
    hatched: bool = False,
) -> Any:
    """Return filled boxes; in print, hatched ones are told apart without colour."""
    return styled(
        boxes,
        bokeh={
            "fill_color": fill,
            "fill_alpha": alpha,
            "line_color": rim,
            "line_width": width,
        },
        matplotlib={
            "facecolor": fill,
            "edgecolor": rim,
            "alpha": alpha,
            "hatch": "//" if hatched else "",
            "linewidth": width,
        },
    )


def lettered(
    rows: Any,
    axes: Sequence[Any],
    colour: str,
    *,
    align: str = "center",
    baseline: str = "middle",
    size: int = 11,
) -> Any:
    """Return text at points: `rows` are of x, y and what stands there."""
    return styled(
        hv.Labels(rows, [*axes], ["text"]),
        bokeh={
            "text_color": colour,
            "text_align": align,
            "text_baseline": baseline,
            "text_font_size": f"{size}px",
        },
        matplotlib={
            "color": colour,
            "size": 0.72 * size,
            "horizontalalignment": align,
            "verticalalignment": _BASELINES.get(baseline, baseline),
        },
    )
