"""The best agreement so far and what is proved about all others, event by event."""

from __future__ import annotations

from typing import Any

import param
from bokeh.models import HoverTool, Range1d, Span

from ...figures.search_style import TREE
from ...widgets.figure_view import FigureView
from ...widgets.markup import markup
from ...widgets.still_figure import fit_range, still_figure
from ...widgets.text import plain
from .log import SearchLog
from .state import TrimmingState

HEIGHT = 250


class BestLine(FigureView):
    """Two lines that meet where the best is proved; the dotted line is where we are."""

    state = param.ClassSelector(class_=TrimmingState)

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        self.figure = still_figure(
            height=HEIGHT,
            x_range=Range1d(0, 1),
            y_range=Range1d(0, 1),
            x_axis_label="event of the search",
            y_axis_label="agreement",
            name="best",
        )
        best = self._layer(
            "step",
            *("event", "best"),
            told=["bound"],
            mode="after",
            line_width=2.5,
            line_color=TREE["improved"],
        )
        self._source = best.data_source
        self._layer(
            "step",
            *("event", "bound"),
            source=self._source,
            mode="after",
            line_width=2,
            line_dash="dashed",
            line_color=TREE["bounded"],
        )
        self._here = self._paint(
            Span(dimension="height", location=0, line_dash="dotted"), line_color="ring"
        )
        self.figure.add_layout(self._here)
        tips = [
            ("event", "@event"),
            ("best so far", "@best{0.0000}"),
            ("no other set beats", "@bound{0.0000}"),
        ]
        hover = HoverTool(renderers=[best], tooltips=tips, mode="vline")
        self.figure.add_tools(hover)
        self._text = markup("", min_height=24)
        self._drawn: tuple[SearchLog | None, int] = (None, 0)
        self._watch_state(self._draw, ["arrived", "position", "log"])
        self._draw()

    def _draw(self) -> None:
        log = self.state.log
        if log is None or not log.events:
            return
        if self._drawn != (log, len(log.events)):
            best, bound = log.best_lines()
            # One more point, so that the last step has a length.
            self._source.data = {
                "event": list(range(1, len(best) + 2)),
                "best": [*best.tolist(), float(best[-1])],
                "bound": [*bound.tolist(), float(bound[-1])],
            }
            self.figure.x_range.update(start=1, end=len(best) + 1)
            fit_range(self.figure.y_range, [*best, *bound])
            self._drawn = (log, len(log.events))
        self._here.location = self.state.n_shown
        shown = self.state.best()
        if shown is not None:
            self._text.object = plain(
                f"Solid: best so far, {shown.agreement:.4f}. Dashed: what another set "
                f"may still reach, {max(shown.bound, shown.agreement):.4f}."
            )
