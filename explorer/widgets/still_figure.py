"""The frames that pictures begin with, and where their legends stand."""

from typing import Any

from bokeh.models import Range1d
from bokeh.plotting import figure


def still_figure(**options: Any) -> figure:
    """Return an empty figure that stays where it is: no tools, as wide as its frame."""
    return figure(
        sizing_mode="stretch_width",
        tools="",
        toolbar_location=None,
        outline_line_color=None,
        **options,
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


def set_ends(shown: Range1d, low: float, high: float) -> None:
    """Let a range end there, now and whenever the figure is reset."""
    shown.update(start=low, end=high, reset_start=low, reset_end=high)
