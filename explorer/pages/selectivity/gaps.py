"""The duality gap, iteration by iteration: ours and the published algorithm's."""

from __future__ import annotations

from typing import Any, ClassVar

import param
from bokeh.models import DataRange1d, HoverTool, Range1d
from bokeh.plotting import figure

from ...widgets.markup import markup
from ...widgets.still_figure import legend_above, still_figure
from ...widgets.text import plain
from ...widgets.theme import SIDE_HEIGHT
from .marked_lines import MarkedLines
from .state import SelectivityState
from .text import ALGORITHM_TITLES, gaps_text

__all__ = ["GapPlot"]

# Below this a gap is rounding, and a log axis has no zero.
LEAST_GAP = 1e-12


class GapPlot(MarkedLines):
    """How much is left to prove after each iteration, from nothing."""

    state = param.ClassSelector(class_=SelectivityState)

    styles: ClassVar = {
        "interior_point": ("circle", "solid", "lit"),
        "published": ("triangle", "dashed", "shared"),
    }
    columns: ClassVar = ("iteration", "gap")

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        self.figure = self._figure()
        self._text = markup("", min_height=40)
        self._watch_state(self._draw, "gaps")
        self._use_theme()
        self._draw()

    def _figure(self) -> figure:
        plot = still_figure(
            height=SIDE_HEIGHT,
            y_axis_type="log",
            x_range=DataRange1d(start=0),
            y_range=Range1d(1e-9, 3.0),
            x_axis_label="iteration",
            y_axis_label="gap as a share of the criterion",
            name="gaps",
        )
        tooltips = [("iteration", "@iteration"), ("relative gap", "@gap{0.0e}")]
        marks = self._add_lines(plot, ALGORITHM_TITLES, size=7)
        plot.add_tools(HoverTool(renderers=marks, tooltips=tooltips))
        legend_above(plot, orientation="horizontal")
        return plot

    def _draw(self) -> None:
        gaps = self.state.gaps
        least = 1e-6
        for name, source in self._sources.items():
            found = [point for point in gaps if point.algorithm == name]
            shown = [max(point.relative_gap, LEAST_GAP) for point in found]
            least = min([least, *shown])
            source.data = {
                "iteration": [float(point.iteration) for point in found],
                "gap": shown,
            }
        self.figure.y_range.start = least / 3
        answer = self.state.answer
        n_rows = 0 if answer is None else len(answer.bench.data.y)
        self._text.object = plain(gaps_text(gaps, n_rows))
