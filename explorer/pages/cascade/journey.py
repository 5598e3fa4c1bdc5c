"""One row's way through the cascade: features, margins, confidence, exit."""

from __future__ import annotations

from typing import Any

import numpy as np
import panel as pn
import param
from bokeh.models import ColumnDataSource, FixedTicker, Range1d, Span
from bokeh.plotting import figure
from panel.viewable import Viewer

from solvers.methods.tefe import Journey
from solvers.methods.tefe.journey import Stop

from ...widgets.data_table import DataTable
from ...widgets.markup import markup
from ...widgets.still_figure import still_figure
from ...widgets.text import cost_text, number, plain
from ...widgets.theme import method_style, palette
from .state import CascadePicture, CascadeState

__all__ = ["CascadeJourney"]

HEIGHT = 260
# A group's values are listed up to here.
MOST_VALUES = 4
COLUMNS = [
    "Stage",
    "Confidence",
    "Would say",
    "Then",
    "Paid so far",
    "Margin",
    "Adds",
]


class CascadeJourney(Viewer):
    """The stops that have been stepped through."""

    state = param.ClassSelector(class_=CascadeState)
    dark = param.Boolean(default=False, doc="Whether the page is dark.")

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        self._stops = ColumnDataSource({"stage": [0.0], "confidence": [0.0]})
        self._last = ColumnDataSource({"stage": [0.0], "confidence": [0.0]})
        self._threshold = Span(dimension="width", line_dash="dashed", line_width=2)
        self.figure = self._figure()
        self._words = markup("", min_height=48)
        self._image = markup("", width=150, sizing_mode="fixed", height=110)
        self._table = DataTable(
            caption="Stops of one row",
            columns=COLUMNS,
            numbers=[True, True, False, False, True, False, False],
            height=260,
            sizing_mode="stretch_width",
        )
        watch = self.state.param.watch
        inputs = ["cascade", "confidence", "cap", "rests", "row", "step"]
        watch(lambda *_: self._draw(), [*inputs, "images"])
        self.param.watch(lambda *_: self._recolour(), "dark")
        self._draw()
        self._recolour()

    def __panel__(self) -> pn.viewable.Viewable:
        plot = pn.pane.Bokeh(self.figure, sizing_mode="stretch_width", height=HEIGHT)
        return pn.Column(
            pn.Row(self._image, self._words, sizing_mode="stretch_width"),
            plot,
            self._table,
            sizing_mode="stretch_width",
        )

    def _figure(self) -> figure:
        plot = still_figure(
            height=HEIGHT,
            x_range=Range1d(0.5, 10.5),
            y_range=Range1d(0, 1),
            x_axis_label="stage",
            y_axis_label="confidence",
            name="journey",
        )
        at = {"x": "stage", "y": "confidence"}
        self._line = plot.line(**at, source=self._stops, line_width=1.5)
        self._dots = plot.scatter(**at, source=self._stops, size=8)
        self._ring = plot.scatter(
            **at, source=self._last, size=18, line_width=2.5, fill_color=None
        )
        plot.xaxis.ticker = FixedTicker(ticks=[1, 5, 10])
        plot.add_layout(self._threshold)
        return plot

    # ------------------------------------------------------------------------- drawing

    def _draw(self) -> None:
        picture, journey = self.state.picture, self.state.journey()
        if picture is None or journey is None:
            return
        shown = journey.stops[: self.state.step]
        self._draw_stops(picture, journey, shown)
        self._table.rows = [self._row(picture, stop) for stop in shown]
        self._words.object = f"<p>{plain(self._sentence(picture, journey, shown))}</p>"
        self._show_image(picture)

    def _draw_stops(
        self, picture: CascadePicture, journey: Journey, shown: tuple[Stop, ...]
    ) -> None:
        stages = np.array([stop.stage + 1.0 for stop in shown])
        sure = np.array([stop.confidence for stop in shown])
        sure = np.where(np.isfinite(sure), sure, np.nan)
        self._stops.data = {"stage": stages, "confidence": sure}
        self._last.data = {"stage": stages[-1:], "confidence": sure[-1:]}
        last = picture.test.n_stages
        self.figure.x_range.end = last + 0.5
        step = max(1, round(last / 12))
        self.figure.xaxis[0].ticker.ticks = list(range(1, last + 1, step))
        threshold = picture.threshold(self.state.share)
        ways = [stop.confidence for stop in journey.stops]
        marks = [mark for mark in (*ways, threshold) if np.isfinite(mark)]
        self.figure.y_range.update(
            start=min(0.0, *marks, 0.0), end=1.15 * max(*marks, 0.0) or 1.0
        )
        self._threshold.visible = bool(np.isfinite(threshold))
        if self._threshold.visible:
            self._threshold.location = threshold

    def _row(self, picture: CascadePicture, stop: Stop) -> list[Any]:
        data = picture.cascade.dataset
        row = picture.cascade.split.rows["test"][self.state.row]
        index = {name: j for j, name in enumerate(data.feature_names)}
        listed = [
            f"{name} = {number(float(data.X[row, index[name]]))}"
            for name in stop.features[:MOST_VALUES]
        ]
        more = len(stop.features) - len(listed)
        may_answer = np.isfinite(stop.confidence)
        return [
            stop.stage + 1,
            float(f"{stop.confidence:.4g}") if may_answer else "may not answer",
            str(stop.label),
            "leaves" if stop.leaves else "goes on",
            cost_text(stop.cost, data.unit),
            _margins(stop, picture.cascade.model.classes_),
            ", ".join(listed) + (f" and {more} more" if more > 0 else ""),
        ]

    def _sentence(
        self, picture: CascadePicture, journey: Journey, shown: tuple[Stop, ...]
    ) -> str:
        data, stop = picture.cascade.dataset, shown[-1]
        truth = picture.cascade.split.y("test")[self.state.row]
        who = f"Test row {self.state.row}, in truth {truth}"
        if not stop.leaves:
            return f"{who}: after stage {stop.stage + 1} not sure enough, and goes on."
        verdict = "right" if stop.label == truth else "wrong"
        why = (
            "sure enough"
            if stop.confidence >= picture.threshold(self.state.share)
            else "the last stage answers in any case"
        )
        return (
            f"{who}: leaves at stage {stop.stage + 1} of {picture.test.n_stages} as "
            f"{stop.label} ({verdict}; {why}), for {cost_text(stop.cost, data.unit)} "
            f"with {len(journey.features)} of {data.n_features} features."
        )

    def _show_image(self, picture: CascadePicture) -> None:
        row = int(picture.cascade.split.rows["test"][self.state.row])
        uri = self.state.images.get(row) if self.state.has_images else None
        self._image.visible = self.state.has_images
        truth = plain(str(picture.cascade.dataset.y[row]))
        self._image.object = (
            f'<img src="{uri}" alt="{truth}" width="144" height="96">' if uri else ""
        )

    def _recolour(self) -> None:
        colours = palette(self.dark)
        colour = method_style("tefe").colour(self.dark)
        self._line.glyph.line_color = colours.quiet_text
        self._dots.glyph.update(fill_color=colour, line_color=colour)
        self._ring.glyph.line_color = colours.ring
        self._threshold.line_color = colours.shared
        self._table.use_theme(dark=self.dark)


def _margins(stop: Stop, classes: Any) -> str:
    """Return the margin of two classes, or the two best of more."""
    if len(stop.margins) == 1:
        return f"{stop.margins[0]:.3f}"
    best = np.argsort(-stop.margins)[:2]
    return ", ".join(f"{classes[k]} {stop.margins[k]:.2f}" for k in best)
