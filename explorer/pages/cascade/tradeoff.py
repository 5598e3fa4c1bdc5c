"""Accuracy against cost: the cascade at all thresholds, and what it competes with."""

from __future__ import annotations

from typing import Any

import numpy as np
import param
from bokeh.models import GlyphRenderer, HoverTool, Range1d

from solvers import all_methods
from solvers.papers.cascades import CascadeRows, Series
from solvers.values.rounding import rounded

from ...widgets.figure_view import FigureView
from ...widgets.still_figure import legend_below, still_figure
from ...widgets.text import unit_text
from ...widgets.theme import PLOT_HEIGHT, method_style
from .state import CascadeState
from .training import RIVALS

TOOLTIPS = [
    ("method", "@title"),
    ("accuracy (test)", "@accuracy{0.000}"),
    ("mean cost", "@cost{0.[00]} @unit"),
    ("", "@note"),
]
# A curve of more points than this is thinned out: a screen shows no more.
MOST_POINTS = 600


class CascadeTradeoff(FigureView):
    """The curve of all thresholds, the static prefix, the rivals and where we are."""

    state = param.ClassSelector(class_=CascadeState)

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        self.figure = still_figure(
            height=PLOT_HEIGHT,
            x_range=Range1d(0, 1),
            y_range=Range1d(0, 1.01),
            y_axis_label="accuracy on test rows",
            name="tradeoff",
        )
        names = ("tefe", "static_prefix", *RIVALS, "hypergraph_cascade")
        self._marks = {name: self._series(name) for name in names}
        self._here = self._layer(
            "scatter",
            "cost",
            "accuracy",
            size=21,
            line_width=2.5,
            line_color="ring",
            fill_color=None,
            name="here",
        ).data_source
        marks = list(self._marks.values())
        self.figure.add_tools(HoverTool(renderers=marks, tooltips=TOOLTIPS))
        legend_below(self.figure)
        self._drawn: dict[str, Series | None] = {}
        self._watch_state(self._draw, ["cascade", "confidence", "cap"])
        self._watch_state(self._draw_rivals, "rivals")
        self._watch_state(self._draw_here, ["share", "way", "policy"])
        self._watch_state(self._draw_hypergraph, ["hyper", "cascade"])
        self._draw()
        self._draw_hypergraph()

    def _series(self, name: str) -> GlyphRenderer:
        style, is_main = method_style(name), name == "tefe"
        _, marks = self._marked_line(
            "cost",
            "accuracy",
            style,
            marker=style.marker,
            size=3 if is_main else 7,
            dash="solid" if is_main else style.dash,
            width=3 if is_main else 1.8,
            told=("unit", "title", "note"),
            legend_label=all_methods()[name].title,
        )
        marks.name, marks.glyph.fill_alpha = name, 0.35
        return marks

    # ------------------------------------------------------------------------- drawing

    def _draw(self) -> None:
        picture = self.state.picture
        if picture is None:
            return
        test, data = picture.test, picture.cascade.dataset
        self.figure.x_range.end = picture.cascade.full_cost * 1.02
        self.figure.y_range.start = _floor(test)
        self.figure.xaxis.axis_label = (
            f"mean cost of a test row ({unit_text(data.unit)}), shared work once"
        )
        self._put("tefe", **_curve_columns(test))
        stages = [f"stage {g} for every row" for g in range(1, test.n_stages + 1)]
        self._put("static_prefix", test.stage_costs, test.prefix_accuracy, stages)
        self._draw_rivals()
        self._draw_here()

    def _draw_rivals(self) -> None:
        for name in RIVALS:
            found = self.state.rivals.get(name)
            if found is self._drawn.get(name):
                continue
            self._drawn[name] = found
            self._put_series(name, found)

    def _draw_hypergraph(self) -> None:
        """Draw all policies of the hypergraph cascade, if it is of the same data."""
        self._put_series("hypergraph_cascade", self.state.hyper_curve())
        self._draw_here()

    def _put_series(self, name: str, series: Series | None) -> None:
        if series is None:
            self._put(name, [], [], [])
        else:
            self._put(name, series.x, series.y, [""] * len(series.x))

    def _put(self, name: str, cost: Any, accuracy: Any, note: list[str]) -> None:
        """Draw a line; what it costs is in the unit of the data."""
        cascade, count = self.state.cascade, len(note)
        unit = "" if cascade is None else unit_text(cascade.dataset.unit)
        self._marks[name].data_source.data = {
            "cost": cost,
            "accuracy": accuracy,
            "unit": [unit] * count,
            "title": [all_methods()[name].title] * count,
            "note": note,
        }

    def _draw_here(self) -> None:
        here = self.state.here()
        if here is not None:
            self._here.data = {"cost": [here[0]], "accuracy": [here[1]]}


def _floor(test: CascadeRows) -> float:
    lowest = min(float(test.curve.accuracy.min()), float(test.prefix_accuracy.min()))
    return max(0.0, lowest - 0.05)


def _curve_columns(test: CascadeRows) -> dict[str, Any]:
    curve = test.curve
    count = min(MOST_POINTS, len(curve.cost))
    at = np.unique(np.linspace(0, len(curve.cost) - 1, count).astype(int))
    return {
        "cost": curve.cost[at],
        "accuracy": curve.accuracy[at],
        "note": [f"threshold {rounded(value):g}" for value in curve.thresholds[at]],
    }
