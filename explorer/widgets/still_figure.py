"""The frame that most pictures begin with."""

from typing import Any

from bokeh.plotting import figure

__all__ = ["still_figure"]


def still_figure(**options: Any) -> figure:
    """Return an empty figure that stays where it is: no tools, as wide as its frame."""
    return figure(
        sizing_mode="stretch_width",
        tools="",
        toolbar_location=None,
        outline_line_color=None,
        **options,
    )
