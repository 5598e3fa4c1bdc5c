"""Predictions that really stop early: measured against predicted time."""

from __future__ import annotations

from typing import Any

import panel as pn
import param
from bokeh.models import ColumnDataSource, HoverTool, Range1d
from bokeh.plotting import figure
from panel.viewable import Viewer

from ..markup import markup
from ..state.cascade import CascadeState
from ..state.cascade_running import PredictionRun
from ..text import cost_text, plain
from ..theme import SIDE_HEIGHT, palette

__all__ = ["CascadeTiming"]

COLUMNS = ("predicted", "measured", "row", "stage", "label")


class CascadeTiming(Viewer):
    """One mark a prediction, and the same rows when nobody stops them."""

    state = param.ClassSelector(class_=CascadeState)
    dark = param.Boolean(default=False, doc="Whether the page is dark.")

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        self._early = ColumnDataSource({column: [] for column in COLUMNS})
        self._whole = ColumnDataSource({column: [] for column in COLUMNS})
        self._diagonal = ColumnDataSource({"x": [0.0, 1.0], "y": [0.0, 1.0]})
        self.figure = self._figure()
        self._words = markup("", min_height=64)
        self.state.param.watch(lambda *_: self._draw(), "runs")
        self.param.watch(lambda *_: self._recolour(), "dark")
        self._draw()
        self._recolour()

    def __panel__(self) -> pn.viewable.Viewable:
        plot = pn.pane.Bokeh(
            self.figure, sizing_mode="stretch_width", height=SIDE_HEIGHT
        )
        return pn.Column(self._words, plot, sizing_mode="stretch_width")

    def _figure(self) -> figure:
        plot = figure(
            height=SIDE_HEIGHT,
            sizing_mode="stretch_width",
            output_backend="canvas",
            tools="",
            toolbar_location=None,
            x_range=Range1d(0, 1),
            y_range=Range1d(0, 1),
            x_axis_label="predicted: what the hypergraph charges (µs)",
            y_axis_label="measured here (µs)",
            name="timing",
        )
        self._line = plot.line(
            "x", "y", source=self._diagonal, line_dash="dashed", line_width=1.5
        )
        at = {"x": "predicted", "y": "measured", "size": 9}
        self._dots = plot.scatter(
            **at, source=self._early, marker="circle", legend_label="stops when sure"
        )
        self._squares = plot.scatter(
            **at,
            source=self._whole,
            marker="square",
            fill_color=None,
            legend_label="goes to the end",
        )
        legend = plot.legend[0]
        legend.location, legend.label_text_font_size = "top_left", "12px"
        legend.background_fill_alpha = 0.75
        tooltips = [
            ("row", "@row, @label"),
            ("left at stage", "@stage"),
            ("predicted", "@predicted{0} µs"),
            ("measured", "@measured{0} µs"),
        ]
        plot.add_tools(
            HoverTool(renderers=[self._dots, self._squares], tooltips=tooltips)
        )
        plot.outline_line_color = None
        return plot

    def _draw(self) -> None:
        runs: list[PredictionRun] = self.state.runs
        told = {
            "row": [run.row for run in runs],
            "stage": [run.journey.stage + 1 for run in runs],
            "label": [str(run.journey.label) for run in runs],
        }
        self._early.data = {
            "predicted": [run.predicted for run in runs],
            "measured": [run.measured for run in runs],
            **told,
        }
        self._whole.data = {
            "predicted": [run.full_predicted for run in runs],
            "measured": [run.full_measured for run in runs],
            **told,
        }
        ends = [max(run.full_predicted, run.full_measured) for run in runs]
        # To the right of the marks nothing is cut, whichever is the longer.
        top = 1.1 * max([*ends, *(run.measured for run in runs)], default=1.0)
        self.figure.x_range.end = self.figure.y_range.end = top
        self._diagonal.data = {"x": [0.0, top], "y": [0.0, top]}
        self._words.object = f"<p>{plain(_sentence(self.state, runs))}</p>"

    def _recolour(self) -> None:
        colours = palette(self.dark)
        self._dots.glyph.update(fill_color=colours.lit, line_color=colours.lit)
        self._squares.glyph.line_color = colours.shared
        self._line.glyph.line_color = colours.quiet_text


def _sentence(state: CascadeState, runs: list[PredictionRun]) -> str:
    if not runs:
        return (
            "A prediction computes one group of features after the other from the raw "
            "sample, and stops when it is sure. Run one to see what it takes here."
        )
    run = runs[-1]
    return (
        f"Row {run.row}, {run.truth}: {run.journey.label} at stage "
        f"{run.journey.stage + 1}. Predicted {cost_text(run.predicted, 'us')} "
        f"({100 * run.predicted / run.full_predicted:.0f} % of the whole way), "
        f"measured {cost_text(run.measured, 'us')} "
        f"({100 * run.measured / run.full_measured:.0f} % of the whole way, "
        f"{cost_text(run.full_measured, 'us')}), decisions included; median of nine. "
        f"{state.cascade.dataset.costs_note}"
    )
