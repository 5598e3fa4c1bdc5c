"""Predictions that really stop early: measured against charged time."""

from __future__ import annotations

from typing import Any

import panel as pn
import param
from bokeh.models import HoverTool, NumeralTickFormatter, Range1d

from ...widgets.figure_view import FigureView, figure_pane
from ...widgets.markup import markup
from ...widgets.parts import wide_column
from ...widgets.still_figure import legend_below, still_figure
from ...widgets.text import plain
from ...widgets.theme import SIDE_HEIGHT
from .result import PredictionRun
from .state import METHODS, CascadeState

TIMES, TOLD = ("charged", "measured"), ("row", "stage", "label")


class CascadeTiming(FigureView):
    """One mark a prediction, beside the line on which both times are the same.

    Where what it is compared with is charged for as well, that has marks of its own.
    """

    state = param.ClassSelector(class_=CascadeState)
    method = param.Selector(default="tefe", objects=list(METHODS))

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        method = METHODS[self.method]
        self.figure = still_figure(
            height=SIDE_HEIGHT,
            x_range=Range1d(0, 115),
            y_range=Range1d(0, 115),
            x_axis_label=f"{method.charged} (µs)",
            y_axis_label="measured here (µs)",
            name=method.figures["timing"],
        )
        self.figure.axis.formatter = NumeralTickFormatter(format="0")
        self._diagonal = self._layer(
            "line",
            "x",
            "y",
            line_color="quiet_text",
            line_dash="dashed",
            line_width=1.5,
        ).data_source
        dots = {"marker": "circle", "line_color": "lit", "fill_color": "lit"}
        squares = {"marker": "square", "line_color": "shared", "fill_color": None}
        labels = [{"legend_label": label} for label in method.marks] or [{}]
        self._marks = [
            self._layer("scatter", *TIMES, told=TOLD, size=9, **look, **label)
            for look, label in zip((dots, squares), labels, strict=False)
        ]
        if method.marks:
            legend_below(self.figure)
        tooltips = [
            ("row", "@row, @label"),
            ("left at stage", "@stage"),
            (method.charged.split()[0].rstrip(":"), "@charged{0} µs"),
            ("measured", "@measured{0} µs"),
        ]
        self.figure.add_tools(HoverTool(renderers=self._marks, tooltips=tooltips))
        # Hidden while there is no mark: an empty plot says nothing.
        self._plot = wide_column(figure_pane(self.figure), visible=False)
        self._text = markup("", min_height=64)
        self._watch_state(self._draw, method.runs)
        self._draw()

    def __panel__(self) -> pn.viewable.Viewable:
        return wide_column(self._text, self._plot)

    # ------------------------------------------------------------------------- drawing

    def _draw(self) -> None:
        runs: list[PredictionRun] = self.state.runs_of(self.method)
        first = METHODS[self.method].first_stage
        told = {
            "row": [run.row for run in runs],
            "stage": [first + run.journey.stage for run in runs],
            "label": [str(run.journey.label) for run in runs],
        }
        times = [
            ([run.charged for run in runs], [run.measured for run in runs]),
            (
                [run.reference_charged for run in runs],
                [run.reference_measured for run in runs],
            ),
        ][: len(self._marks)]
        for marks, (charged, measured) in zip(self._marks, times, strict=True):
            marks.data_source.data = {"charged": charged, "measured": measured, **told}
        self._plot.visible = bool(runs)
        # To the right of the marks nothing is cut, whichever is the longer.
        every = [time for pair in times for axis in pair for time in axis]
        top = 1.15 * max(every, default=100.0)
        self.figure.x_range.end = self.figure.y_range.end = top
        self._diagonal.data = {"x": [0.0, top], "y": [0.0, top]}
        self._text.object = f"<p>{plain(timing_text(self.state, self.method))}</p>"


def timing_text(state: CascadeState, method: str = "tefe") -> str:
    """Return what the last prediction took, in words."""
    runs, result = state.runs_of(method), state.result(method)
    if not runs or result is None:
        return METHODS[method].before_runs
    return result.timing_text(runs[-1])
