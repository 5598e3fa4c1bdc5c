"""Where rows leave the hypergraph cascade: right, wrong, or on to the next stage."""

from __future__ import annotations

from typing import Any

import numpy as np
import panel as pn
import param
from bokeh.models import ColumnDataSource, FixedTicker, HoverTool, Range1d
from bokeh.plotting import figure
from panel.viewable import Viewer

from ..state.cascade import CascadeState
from ..text import cost_text
from ..theme import PLOT_HEIGHT, palette

__all__ = ["HypergraphExits"]

KINDS = {"right": "leave right", "wrong": "leave wrong", "on": "go on"}
HATCHES = {"right": " ", "wrong": "/", "on": " "}
TOOLTIPS = [
    ("stage", "@name"),
    ("leave right", "@right{0.0} %"),
    ("leave wrong", "@wrong{0.0} %"),
    ("go on", "@on{0.0} %"),
    ("cost so far", "@cost"),
]


class HypergraphExits(Viewer):
    """One bar a stage, of the rows that reach it."""

    state = param.ClassSelector(class_=CascadeState)
    dark = param.Boolean(default=False, doc="Whether the page is dark.")

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        columns = ("stage", *KINDS, "right_top", "wrong_top", "on_top", "name", "cost")
        self._source = ColumnDataSource({column: [] for column in columns})
        self.figure = self._figure()
        self._bars = {kind: self._bar(kind) for kind in KINDS}
        self.figure.add_tools(
            HoverTool(renderers=list(self._bars.values()), tooltips=TOOLTIPS)
        )
        legend = self.figure.legend[0]
        legend.location, legend.orientation = "top_right", "horizontal"
        legend.label_text_font_size = "12px"
        legend.background_fill_alpha = 0.75
        self.state.param.watch(lambda *_: self._draw(), ["hyper", "policy"])
        self.param.watch(lambda *_: self._recolour(), "dark")
        self._draw()
        self._recolour()

    def __panel__(self) -> pn.viewable.Viewable:
        return pn.pane.Bokeh(
            self.figure, sizing_mode="stretch_width", height=PLOT_HEIGHT
        )

    def _figure(self) -> figure:
        plot = figure(
            height=PLOT_HEIGHT,
            sizing_mode="stretch_width",
            output_backend="canvas",
            tools="",
            toolbar_location=None,
            x_range=Range1d(-0.6, 10.6),
            # Above 100 % stands the legend.
            y_range=Range1d(0, 116),
            x_axis_label="stage",
            y_axis_label="test rows that reach it (%)",
            name="exits",
        )
        plot.xaxis.ticker = FixedTicker(ticks=[0, 5, 10])
        plot.yaxis.ticker = FixedTicker(ticks=[0, 20, 40, 60, 80, 100])
        plot.xgrid.visible = False
        plot.outline_line_color = None
        return plot

    def _bar(self, kind: str) -> Any:
        below = {"right": 0, "wrong": "right_top", "on": "wrong_top"}[kind]
        return self.figure.vbar(
            x="stage",
            top=f"{kind}_top",
            bottom=below,
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
        picture = self.state.hyper_picture
        if picture is None:
            return
        n_stages, unit = picture.n_stages, picture.trained.dataset.unit
        if self.figure.x_range.end != n_stages - 0.4:
            self.figure.x_range.end = n_stages - 0.4
            every = 1 if n_stages <= 10 else 5
            self.figure.xaxis[0].ticker.ticks = list(range(0, n_stages, every))
        parts = {kind: getattr(picture, kind) for kind in KINDS}
        shares = {k: 100.0 * v / picture.n_rows for k, v in parts.items()}
        tops = np.cumsum(list(shares.values()), axis=0)
        named = zip(KINDS, tops, strict=True)
        self._source.data = {
            "stage": np.arange(float(n_stages)),
            "name": [picture.name(place) for place in range(n_stages)],
            "cost": [cost_text(cost, unit) for cost in picture.costs],
            **shares,
            **{f"{kind}_top": top for kind, top in named},
        }

    def _recolour(self) -> None:
        colours = palette(self.dark)
        fills = {"right": colours.lit, "wrong": colours.shared, "on": colours.grid}
        for kind, bars in self._bars.items():
            bars.glyph.update(
                fill_color=fills[kind],
                line_color=colours.background,
                hatch_color=colours.background,
            )
