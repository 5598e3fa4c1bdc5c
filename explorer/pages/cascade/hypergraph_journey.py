"""One row's way through the hypergraph cascade: features, scores, intervals, exit."""

from __future__ import annotations

from typing import Any

import numpy as np
import panel as pn
import param
from bokeh.models import ColumnDataSource, FixedTicker, Range1d
from bokeh.plotting import figure
from panel.viewable import Viewer

from solvers.methods.hypergraph_cascade import Journey, Stop

from ...widgets.data_table import DataTable
from ...widgets.markup import markup
from ...widgets.still_figure import still_figure
from ...widgets.text import cost_text, number, plain
from ...widgets.theme import method_style, palette
from .hypergraph_training import TrainedHypergraph
from .state import CascadeState

__all__ = ["HypergraphJourney"]

HEIGHT = 260
# A stage's values are listed up to here.
MOST_VALUES = 4
COLUMNS = ["Stage", "Score", "Goes on between", "Would say", "Then", "Paid so far"]


class HypergraphJourney(Viewer):
    """The stops that have been stepped through."""

    state = param.ClassSelector(class_=CascadeState)
    dark = param.Boolean(default=False, doc="Whether the page is dark.")

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        self._stops = ColumnDataSource({"stage": [], "score": []})
        self._last = ColumnDataSource({"stage": [], "score": []})
        self._bands = ColumnDataSource({"stage": [], "low": [], "high": []})
        self.figure = self._figure()
        self._words = markup("", min_height=48)
        self._table = DataTable(
            caption="Stops of one row in the hypergraph cascade",
            columns=[*COLUMNS, "Computes"],
            numbers=[True, True, False, False, False, True, False],
            height=260,
            sizing_mode="stretch_width",
        )
        watched = ["hyper", "rests", "row", "step"]
        self.state.param.watch(lambda *_: self._draw(), watched)
        self.param.watch(lambda *_: self._recolour(), "dark")
        self._draw()
        self._recolour()

    def __panel__(self) -> pn.viewable.Viewable:
        plot = pn.pane.Bokeh(self.figure, sizing_mode="stretch_width", height=HEIGHT)
        return pn.Column(self._words, plot, self._table, sizing_mode="stretch_width")

    def _figure(self) -> figure:
        plot = still_figure(
            height=HEIGHT,
            x_range=Range1d(-0.5, 10.5),
            y_range=Range1d(-1, 1),
            x_axis_label="stage at which the row may leave",
            y_axis_label="score u",
            name="hypergraph_journey",
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
        plot.xaxis.ticker = FixedTicker(ticks=[0, 5, 10])
        return plot

    # ------------------------------------------------------------------------- drawing

    def _draw(self) -> None:
        trained, journey = self.state.hyper, self.state.hyper_journey()
        if trained is None or journey is None:
            return
        shown = journey.stops[: self.state.step]
        self._draw_stops(trained, journey, shown)
        self._table.rows = [_row(trained, stop) for stop in shown]
        self._words.object = f"<p>{plain(self._sentence(trained, journey, shown))}</p>"

    def _draw_stops(
        self, trained: TrainedHypergraph, journey: Journey, shown: tuple[Stop, ...]
    ) -> None:
        stages = np.array([float(stop.stage) for stop in shown])
        scores = np.array([stop.score for stop in shown])
        ways = [stop.score for stop in journey.stops]
        low = min(float(trained.edges[0]), *ways)
        high = max(float(trained.edges[-1]), *ways)
        room = 0.05 * (high - low)
        self.figure.y_range.update(start=low - room, end=high + room)
        stages_in_all = trained.replay.sheets[
            self.state.hyper_picture.policy.member
        ].scores.shape[1]
        self.figure.x_range.end = stages_in_all - 0.5
        step = max(1, round(stages_in_all / 12))
        self.figure.xaxis[0].ticker.ticks = list(range(0, stages_in_all, step))
        self._stops.data = {"stage": stages, "score": scores}
        self._last.data = {"stage": stages[-1:], "score": scores[-1:]}
        open_ended = [stop for stop in shown if stop.low < stop.high]
        self._bands.data = {
            "stage": np.array([float(stop.stage) for stop in open_ended]),
            "low": np.array([max(stop.low, low - room) for stop in open_ended]),
            "high": np.array([min(stop.high, high + room) for stop in open_ended]),
        }

    def _sentence(
        self, trained: TrainedHypergraph, journey: Journey, shown: tuple[Stop, ...]
    ) -> str:
        data, stop = trained.dataset, shown[-1]
        truth = trained.split.y("test")[self.state.row]
        leaf = f" (leaf {journey.leaf + 1})" if _has_leaves(trained) else ""
        who = f"Test row {self.state.row}{leaf}, in truth {truth}"
        if not stop.leaves:
            return (
                f"{who}: at stage {stop.stage} its score {stop.score:.2f} lies inside "
                "of the interval, and it goes on."
            )
        verdict = "right" if stop.label == truth else "wrong"
        why = (
            "its score lies outside of the interval"
            if stop.low < stop.high
            else "here every row leaves"
        )
        return (
            f"{who}: leaves at stage {stop.stage} as {stop.label} ({verdict}; {why}), "
            f"for {cost_text(stop.cost, data.unit)} with {len(journey.features)} of "
            f"{data.n_features} features."
        )

    def _recolour(self) -> None:
        colours = palette(self.dark)
        colour = method_style("hypergraph_cascade").colour(self.dark)
        self._band.glyph.update(
            fill_color=colours.quiet_text, line_color=colours.quiet_text
        )
        self._line.glyph.line_color = colours.quiet_text
        self._dots.glyph.update(fill_color=colour, line_color=colour)
        self._ring.glyph.line_color = colours.ring
        self._table.use_theme(dark=self.dark)


def _has_leaves(trained: TrainedHypergraph) -> bool:
    return any(member.tree.n_leaves > 1 for member in trained.model.members_)


def _row(trained: TrainedHypergraph, stop: Stop) -> list[Any]:
    listed = [
        f"{name} = {number(float(value))}"
        for name, value in zip(stop.features, stop.values, strict=True)
    ][:MOST_VALUES]
    more = len(stop.features) - len(listed)
    return [
        stop.stage,
        float(f"{stop.score:.4g}"),
        f"{_bound(stop.low)} and {_bound(stop.high)}"
        if stop.low < stop.high
        else "nothing: all leave",
        str(stop.label),
        "leaves" if stop.leaves else "goes on",
        cost_text(stop.cost, trained.dataset.unit),
        ", ".join(listed) + (f" and {more} more" if more > 0 else ""),
    ]


def _bound(value: float) -> str:
    if np.isfinite(value):
        return f"{value:.2f}"
    return "∞" if value > 0 else "−∞"
