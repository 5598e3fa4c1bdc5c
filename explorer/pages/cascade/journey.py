"""One row's way through a cascade: features, scores, where it may go on, exit."""

from __future__ import annotations

from typing import Any

import numpy as np
import panel as pn
import param
from bokeh.models import FixedTicker, Range1d, Span
from bokeh.plotting import figure

from solvers import Dataset

from ...widgets.figure_view import FigureView, empty_source
from ...widgets.markup import markup
from ...widgets.still_figure import still_figure
from ...widgets.text import plain
from ...widgets.theme import method_style, palette
from .result import RowJourney
from .stage_table import headed_table
from .state import METHODS, CascadeState

__all__ = ["CascadeJourney"]

HEIGHT = 260


class CascadeJourney(FigureView):
    """The stops that have been stepped through."""

    state = param.ClassSelector(class_=CascadeState)
    method = param.Selector(default="tefe", objects=list(METHODS))

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        self._stops = empty_source("stage", "score")
        self._last = empty_source("stage", "score")
        self._bands = empty_source("stage", "low", "high")
        self._threshold = Span(
            dimension="width", line_dash="dashed", line_width=2, visible=False
        )
        self.figure = self._figure()
        self._text = markup("", min_height=48)
        self._image = markup("", width=150, sizing_mode="fixed", height=110)
        self._image.visible = False
        self._table = headed_table(METHODS[self.method].stops, self.param.dark)
        self.state.watch_rests(self.method, self._draw, "row", "step", "images")
        self._draw()
        self._use_theme()

    def __panel__(self) -> pn.viewable.Viewable:
        plot = pn.pane.Bokeh(self.figure, sizing_mode="stretch_width", height=HEIGHT)
        return pn.Column(
            pn.Row(self._image, self._text, sizing_mode="stretch_width"),
            plot,
            self._table,
            sizing_mode="stretch_width",
        )

    def _figure(self) -> figure:
        method = METHODS[self.method]
        first, (x_label, y_label) = method.first_stage, method.score_axes
        plot = still_figure(
            height=HEIGHT,
            x_range=Range1d(first - 0.5, 10.5),
            y_range=Range1d(0, 1),
            x_axis_label=x_label,
            y_axis_label=y_label,
            name=method.figures["journey"],
        )
        self._band = plot.vbar(
            x="stage",
            bottom="low",
            top="high",
            width=0.8,
            source=self._bands,
            fill_alpha=0.28,
            line_width=1.5,
        )
        at = {"x": "stage", "y": "score"}
        self._line = plot.line(**at, source=self._stops, line_width=1.5)
        self._dots = plot.scatter(**at, source=self._stops, size=8)
        self._ring = plot.scatter(
            **at, source=self._last, size=18, line_width=2.5, fill_color=None
        )
        plot.xaxis.ticker = FixedTicker(ticks=[first, 5, 10])
        plot.add_layout(self._threshold)
        return plot

    # ------------------------------------------------------------------------- drawing

    def _draw(self) -> None:
        result = self.state.result(self.method)
        if result is None:
            return
        row = self.state.followed(self.method)
        shown = result.drawn_journey(row, self.state.step)
        self._draw_stops(shown)
        self._table.rows = shown.table
        self._text.object = f"<p>{plain(shown.sentence)}</p>"
        self._show_image(shown.image, result.dataset)

    def _draw_stops(self, shown: RowJourney) -> None:
        first, last = METHODS[self.method].first_stage, shown.last_stage
        self.figure.x_range.end = last + 0.5
        step = max(1, round((last - first + 1) / 12))
        self.figure.xaxis[0].ticker.ticks = list(range(first, last + 1, step))
        start, end = shown.score_range
        self.figure.y_range.update(start=start, end=end)
        self._stops.data = {"stage": shown.stages, "score": shown.scores}
        self._last.data = {"stage": shown.stages[-1:], "score": shown.scores[-1:]}
        self._bands.data = dict(shown.bands)
        self._threshold.visible = bool(np.isfinite(shown.threshold))
        if self._threshold.visible:
            self._threshold.location = shown.threshold

    def _show_image(self, row: int | None, dataset: Dataset) -> None:
        self._image.visible = row is not None
        uri = None if row is None else self.state.images.get(row)
        self._image.object = (
            f'<img src="{uri}" alt="{plain(str(dataset.y[row]))}" width="144" '
            'height="96">'
            if uri
            else ""
        )

    def _use_theme(self) -> None:
        colours = palette(self.dark)
        colour = method_style(METHODS[self.method].style).colour(self.dark)
        self._band.glyph.update(
            fill_color=colours.quiet_text, line_color=colours.quiet_text
        )
        self._line.glyph.line_color = colours.quiet_text
        self._dots.glyph.update(fill_color=colour, line_color=colour)
        self._ring.glyph.line_color = colours.ring
        self._threshold.line_color = colours.shared
