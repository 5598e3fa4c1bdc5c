"""What the colours of the map stand for: a strip of them beside an axis.

Bokeh's own bar of colours asks for a layout before it has one when its axis changes
while the browser still builds it; then the whole page stays white.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from bokeh.models import FixedTicker, Image, LinearColorMapper, Range1d
from bokeh.plotting import figure

from ...widgets.figure_view import empty_source

WIDTH = 96
N_CELLS = 201


class ColourScale:
    """A narrow figure of all colours of a mapper, with what they mean."""

    def __init__(self, mapper: LinearColorMapper, height: int) -> None:
        self._mapper = mapper
        self._strip = empty_source("image", "x", "y", "w", "h")
        self.figure = self._figure(height)

    def _figure(self, height: int) -> Any:
        plot = figure(
            width=WIDTH,
            height=height,
            tools="",
            toolbar_location=None,
            outline_line_color=None,
            x_range=Range1d(0, 1),
            y_range=Range1d(-1, 1),
            y_axis_location="right",
            name="colours",
        )
        glyph = Image(
            image="image", x="x", y="y", dw="w", dh="h", color_mapper=self._mapper
        )
        plot.add_glyph(self._strip, glyph)
        plot.xaxis.visible = plot.grid.visible = False
        plot.yaxis.update(
            ticker=FixedTicker(ticks=[]),
            axis_line_color=None,
            minor_tick_line_color=None,
            major_label_text_font_size="12px",
        )
        return plot

    def show(self, low: float, high: float, labels: Mapping[float, str]) -> None:
        """Show the colours from one value to another, with labels at some."""
        self._strip.data = {
            "image": [np.linspace(low, high, N_CELLS)[:, np.newaxis]],
            "x": [0.0],
            "y": [low],
            "w": [1.0],
            "h": [high - low],
        }
        self.figure.y_range.update(start=low, end=high)
        axis = self.figure.yaxis[0]
        axis.ticker.ticks = [*labels]
        axis.major_label_overrides = dict(labels)
