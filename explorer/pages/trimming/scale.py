"""The new threshold: how agreement depends on it, beside the original one."""

from __future__ import annotations

from typing import Any

import param
from bokeh.models import BoxAnnotation, HoverTool, Range1d, Span
from bokeh.plotting import figure

from ...plots.search_style import TREE
from ...widgets.figure_view import FigureView, empty_source
from ...widgets.markup import markup
from ...widgets.still_figure import still_figure
from ...widgets.text import plain
from ...widgets.theme import palette
from .state import TrimmingState

__all__ = ["ThresholdScale"]

HEIGHT = 250


class ThresholdScale(FigureView):
    """ECA over all new thresholds T', the best interval shaded, T as a dashed line."""

    state = param.ClassSelector(class_=TrimmingState)

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        self._source = empty_source("x0", "x1", "eca", "interval")
        self.figure = self._figure()
        self._text = markup("", min_height=24)
        self._drawn: Any = None
        self._watch_state(self._draw, ["arrived", "position", "log"])
        self._use_theme()
        self._draw()

    def _figure(self) -> figure:
        plot = still_figure(
            height=HEIGHT,
            x_range=Range1d(-0.01, 1.01),
            y_range=Range1d(0, 1.05),
            x_axis_label="new threshold T'",
            y_axis_label="agreement (ECA)",
            name="scale",
        )
        self._box = BoxAnnotation(left=0, right=0, fill_alpha=0.22, line_width=1.5)
        plot.add_layout(self._box)
        self._steps = plot.segment(
            "x0", "eca", "x1", "eca", source=self._source, line_width=3
        )
        self._old = Span(dimension="height", location=0, line_width=2)
        self._old.line_dash = "dashed"
        plot.add_layout(self._old)
        tips = [("T'", "@interval"), ("agreement", "@eca{0.0000}")]
        plot.add_tools(HoverTool(renderers=[self._steps], tooltips=tips))
        return plot

    def _use_theme(self) -> None:
        colours = palette(self.dark)
        good = TREE["improved"].colour(self.dark)
        self._box.update(fill_color=good, line_color=good)
        self._steps.glyph.line_color = colours.lit
        self._old.line_color = colours.shared

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
        cuts = None if table is None else table.cuts
        self._source.data = {
            "x0": [] if cuts is None else cuts.lows.tolist(),
            "x1": [] if cuts is None else cuts.highs.tolist(),
            "eca": [] if cuts is None else cuts.agreements.tolist(),
            "interval": []
            if cuts is None
            else [
                f"({a:.4g}, {b:.4g}]"
                for a, b in zip(cuts.lows, cuts.highs, strict=True)
            ],
        }
        said = "holds" if threshold in best.threshold_interval else "does not hold"
        self._text.object = plain(
            f"Shaded: any new threshold in {best.threshold_interval} agrees most. It "
            f"{said} the original T = {threshold:.4g} (dashed)."
        )
