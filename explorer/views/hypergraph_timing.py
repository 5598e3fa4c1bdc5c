"""Predictions of the hypergraph cascade that stop early: measured against charged."""

from __future__ import annotations

from typing import Any

import panel as pn
import param
from bokeh.models import (
    ColumnDataSource,
    HoverTool,
    NumeralTickFormatter,
    Range1d,
)
from bokeh.plotting import figure
from panel.viewable import Viewer

from ..markup import markup
from ..state.cascade import CascadeState
from ..state.hypergraph_training import HypergraphRun
from ..text import cost_text, plain
from ..theme import SIDE_HEIGHT, palette

__all__ = ["HypergraphTiming", "timing_text"]

COLUMNS = ("charged", "measured", "row", "stage", "label")


class HypergraphTiming(Viewer):
    """One mark a prediction, beside the line on which charged is measured."""

    state = param.ClassSelector(class_=CascadeState)
    dark = param.Boolean(default=False, doc="Whether the page is dark.")

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        self._runs = ColumnDataSource({column: [] for column in COLUMNS})
        self._diagonal = ColumnDataSource({"x": [0.0, 1.0], "y": [0.0, 1.0]})
        self.figure = self._figure()
        self._words = markup("", min_height=64)
        self.state.param.watch(lambda *_: self._draw(), "hyper_runs")
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
            x_range=Range1d(0, 115),
            y_range=Range1d(0, 115),
            x_axis_label="charged by the hypergraph (µs)",
            y_axis_label="measured here (µs)",
            name="hypergraph_timing",
        )
        self._line = plot.line(
            "x", "y", source=self._diagonal, line_dash="dashed", line_width=1.5
        )
        self._dots = plot.scatter("charged", "measured", source=self._runs, size=9)
        tooltips = [
            ("row", "@row, @label"),
            ("left at stage", "@stage"),
            ("charged", "@charged{0} µs"),
            ("measured", "@measured{0} µs"),
        ]
        plot.add_tools(HoverTool(renderers=[self._dots], tooltips=tooltips))
        plot.axis.formatter = NumeralTickFormatter(format="0")
        plot.outline_line_color = None
        return plot

    def _draw(self) -> None:
        runs: list[HypergraphRun] = self.state.hyper_runs
        self._runs.data = {
            "charged": [run.charged for run in runs],
            "measured": [run.measured for run in runs],
            "row": [run.row for run in runs],
            "stage": [run.journey.stops[-1].stage for run in runs],
            "label": [str(run.journey.label) for run in runs],
        }
        ends = [max(run.charged, run.measured) for run in runs]
        top = 1.15 * max(ends, default=100.0)
        self.figure.x_range.end = self.figure.y_range.end = top
        self._diagonal.data = {"x": [0.0, top], "y": [0.0, top]}
        self._words.object = f"<p>{plain(timing_text(self.state))}</p>"

    def _recolour(self) -> None:
        colours = palette(self.dark)
        self._dots.glyph.update(fill_color=colours.lit, line_color=colours.lit)
        self._line.glyph.line_color = colours.quiet_text


def timing_text(state: CascadeState) -> str:
    """Return what the last prediction took, in words.

    Parameters
    ----------
    state : CascadeState
        The state.

    Returns
    -------
    str
    """
    if not state.hyper_runs:
        return (
            "A prediction computes one stage's features after the other from the raw "
            "sample, and stops when its score leaves the interval. Run one to see what "
            "it takes here, beside what it is charged."
        )
    run = state.hyper_runs[-1]
    return (
        f"Row {run.row}, {run.truth}: {run.journey.label} at stage "
        f"{run.journey.stops[-1].stage}. Charged {cost_text(run.charged, 'us')}, "
        f"measured {cost_text(run.measured, 'us')}, of which the decisions take "
        f"{cost_text(run.deciding, 'us')}; median of nine. "
        f"{state.hyper.dataset.costs_note}"
    )
