"""The frame and the layers of a figure, by Bokeh for pages, by Matplotlib in print."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from typing import Any

import holoviews as hv
import holoviews.plotting.bokeh
import holoviews.plotting.mpl  # both register themselves
from matplotlib.ticker import FuncFormatter

from ..widgets.theme import Palette, palette

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


WIDTH, HEIGHT = 760, 430
# HoloViews hides the legend of a figure of more layers than this.
MAX_LAYERS = 2_000
# Matplotlib's figures are drawn one at a time: its fonts are shared by all threads.
DRAWING = threading.RLock()


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
    both = {
        # HoloViews would fill in what stands in braces.
        "title": title.replace("{", "{{").replace("}", "}}"),
        "show_legend": legend is not None,
        "show_grid": not bare,
        **both,
    }
    if legend is not None:
        both |= {"legend_position": legend, "legend_limit": MAX_LAYERS}
    if bare:
        both |= {"xaxis": None, "yaxis": None}
    return styled(
        figure,
        bokeh={
            "width": width,
            "height": height,
            "bgcolor": colours.background,
            "hooks": [_bokeh_theme(colours, bare)],
            "toolbar": "above",
        },
        matplotlib={
            "fig_inches": (width / 90, height / 90),
            "aspect": width / height,
            "bgcolor": colours.background,
            "hooks": [_mpl_theme(colours, bare, legend)],
        },
        **both,
    )


def _bokeh_theme(colours: Palette, bare: bool) -> Any:
    def colour(plot: Any, _: Any) -> None:
        figure = plot.state
        figure.border_fill_color = colours.background
        figure.update(outline_line_color=None, outline_line_alpha=0.0)
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
                axis_label_text_font_size="13px",
                major_label_text_font_size="12px",
            )
        for grid in figure.grid:
            grid.grid_line_color = None if bare else colours.grid
        for legend in figure.legend:
            legend.update(
                background_fill_color=colours.background,
                background_fill_alpha=0.75,
                label_text_color=colours.text,
                label_text_font_size="12px",
                border_line_color=colours.grid,
                margin=0,
                padding=4,
            )

    return colour


def _mpl_theme(colours: Palette, bare: bool, legend: str | None) -> Any:
    def colour(plot: Any, _: Any) -> None:
        axis = plot.handles["axis"]
        axis.figure.set_facecolor(colours.background)
        # By ratio of data units, an axis of powers of ten would be a strip.
        axis.set_aspect("auto")
        for spine in axis.spines.values():
            spine.set_color(colours.quiet_text)
            spine.set_visible(not bare)
        axis.tick_params(colors=colours.text)
        axis.xaxis.label.set_color(colours.text)
        axis.yaxis.label.set_color(colours.text)
        axis.title.set(color=colours.text, fontsize=11)
        for side in (axis.xaxis, axis.yaxis):
            if side.get_scale() == "log":
                side.set_major_formatter(_POWERS)
        if not bare:
            axis.grid(color=colours.grid, linewidth=0.8)
            # Below the first layer, which HoloViews puts at 0.
            axis.xaxis.set_zorder(-1)
            axis.yaxis.set_zorder(-1)
        if legend is not None:
            _key(plot, axis, colours, legend)

    return colour


# Powers of ten without mathematics: no text of ours is read as a formula.
_POWERS = FuncFormatter(lambda value, _: f"{value:g}")
# Where a legend stands, for Matplotlib.
_CORNERS = {
    "bottom_right": {"loc": "lower right"},
    "bottom_left": {"loc": "lower left"},
    "top_left": {"loc": "upper left"},
    "top_right": {"loc": "upper right"},
    "right": {"loc": "center left", "bbox_to_anchor": (1.01, 0.5)},
    # Below ticks and label, which take the same of a high figure and of a low one.
    "bottom": {
        "loc": "upper center",
        "bbox_to_anchor": (0.5, 0.0),
        "borderaxespad": 4.5,
        "ncols": 3,
    },
}


def _key(plot: Any, axis: Any, colours: Palette, corner: str) -> None:
    """Draw a legend in which lines and marks of the same name stand on each other."""
    found: dict[str, list[Any]] = {}
    for subplot in plot.traverse(lambda each: each):
        label = getattr(getattr(subplot, "hmap", None), "last", None)
        name, artist = getattr(label, "label", ""), subplot.handles.get("artist")
        if name and artist is not None and getattr(subplot, "show_legend", True):
            found.setdefault(name, []).append(_one(artist))
    if not found:
        return
    legend = axis.legend(
        [tuple(artists) for artists in found.values()],
        list(found),
        fontsize=9,
        **_CORNERS[corner],
    )
    legend.get_frame().set_facecolor(colours.background)
    legend.get_frame().set_edgecolor(colours.grid)
    for text in legend.get_texts():
        text.set_color(colours.text)


def _one(artist: Any) -> Any:
    return artist[0] if isinstance(artist, (list, tuple)) else artist
