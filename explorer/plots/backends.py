"""One look for both backends: Bokeh on a page and in a notebook, Matplotlib in print."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import Any

import holoviews as hv
import holoviews.plotting.bokeh
import holoviews.plotting.mpl  # noqa: F401  # both register themselves

from ..widgets.theme import MethodStyle, Palette, palette

__all__ = ["DRAWING", "MPL_DASHES", "MPL_MARKERS", "framed", "marks_of", "styled"]

# What a marker and a dash of the theme are called by Matplotlib.
MPL_MARKERS = {
    "circle": "o",
    "triangle": "^",
    "square": "s",
    "diamond": "D",
    "inverted_triangle": "v",
    "hex": "h",
    "star": "*",
    "x": "x",
    "dash": "_",
}
MPL_DASHES = {
    "solid": "-",
    "dashed": "--",
    "dotdash": "-.",
    "dotted": ":",
}
WIDTH, HEIGHT = 760, 430
# Matplotlib's figures are drawn one at a time: its fonts are shared by all threads.
DRAWING = threading.RLock()
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


def marks_of(style: MethodStyle, size: float) -> dict[str, dict[str, Any]]:
    """Return how a method's marks are drawn, by backend; a size in pixels."""
    return {
        "bokeh": {"marker": style.marker, "size": size},
        "matplotlib": {"marker": MPL_MARKERS[style.marker], "s": 0.6 * size**2},
    }


def framed(
    figure: Any,
    *,
    title: str,
    dark: bool,
    width: int = WIDTH,
    height: int = HEIGHT,
    bare: bool = False,
    legend: str | None = None,
    **both: Any,
) -> Any:
    """Return an overlay in the frame of a theme.

    `bare`: whether no axes are drawn. `legend`: where it stands; None for none.
    """
    colours = palette(dark)
    both = {"title": title, "show_legend": legend is not None, **both}
    if legend is not None:
        both["legend_position"] = legend
    if bare:
        both |= {"xaxis": None, "yaxis": None}
    return styled(
        figure,
        bokeh={
            "width": width,
            "height": height,
            "bgcolor": colours.background,
            "hooks": [_bokeh_theme(colours)],
            "toolbar": "above",
        },
        matplotlib={
            "fig_inches": (width / 90, height / 90),
            "aspect": None,
            "bgcolor": colours.background,
            "hooks": [_mpl_theme(colours, bare)],
        },
        **both,
    )


def _bokeh_theme(colours: Palette) -> Any:
    def colour(plot: Any, _: Any) -> None:
        figure = plot.state
        figure.border_fill_color = colours.background
        figure.outline_line_color = None
        figure.title.text_color = colours.text
        figure.toolbar.logo = None
        for axis in figure.axis:
            axis.update(
                axis_label_text_color=colours.text,
                major_label_text_color=colours.text,
                axis_line_color=colours.quiet_text,
                major_tick_line_color=colours.quiet_text,
                minor_tick_line_color=None,
                axis_label_text_font_style="normal",
            )
        for grid in figure.grid:
            grid.grid_line_color = colours.grid
        for legend in figure.legend:
            legend.update(
                background_fill_color=colours.background,
                background_fill_alpha=0.75,
                label_text_color=colours.text,
                border_line_color=colours.grid,
            )

    return colour


def _mpl_theme(colours: Palette, bare: bool) -> Any:
    def colour(plot: Any, _: Any) -> None:
        axis = plot.handles["axis"]
        axis.figure.set_facecolor(colours.background)
        for spine in axis.spines.values():
            spine.set_color(colours.quiet_text)
            spine.set_visible(not bare)
        axis.tick_params(colors=colours.text)
        axis.xaxis.label.set_color(colours.text)
        axis.yaxis.label.set_color(colours.text)
        axis.title.set_color(colours.text)
        if not bare:
            axis.grid(color=colours.grid, linewidth=0.8)
            axis.set_axisbelow(True)
        legend = axis.get_legend()
        if legend is not None:
            legend.get_frame().set_facecolor(colours.background)
            legend.get_frame().set_edgecolor(colours.grid)
            for text in legend.get_texts():
                text.set_color(colours.text)

    return colour
