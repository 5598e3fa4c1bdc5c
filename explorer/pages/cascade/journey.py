"""One row's way through a cascade: features, scores, where it may go on, exit."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import panel as pn
import param
from bokeh.models import FixedTicker, Range1d, Span

from solvers import Dataset

from ...compute.jobs import Post
from ...widgets.controls import button
from ...widgets.figure_view import FigureView, figure_pane
from ...widgets.markup import markup
from ...widgets.parts import wide_column, wide_row
from ...widgets.still_figure import still_figure
from ...widgets.text import plain
from ...widgets.theme import method_style
from .result import RowJourney
from .state import METHODS, CascadeState
from .tables import headed_table

HEIGHT = 260
# More stops than any cascade has: all of them are shown.
ALL_STOPS = 100_000


class CascadeJourney(FigureView):
    """The stops that have been stepped through."""

    state = param.ClassSelector(class_=CascadeState)
    method = param.Selector(default="tefe", objects=list(METHODS))

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        method = METHODS[self.method]
        x_label, y_label = method.score_axes
        self.figure = still_figure(
            height=HEIGHT,
            x_range=Range1d(method.first_stage - 0.5, 10.5),
            y_range=Range1d(0, 1),
            x_axis_label=x_label,
            y_axis_label=y_label,
            name=method.figures["journey"],
        )
        self.figure.xaxis.ticker = FixedTicker(ticks=[method.first_stage, 5, 10])
        self._bands = self._layer(
            "vbar",
            told=("stage", "low", "high"),
            x="stage",
            bottom="low",
            top="high",
            width=0.8,
            fill_color="quiet_text",
            fill_alpha=0.28,
            line_color="quiet_text",
            line_width=1.5,
        ).data_source
        at, style = ("stage", "score"), method_style(method.style)
        line = self._layer("line", *at, line_color="quiet_text", line_width=1.5)
        self._stops = line.data_source
        self._layer(
            "scatter",
            *at,
            source=self._stops,
            size=8,
            line_color=style,
            fill_color=style,
        )
        self._last = self._layer(
            "scatter", *at, size=18, line_width=2.5, line_color="ring", fill_color=None
        ).data_source
        self._threshold = self._paint(
            Span(dimension="width", line_dash="dashed", line_width=2, visible=False),
            line_color="shared",
        )
        self.figure.add_layout(self._threshold)
        self._text = markup("", min_height=48)
        self._image = markup("", width=150, sizing_mode="fixed", height=110)
        self._image.visible = False
        self._table = headed_table(method.stops, self.param.dark)
        self.state.watch_rests(self.method, self._draw, "row", "step", "images")
        self._draw()

    def __panel__(self) -> pn.viewable.Viewable:
        return wide_column(
            wide_row(self._image, self._text), figure_pane(self.figure), self._table
        )

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


def stepping_buttons(state: CascadeState, method: str, post: Post) -> Any:
    """Return the buttons that step through a row's journey, and to other rows."""

    def show(step: int) -> None:
        state.step = step

    def go(change: int) -> None:
        journey = state.journey(method)
        stops = 1 if journey is None else len(journey.stops)
        state.step = max(1, min(state.step, stops) + change)

    def other_row(change: int) -> None:
        result = state.result(method)
        if result is not None:
            row = (state.followed(method) + change) % result.n_rows
            state.param.update(row=row, step=ALL_STOPS)

    def next_wrong() -> None:
        result = state.result(method)
        wrong = np.empty(0, dtype=int) if result is None else result.wrong_rows
        later = wrong[wrong > state.followed(method)]
        if wrong.size:
            row = later[0] if later.size else wrong[0]
            state.param.update(row=int(row), step=ALL_STOPS)

    moves: dict[str, Callable[[], None]] = {
        "Previous row": lambda: other_row(-1),
        "Next row": lambda: other_row(1),
        "Next wrong row": next_wrong,
        "First stage": lambda: show(1),
        "Step back": lambda: go(-1),
        "Step": lambda: go(1),
        "To the exit": lambda: show(ALL_STOPS),
    }
    # All that a press changes is drawn in one message.
    buttons = [
        button(label, partial(post, move), small=True) for label, move in moves.items()
    ]
    return pn.FlexBox(*buttons, align_items="center")
