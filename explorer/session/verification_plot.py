"""Measured against predicted time, one mark a selection of features."""

from __future__ import annotations

from typing import Any

import param
from bokeh.models import ColumnDataSource, HoverTool, Range1d, Whisker
from bokeh.plotting import figure

from solvers.verification import Verification

from ..widgets.figure_view import FigureView, empty_source
from ..widgets.still_figure import still_figure
from ..widgets.theme import SIDE_HEIGHT, palette

__all__ = ["VerificationPlot"]


class VerificationPlot(FigureView):
    """Marks on the diagonal took what the hypergraph says."""

    result: Any = param.ClassSelector(
        class_=Verification, allow_None=True, doc="What was measured."
    )
    draws_colours = True
    names = param.List(default=[], doc="What each selection is called.")

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        self._marks = empty_source("predicted", "measured", "low", "high", "name")
        self._diagonal = ColumnDataSource({"x": [0.0, 1.0], "y": [0.0, 1.0]})
        self.figure = self._figure()
        self.param.watch(lambda *_: self._draw(), "result")
        self._draw()

    def _figure(self) -> figure:
        plot = still_figure(
            height=SIDE_HEIGHT,
            x_range=Range1d(0, 1),
            y_range=Range1d(0, 1),
            x_axis_label="predicted by the measured components (µs per sample)",
            y_axis_label="measured (µs per sample)",
            name="verification",
        )
        self._line = plot.line(
            "x", "y", source=self._diagonal, line_dash="dashed", line_width=1.5
        )
        self._dots = plot.scatter(
            "predicted", "measured", source=self._marks, size=9, marker="circle"
        )
        self._whisker = Whisker(
            source=self._marks, base="predicted", lower="low", upper="high"
        )
        plot.add_layout(self._whisker)
        plot.add_tools(
            HoverTool(
                renderers=[self._dots],
                tooltips=[
                    ("selection", "@name"),
                    ("predicted", "@predicted{0.00} µs"),
                    ("measured", "@measured{0.00} µs"),
                ],
            )
        )
        return plot

    def _draw(self) -> None:
        colours = palette(self.dark)
        self._dots.glyph.update(fill_color=colours.lit, line_color=colours.lit)
        self._line.glyph.line_color = colours.faded
        self._whisker.line_color = colours.quiet_text
        if self.result is None:
            return
        found = self.result
        half = found.spread / 2
        self._marks.data = {
            "predicted": found.predicted,
            "measured": found.measured,
            "low": found.measured - half,
            "high": found.measured + half,
            "name": list(self.names),
        }
        top = 1.1 * max(
            float(found.predicted.max()), float((found.measured + half).max())
        )
        self._diagonal.data = {"x": [0.0, top], "y": [0.0, top]}
        self.figure.x_range.end = self.figure.y_range.end = top
