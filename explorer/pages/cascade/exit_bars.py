"""Bars of where rows leave a cascade: right, wrong, or on to the next stage."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from bokeh.models import ColumnDataSource, FixedTicker, HoverTool, Range1d
from bokeh.plotting import figure
from numpy.typing import NDArray

from ...widgets.still_figure import still_figure
from ...widgets.theme import PLOT_HEIGHT, palette

__all__ = ["ExitBars"]

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


class ExitBars:
    """One bar a stage, of the rows that reach it.

    `first`: number of the first stage: 0 where there is a free answer before any
    feature.
    """

    def __init__(self, name: str, first: int) -> None:
        self._first = first
        tops = (f"{kind}_top" for kind in KINDS)
        columns = ("stage", *KINDS, *tops, "name", "cost")
        self._source = ColumnDataSource({column: [] for column in columns})
        self.figure = self._figure(name)
        self._bars = {
            kind: self.figure.vbar(
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
            for kind in KINDS
        }
        self.figure.add_tools(
            HoverTool(renderers=list(self._bars.values()), tooltips=TOOLTIPS)
        )
        legend = self.figure.legend[0]
        legend.location, legend.orientation = "top_right", "horizontal"
        legend.label_text_font_size = "12px"
        legend.background_fill_alpha = 0.75

    def _figure(self, name: str) -> figure:
        plot = still_figure(
            height=PLOT_HEIGHT,
            x_range=Range1d(self._first - 0.6, self._first + 9.6),
            # Above 100 % stands the legend.
            y_range=Range1d(0, 116),
            x_axis_label="stage",
            y_axis_label="test rows that reach it (%)",
            name=name,
        )
        plot.xaxis.ticker = FixedTicker(ticks=[])
        plot.yaxis.ticker = FixedTicker(ticks=[0, 20, 40, 60, 80, 100])
        plot.xgrid.visible = False
        return plot

    def draw(
        self,
        counts: Mapping[str, NDArray[np.int_]],
        n_rows: int,
        names: Sequence[str],
        costs: Sequence[str],
    ) -> None:
        """Draw who leaves where.

        Shapes: `counts` (n_stages,).
        """
        self._fit(len(names))
        shares = {kind: 100.0 * counts[kind] / n_rows for kind in KINDS}
        tops = np.cumsum(list(shares.values()), axis=0)
        self._source.data = {
            "stage": self._first + np.arange(float(len(names))),
            "name": list(names),
            "cost": list(costs),
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

    def use_theme(self, *, dark: bool) -> None:
        """Colour the bars."""
        colours = palette(dark)
        fills = {"right": colours.lit, "wrong": colours.shared, "on": colours.grid}
        for kind, bars in self._bars.items():
            bars.glyph.update(
                fill_color=fills[kind],
                line_color=colours.background,
                hatch_color=colours.background,
            )
