"""Seconds against the number of features, for the dual, the primal and scikit-learn."""

from __future__ import annotations

from typing import Any, ClassVar

import param
from bokeh.models import FixedTicker, HoverTool, Range1d
from bokeh.plotting import figure

from solvers.methods.selective_ridge.chronometry import CONTENDERS

from ...widgets.markup import markup
from ...widgets.still_figure import legend_above, still_figure
from ...widgets.text import plain
from ...widgets.theme import SIDE_HEIGHT
from .marked_lines import MarkedLines
from .state import SelectivityState
from .text import timings_text

__all__ = ["TimingPlot"]

# A log axis without data wants a range all the same.
X_EMPTY, Y_EMPTY = (90.0, 1000.0), (1e-3, 1.0)


class TimingPlot(MarkedLines):
    """Who takes how long as the table grows, on log axes."""

    state = param.ClassSelector(class_=SelectivityState)

    styles: ClassVar = {
        "dual": ("circle", "solid", "lit"),
        "primal": ("triangle", "dashed", "shared"),
        "scikit": ("square", "dotted", "quiet_text"),
    }
    columns: ClassVar = ("features", "seconds", "note")

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        self.figure = self._figure()
        self._text = markup("", min_height=60)
        self._watch_state(self._draw, "timings")
        self._use_theme()
        self._draw()

    def _figure(self) -> figure:
        plot = still_figure(
            height=SIDE_HEIGHT,
            x_axis_type="log",
            y_axis_type="log",
            x_range=Range1d(*X_EMPTY),
            y_range=Range1d(*Y_EMPTY),
            x_axis_label="features (first columns of the paper's size)",
            y_axis_label="seconds from nothing",
            name="timings",
        )
        plot.xaxis.ticker = FixedTicker(ticks=list(X_EMPTY))
        tooltips = [
            ("features", "@features"),
            ("time", "@seconds{0.000} s"),
            ("", "@note"),
        ]
        marks = self._add_lines(plot, CONTENDERS, size=8)
        plot.add_tools(HoverTool(renderers=marks, tooltips=tooltips))
        legend_above(plot, spacing=0)
        return plot

    def _draw(self) -> None:
        for name, source in self._sources.items():
            found = [
                row
                for row in self.state.timings
                if row.contender == name and row.seconds is not None
            ]
            source.data = {
                "features": [float(row.n_features) for row in found],
                "seconds": [row.seconds for row in found],
                "note": [row.note for row in found],
            }
        self._fit_ranges()
        self._text.object = plain(timings_text(self.state.timings))

    def _fit_ranges(self) -> None:
        timed = [row for row in self.state.timings if row.seconds is not None]
        if timed:
            sizes = sorted({row.n_features for row in timed})
            seconds = [row.seconds for row in timed]
            self.figure.x_range.update(start=min(sizes) / 1.2, end=1.2 * max(sizes))
            self.figure.xaxis[0].ticker.ticks = sizes
            self.figure.y_range.update(start=min(seconds) / 1.5, end=1.5 * max(seconds))
