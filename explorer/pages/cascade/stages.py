"""Where rows leave a cascade: right, wrong, or on to the next stage."""

from __future__ import annotations

from typing import Any

import numpy as np
import param
from bokeh.models import FixedTicker, GlyphRenderer, HoverTool, Range1d

from ...widgets.figure_view import FigureView, empty_source
from ...widgets.still_figure import legend_below, still_figure
from ...widgets.text import cost_text
from ...widgets.theme import PLOT_HEIGHT
from .state import METHODS, CascadeState

# Of each kind of bar: what it is called, the bar that it stands on, hatch and colour.
FILLS = {
    "right": ("leave right", 0, " ", "lit"),
    "wrong": ("leave wrong", "right_top", "/", "wrong"),
    "on": ("go on", "wrong_top", " ", "grid"),
}
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
        self.figure = still_figure(
            height=PLOT_HEIGHT,
            x_range=Range1d(self._first - 0.6, self._first + 9.6),
            y_range=Range1d(0, 104),
            x_axis_label="stage",
            y_axis_label="test rows that reach it (%)",
            name=METHODS[self.method].figures["stages"],
        )
        self.figure.xaxis.ticker = FixedTicker(ticks=[])
        self.figure.yaxis.ticker = FixedTicker(ticks=[0, 20, 40, 60, 80, 100])
        self.figure.xgrid.visible = False
        tops = (f"{kind}_top" for kind in FILLS)
        self._source = empty_source("stage", *FILLS, *tops, "name", "cost")
        bars = [self._bars(kind) for kind in FILLS]
        self.figure.add_tools(HoverTool(renderers=bars, tooltips=TOOLTIPS))
        legend_below(self.figure)
        self.state.watch_moves(self.method, self._draw)
        self._draw()

    def _bars(self, kind: str) -> GlyphRenderer:
        label, below, hatch, fill = FILLS[kind]
        return self._layer(
            "vbar",
            source=self._source,
            x="stage",
            top=f"{kind}_top",
            bottom=below,
            width=0.82,
            fill_color=fill,
            line_color="background",
            line_width=0.5,
            hatch_color="background",
            hatch_pattern=hatch,
            hatch_alpha=0.7,
            legend_label=label,
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
        shares = {kind: 100.0 * counts[kind] / result.n_rows for kind in FILLS}
        tops = np.cumsum(list(shares.values()), axis=0)
        self._source.data = {
            "stage": self._first + np.arange(float(len(names))),
            "name": list(names),
            "cost": [cost_text(cost, unit) for cost in result.costs],
            **shares,
            **{f"{kind}_top": top for kind, top in zip(FILLS, tops, strict=True)},
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
