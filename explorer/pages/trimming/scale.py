"""The new threshold: how agreement depends on it, beside the original one."""

from __future__ import annotations

from typing import Any

import param
from bokeh.models import BoxAnnotation, HoverTool, Range1d, Span

from solvers.values.rounding import rounded

from ...figures.search_style import TREE
from ...widgets.figure_view import FigureView
from ...widgets.markup import markup
from ...widgets.still_figure import still_figure
from ...widgets.text import plain
from .state import TrimmingState

HEIGHT = 250


class ThresholdScale(FigureView):
    """ECA over all new thresholds T', the best interval shaded, T as a dashed line."""

    state = param.ClassSelector(class_=TrimmingState)

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        self.figure = still_figure(
            height=HEIGHT,
            x_range=Range1d(-0.01, 1.01),
            y_range=Range1d(0, 1.05),
            x_axis_label="new threshold T'",
            y_axis_label="agreement (ECA)",
            name="scale",
        )
        good = TREE["improved"]
        self._box = self._paint(
            BoxAnnotation(left=0, right=0, fill_alpha=0.22, line_width=1.5),
            fill_color=good,
            line_color=good,
        )
        steps = self._layer(
            "segment",
            *("x0", "eca", "x1", "eca"),
            told=["interval"],
            line_width=3,
            line_color="lit",
        )
        self._source = steps.data_source
        self._old = self._paint(
            Span(dimension="height", location=0, line_width=2, line_dash="dashed"),
            line_color="shared",
        )
        for mark in (self._box, self._old):
            self.figure.add_layout(mark)
        tips = [("T'", "@interval"), ("agreement", "@eca{0.0000}")]
        self.figure.add_tools(HoverTool(renderers=[steps], tooltips=tips))
        self._text = markup("", min_height=24)
        self._drawn: Any = None
        self._watch_state(self._draw, ["arrived", "position", "log"])
        self._draw()

    def _draw(self) -> None:
        state = self.state
        best = state.best()
        if state.log is None or best is None:
            return
        threshold = state.log.question.threshold
        drawn = (id(state.log), best.features, best.threshold_interval, threshold)
        if drawn == self._drawn:
            return
        self._drawn = drawn
        low, high = best.threshold_interval
        self._box.update(left=low, right=max(high, low + 0.002))
        self._old.location = threshold
        table = state.instances()
        lows, highs, agreements = (
            ([], [], [])
            if table is None
            else (table.cuts.lows, table.cuts.highs, table.cuts.agreements)
        )
        self._source.data = {
            "x0": list(lows),
            "x1": list(highs),
            "eca": list(agreements),
            "interval": [
                f"({rounded(a, 4):g}, {rounded(b, 4):g}]"
                for a, b in zip(lows, highs, strict=True)
            ],
        }
        said = "holds" if threshold in best.threshold_interval else "does not hold"
        self._text.object = plain(
            f"Shaded: any new threshold in {best.threshold_interval} agrees most. It "
            f"{said} the original T = {rounded(threshold, 4):g} (dashed)."
        )
