"""Scores of the rows that reach each stage, and between which of them rows go on."""

from __future__ import annotations

from typing import Any

import numpy as np
import param
from bokeh.models import FixedTicker, GlyphRenderer, HoverTool, Range1d
from numpy.typing import NDArray

from ...widgets.figure_view import FigureView
from ...widgets.still_figure import legend_below, still_figure
from ...widgets.theme import PLOT_HEIGHT
from .hypergraph_result import PolicyResult
from .result import bound_text
from .state import CascadeState

# How far the longest bar of a stage goes to either side of its middle.
REACH = 0.44
BARS = ("stage", "side", "bottom", "top", "count", "name")
BANDS = ("stage", "bottom", "top", "name", "low", "high", "reached")
TOOLTIPS = [
    ("stage", "@name"),
    ("rows of this score", "@count"),
    ("score", "@bottom{0.0} to @top{0.0}"),
]
BAND_TOOLTIPS = [
    ("stage", "@name, @reached rows reach it"),
    ("go on between", "@low and @high"),
]


class HypergraphBands(FigureView):
    """A column a stage: right answers to the right, wrong ones to the left."""

    state = param.ClassSelector(class_=CascadeState)

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        self.figure = still_figure(
            height=PLOT_HEIGHT,
            x_range=Range1d(-0.6, 10.6),
            y_range=Range1d(-1, 1),
            x_axis_label="stage",
            y_axis_label="score u",
            name="bands",
        )
        self.figure.xaxis.ticker = FixedTicker(ticks=[0, 5, 10])
        self.figure.xgrid.visible = False
        band = self._layer(
            "vbar",
            told=BANDS,
            x="stage",
            bottom="bottom",
            top="top",
            width=0.94,
            fill_color="quiet_text",
            fill_alpha=0.28,
            line_color="quiet_text",
            line_width=1.5,
            legend_label="go on",
            name="band",
        )
        # The side tells right from wrong: patterns on hundreds of bars are slow.
        right = self._quads("right", "right →", "stage", "side", "lit")
        wrong = self._quads("wrong", "← wrong", "side", "stage", "shared")
        self._bands = band.data_source
        self._bars = {"right": right.data_source, "wrong": wrong.data_source}
        self.figure.add_tools(
            HoverTool(renderers=[right, wrong], tooltips=TOOLTIPS),
            HoverTool(renderers=[band], tooltips=BAND_TOOLTIPS),
        )
        legend_below(self.figure)
        self.state.watch_moves("hypergraph", self._draw)
        self._draw()

    def _quads(
        self, kind: str, label: str, left: str, right: str, fill: str
    ) -> GlyphRenderer:
        return self._layer(
            "quad",
            told=BARS,
            left=left,
            right=right,
            bottom="bottom",
            top="top",
            fill_color=fill,
            line_color=None,
            legend_label=label,
            name=kind,
        )

    # ------------------------------------------------------------------------- drawing

    def _draw(self) -> None:
        picture = self.state.policy_result()
        if picture is None:
            return
        self._fit_axes(picture)
        self._bands.data = _bands(picture)
        longest = np.maximum(picture.right_scores, picture.wrong_scores).max(axis=1)
        for kind, scores, sign in (
            ("right", picture.right_scores, 1.0),
            ("wrong", picture.wrong_scores, -1.0),
        ):
            self._bars[kind].data = _bars(picture, scores, longest, sign)

    def _fit_axes(self, picture: PolicyResult) -> None:
        """Give the stages of this member room; a patch only where they are others."""
        end, edges = picture.n_stages - 0.4, picture.trained.edges
        room = 0.12 * (edges[-1] - edges[0])  # above stands the legend
        ends = float(edges[0]), float(edges[-1] + room)
        y_range = self.figure.y_range
        if (y_range.start, y_range.end) != ends:
            y_range.update(start=ends[0], end=ends[1])
            is_binary = picture.trained.replay.is_binary
            self.figure.yaxis.axis_label = (
                "score u: log-odds of the second class"
                if is_binary
                else "score u: how far the best class leads, in log-odds"
            )
        if self.figure.x_range.end != end:
            self.figure.x_range.end = end
            every = 1 if picture.n_stages <= 16 else 5
            self.figure.xaxis[0].ticker.ticks = list(range(0, picture.n_stages, every))
            self.figure.xaxis.axis_label = (
                "stage, 0 is the free answer"
                if len(picture.first) == 2
                else "stage; the leaves of the splits one after the other"
            )


def _bands(picture: PolicyResult) -> dict[str, Any]:
    """Return where rows go on, at the stages that rows reach."""
    edges = picture.trained.edges
    at = np.flatnonzero((picture.reached > 0) & (picture.low < picture.high))
    return {
        "stage": at.astype(float),
        "bottom": np.clip(picture.low[at], edges[0], edges[-1]),
        "top": np.clip(picture.high[at], edges[0], edges[-1]),
        "name": [picture.name(place) for place in at],
        "low": [bound_text(value) for value in picture.low[at]],
        "high": [bound_text(value) for value in picture.high[at]],
        "reached": picture.reached[at],
    }


def _bars(
    picture: PolicyResult, scores: NDArray[np.int_], longest: NDArray, sign: float
) -> dict[str, Any]:
    """Return the bars that are there: each stage's longest one is as long."""
    place, at = np.nonzero(scores)
    counts, edges = scores[place, at], picture.trained.edges
    return {
        "stage": place.astype(float),
        "side": place + sign * REACH * counts / longest[place],
        "bottom": edges[at],
        "top": edges[at + 1],
        "count": counts,
        "name": [picture.name(p) for p in place],
    }
