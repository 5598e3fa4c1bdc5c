"""Measured against predicted time, one mark a selection of features."""

from __future__ import annotations

from typing import Any

import param
from bokeh.models import HoverTool, Range1d, Whisker

from solvers.features.verification import Verification

from ..widgets.figure_view import FigureView
from ..widgets.still_figure import still_figure
from ..widgets.theme import SIDE_HEIGHT


class VerificationPlot(FigureView):
    """Marks on the diagonal took what the hypergraph says."""

    result: Any = param.ClassSelector(
        class_=Verification, allow_None=True, doc="What was measured."
    )
    names = param.List(default=[], doc="What each selection is called.")

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        self.figure = still_figure(
            height=SIDE_HEIGHT,
            x_range=Range1d(0, 1),
            y_range=Range1d(0, 1),
            x_axis_label="predicted by the measured components (µs per sample)",
            y_axis_label="measured (µs per sample)",
            name="verification",
        )
        line = self._layer(
            "line", "x", "y", line_color="faded", line_dash="dashed", line_width=1.5
        )
        dots = self._layer(
            "scatter",
            "predicted",
            "measured",
            told=("low", "high", "name"),
            size=9,
            marker="circle",
            fill_color="lit",
            line_color="lit",
        )
        self._diagonal, self._marks = line.data_source, dots.data_source
        whisker = Whisker(
            source=self._marks, base="predicted", lower="low", upper="high"
        )
        self.figure.add_layout(self._paint(whisker, line_color="quiet_text"))
        self.figure.add_tools(
            HoverTool(
                renderers=[dots],
                tooltips=[
                    ("selection", "@name"),
                    ("predicted", "@predicted{0.00} µs"),
                    ("measured", "@measured{0.00} µs"),
                ],
            )
        )
        self.param.watch(lambda *_: self._draw(), "result")
        self._draw()

    def _draw(self) -> None:
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
