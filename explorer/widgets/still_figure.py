"""The frames that pictures begin with, and where they end."""

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


def set_ends(shown: Range1d, low: float, high: float) -> None:
    """Let a range end there, now and whenever the figure is reset."""
    shown.update(start=low, end=high, reset_start=low, reset_end=high)
