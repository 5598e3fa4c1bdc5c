"""Where rows leave a cascade: right, wrong, or on to the next stage."""

from __future__ import annotations

from typing import Any

import numpy as np
import param
from bokeh.models import FixedTicker, HoverTool, Range1d
from bokeh.plotting import figure

from ...widgets.figure_view import FigureView, empty_source
from ...widgets.still_figure import legend_below, still_figure
from ...widgets.text import cost_text
from ...widgets.theme import PLOT_HEIGHT, palette
from .state import METHODS, CascadeState

__all__ = ["CascadeStages"]

KINDS = {"right": "leave right", "wrong": "leave wrong", "on": "go on"}
HATCHES = {"right": " ", "wrong": "/", "on": " "}
# A bar stands on those before it.
BELOW = {"right": 0, "wrong": "right_top", "on": "wrong_top"}
TOOLTIPS = [
    ("stage", "@stage: @name"),
    ("leave right", "@right{0.0} %"),
    ("leave wrong", "@wrong{0.0} %"),
    ("go on", "@on{0.0} %"),
    ("cost so far", "@cost"),
]


class CascadeStages(FigureView):
    """One bar a stage, of the rows that reach it."""

    state = param.ClassSelector(class_=CascadeState)
    method = param.Selector(default="tefe", objects=list(METHODS))

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        self._first = METHODS[self.method].first_stage
        tops = (f"{kind}_top" for kind in KINDS)
        self._source = empty_source("stage", *KINDS, *tops, "name", "cost")
        self.figure = self._figure()
        self._bars = {kind: self._add(kind) for kind in KINDS}
        self.figure.add_tools(
            HoverTool(renderers=list(self._bars.values()), tooltips=TOOLTIPS)
        )
        legend_below(self.figure)
        self.state.watch_moves(self.method, self._draw)
        self._draw()
        self._use_theme()

    def _figure(self) -> figure:
        plot = still_figure(
            height=PLOT_HEIGHT,
            x_range=Range1d(self._first - 0.6, self._first + 9.6),
            y_range=Range1d(0, 104),
            x_axis_label="stage",
            y_axis_label="test rows that reach it (%)",
            name=METHODS[self.method].figures["stages"],
        )
        plot.xaxis.ticker = FixedTicker(ticks=[])
        plot.yaxis.ticker = FixedTicker(ticks=[0, 20, 40, 60, 80, 100])
        plot.xgrid.visible = False
        return plot

    def _add(self, kind: str) -> Any:
        return self.figure.vbar(
            x="stage",
            top=f"{kind}_top",
            bottom=BELOW[kind],
            width=0.82,
            source=self._source,
            hatch_pattern=HATCHES[kind],
            hatch_alpha=0.7,
            line_width=0.5,
            legend_label=KINDS[kind],
            name=kind,
        )

    # ------------------------------------------------------------------------- drawing

    def _draw(self) -> None:
        result = self.state.result(self.method)
        if result is None:
            return
        names, unit = result.stage_names, result.dataset.unit
        self._fit(len(names))
        counts = {"right": result.right, "wrong": result.wrong, "on": result.on}
        shares = {kind: 100.0 * counts[kind] / result.n_rows for kind in KINDS}
        tops = np.cumsum(list(shares.values()), axis=0)
        self._source.data = {
            "stage": self._first + np.arange(float(len(names))),
            "name": list(names),
            "cost": [cost_text(cost, unit) for cost in result.costs],
            **shares,
            **{f"{kind}_top": top for kind, top in zip(KINDS, tops, strict=True)},
        }

    def _fit(self, n_stages: int) -> None:
        """Give the stages room; a patch only where there are more or fewer."""
        last = self._first + n_stages - 1
        if self.figure.x_range.end == last + 0.6 and self.figure.xaxis[0].ticker.ticks:
            return
        self.figure.x_range.end = last + 0.6
        every = 1 if n_stages <= 10 else 5
        ticks = sorted({self._first, *range(every, last + 1, every), last})
        if len(ticks) > 2 and every > 1 and ticks[-1] - ticks[-2] < 3:
            ticks.pop(-2)
        self.figure.xaxis[0].ticker.ticks = ticks

    def _use_theme(self) -> None:
        colours = palette(self.dark)
        fills = {"right": colours.lit, "wrong": colours.shared, "on": colours.grid}
        for kind, bars in self._bars.items():
            bars.glyph.update(
                fill_color=fills[kind],
                line_color=colours.background,
                hatch_color=colours.background,
            )
