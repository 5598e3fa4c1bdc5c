"""Layers of a figure, each described once for both backends; sizes are in pixels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import holoviews as hv
import holoviews.plotting.bokeh
import holoviews.plotting.mpl  # both register themselves

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
