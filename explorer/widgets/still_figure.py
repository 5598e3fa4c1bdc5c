"""The frames that pictures begin with, and where their legends stand."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from bokeh.models import Range1d
from bokeh.plotting import figure

from .figure_view import live_figure


def still_figure(**options: Any) -> figure:
    """Return an empty figure that stays where it is: no tools, as wide as its frame."""
    return figure(
        sizing_mode="stretch_width",
        tools="",
        toolbar_location=None,
        outline_line_color=None,
        **options,
    )


def diagram_figure(**options: Any) -> figure:
    """Return an empty figure for nodes and links: no axes, moved and scaled by hand."""
    plot = live_figure(**options)
    plot.toolbar.autohide = True
    plot.axis.visible = plot.grid.visible = False
    return plot


def legend_above(plot: figure, **options: Any) -> None:
    """Put the legend of a figure above it, without a frame."""
    legend = plot.legend[0]
    plot.add_layout(legend, "above")
    legend.update(
        padding=2, border_line_color=None, label_text_font_size="12px", **options
    )


def legend_below(plot: figure, n_columns: int = 3) -> None:
    """Put the legend of a figure where it hides nothing of it."""
    legend = plot.legend[0]
    plot.add_layout(legend, "below")
    legend.update(
        ncols=n_columns,
        border_line_color=None,
        label_text_font_size="12px",
        padding=2,
        margin=2,
    )


def name_what_is_drawn(plot: figure) -> None:
    """Leave out of the legend what draws nothing: its entry would have no mark."""
    for item in plot.legend[0].items:
        columns = [one.data_source.data.values() for one in item.renderers]
        item.visible = any(len(next(iter(data), ())) for data in columns)


def fit_range(shown: Range1d, values: Sequence[float], padding: float = 0.1) -> None:
    """Let a range end around values, with room of a share of what lies between them.

    A browser that fits ranges by itself complains while there is nothing to fit.
    """
    known = np.array([value for value in values if np.isfinite(value)])
    if not known.size:
        return
    low, high = float(known.min()), float(known.max())
    room = padding * (high - low) or padding * abs(high) or 1.0
    set_ends(shown, low - room, high + room)


def set_ends(shown: Range1d, low: float, high: float) -> None:
    """Let a range end there, now and whenever the figure is reset."""
    shown.update(start=low, end=high, reset_start=low, reset_end=high)
