"""Our algorithm beside others: the gap by iterations, seconds by features."""

from __future__ import annotations

from typing import Any

import param
from bokeh.models import DataRange1d, FixedTicker, HoverTool, Range1d

from solvers.methods.selective_ridge.chronometry import CONTENDERS

from ...widgets.figure_view import FigureView
from ...widgets.markup import markup
from ...widgets.still_figure import legend_above, still_figure
from ...widgets.text import plain
from ...widgets.theme import SIDE_HEIGHT, MethodStyle
from .state import SelectivityState
from .text import ALGORITHM_TITLES, gaps_text, timings_text

# Below this a gap is rounding, and a log axis has no zero.
LEAST_GAP = 1e-12
# A log axis without data wants a range all the same.
X_EMPTY, Y_EMPTY = (90.0, 1000.0), (1e-3, 1.0)
# Marker, dash and colour of who is compared.
PUBLISHED = MethodStyle("#8f4a78", "#CC79A7", "triangle", "dashed")
OURS = {"marker": "circle", "dash": "solid", "role": "lit"}
SECOND = {"marker": "triangle", "dash": "dashed", "role": PUBLISHED}
THIRD = {"marker": "square", "dash": "dotted", "role": "quiet_text"}


class GapPlot(FigureView):
    """How much is left to prove after each iteration, from nothing."""

    state = param.ClassSelector(class_=SelectivityState)

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        self.figure = still_figure(
            height=SIDE_HEIGHT,
            y_axis_type="log",
            x_range=DataRange1d(start=0),
            y_range=Range1d(1e-9, 3.0),
            x_axis_label="iteration",
            y_axis_label="gap as a share of the criterion",
            name="gaps",
        )
        looks = {"interior_point": OURS, "published": SECOND}
        marks = {
            name: self._marked_line(
                "iteration", "gap", size=7, legend_label=ALGORITHM_TITLES[name], **look
            )[1]
            for name, look in looks.items()
        }
        self._sources = {name: drawn.data_source for name, drawn in marks.items()}
        tooltips = [("iteration", "@iteration"), ("relative gap", "@gap{0.0e}")]
        self.figure.add_tools(HoverTool(renderers=[*marks.values()], tooltips=tooltips))
        legend_above(self.figure, orientation="horizontal")
        self._text = markup("", min_height=40)
        self._watch_state(self._draw, "gaps")
        self._draw()

    def _draw(self) -> None:
        gaps = self.state.gaps
        least = 1e-6
        for name, source in self._sources.items():
            found = [point for point in gaps if point.algorithm == name]
            shown = [max(point.relative_gap, LEAST_GAP) for point in found]
            least = min([least, *shown])
            iterations = [float(point.iteration) for point in found]
            source.data = {"iteration": iterations, "gap": shown}
        self.figure.y_range.start = least / 3
        answer = self.state.answer
        n_rows = 0 if answer is None else len(answer.bench.data.y)
        self._text.object = plain(gaps_text(gaps, n_rows))


class TimingPlot(FigureView):
    """Who takes how long as the table grows, on log axes."""

    state = param.ClassSelector(class_=SelectivityState)

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        self.figure = still_figure(
            height=SIDE_HEIGHT,
            x_axis_type="log",
            y_axis_type="log",
            x_range=Range1d(*X_EMPTY),
            y_range=Range1d(*Y_EMPTY),
            x_axis_label="features (first columns of the paper's size)",
            y_axis_label="seconds from nothing",
            name="timings",
        )
        self.figure.xaxis.ticker = FixedTicker(ticks=list(X_EMPTY))
        looks = {"dual": OURS, "primal": SECOND, "scikit": THIRD}
        marks = {
            name: self._marked_line(
                "features",
                "seconds",
                size=8,
                told=["note"],
                legend_label=CONTENDERS[name],
                **look,
            )[1]
            for name, look in looks.items()
        }
        self._sources = {name: drawn.data_source for name, drawn in marks.items()}
        tooltips = [
            ("features", "@features"),
            ("time", "@seconds{0.000} s"),
            ("", "@note"),
        ]
        self.figure.add_tools(HoverTool(renderers=[*marks.values()], tooltips=tooltips))
        legend_above(self.figure, spacing=0)
        self._text = markup("", min_height=60)
        self._watch_state(self._draw, "timings")
        self._draw()

    def _draw(self) -> None:
        timed = [row for row in self.state.timings if row.seconds is not None]
        for name, source in self._sources.items():
            found = [row for row in timed if row.contender == name]
            source.data = {
                "features": [float(row.n_features) for row in found],
                "seconds": [row.seconds for row in found],
                "note": [row.note for row in found],
            }
        if timed:
            sizes = sorted({row.n_features for row in timed})
            seconds = [row.seconds for row in timed]
            self.figure.x_range.update(start=min(sizes) / 1.2, end=1.2 * max(sizes))
            self.figure.xaxis[0].ticker.ticks = sizes
            self.figure.y_range.update(start=min(seconds) / 1.5, end=1.5 * max(seconds))
        self._text.object = plain(timings_text(self.state.timings))
