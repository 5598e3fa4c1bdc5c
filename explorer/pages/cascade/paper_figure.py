"""A figure of the paper computed anew, and what the paper says of it."""

from __future__ import annotations

from typing import Any

import panel as pn
import param
from bokeh.models import ColumnDataSource, GlyphRenderer, HoverTool

from solvers.papers.cascades import Figure, Series
from solvers.values.rounding import rounded

from ...figures.paper_pictures import series_styles
from ...widgets.data_table import DataTable
from ...widgets.figure_view import FigureView
from ...widgets.markup import markup
from ...widgets.parts import wide_column
from ...widgets.still_figure import legend_below, still_figure
from ...widgets.text import plain
from ...widgets.theme import PLOT_HEIGHT, MethodStyle
from .images import figure_6
from .state import CascadeState


class CascadeFigure(FigureView):
    """Lines and marks, claims, and the table behind them."""

    state = param.ClassSelector(class_=CascadeState)

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        self._shown = ""
        self._sources: dict[str, ColumnDataSource] = {}
        self._plot = pn.pane.Bokeh(
            None, sizing_mode="stretch_width", height=PLOT_HEIGHT
        )
        self._text = markup("", min_height=30)
        self._images = markup("")
        self._claims = DataTable(
            caption="Claims of the paper",
            columns=["The paper says", "As published", "Ours", "Holds"],
            numbers=[False] * 4,
            height=260,
            dark=self.param.dark,
            sizing_mode="stretch_width",
        )
        self._points = DataTable(
            caption="Points of the figure",
            columns=["Series", "x", "y"],
            numbers=[False, True, True],
            height=220,
            dark=self.param.dark,
            sizing_mode="stretch_width",
        )
        self._body = wide_column(
            self._text,
            self._images,
            self._plot,
            self._claims,
            self._points,
            visible=False,
        )
        self._watch_state(self._draw, "figure")
        self._watch_state(self._draw_images, ["figure", "images"])
        self._draw()

    def __panel__(self) -> pn.viewable.Viewable:
        return self._body

    def _use_theme(self) -> None:
        """Draw a new figure: one on its way to the browser is not to be changed."""
        self._shown = ""
        self._draw()

    def _draw(self) -> None:
        found: Figure | None = self.state.figure
        self._body.visible = found is not None
        if found is None:
            return
        shape = found.name + "|".join(series.name for series in found.series)
        if shape != self._shown:
            self._shown = shape
            self._plot.visible = bool(found.series)
            if found.series:
                self._build(found)
                self._plot.object = self.figure
        else:  # what is new has its data, and is not to be changed on its way
            for series in found.series:
                self._sources[series.name].data = {"x": series.x, "y": series.y}
        self._text.object = f"<p>{plain(f'{found.title}. Ours: {found.note}')}</p>"
        self._claims.rows = [
            [one.sentence, one.published, one.measured, one.outcome]
            for one in found.findings
        ]
        self._claims.visible = bool(found.findings)
        if found.findings:
            self._points.rows = [
                [name, rounded(x, 4), rounded(y, 4)] for name, x, y in found.table()
            ]
        self._points.visible = bool(found.findings and found.series)

    def _draw_images(self) -> None:
        """Show the paper's Fig. 6: two images of each of its three columns."""
        found = self.state.figure
        columns = figure_6(found.rounds) if found is not None else {}
        parts = []
        for title, rows in columns.items():
            drawn = "".join(
                f'<img src="{self.state.images[row]}" alt="" width="96" height="64">'
                for row in rows
                if row in self.state.images
            )
            parts.append(f'<h3>{title}</h3><div class="gallery">{drawn}</div>')
        self._images.object = "".join(parts)

    def _build(self, found: Figure) -> None:
        self._painted.clear()
        self.figure = still_figure(
            height=PLOT_HEIGHT,
            x_axis_label=found.x_label,
            y_axis_label=found.y_label,
            name="paper",
        )
        looks = series_styles(found.series)
        drawn = {s.name: self._add(s, looks[s.name]) for s in found.series}
        self._sources = {name: layer.data_source for name, layer in drawn.items()}
        tooltips = [("", "$name"), ("", "@x, @y")]
        hover = HoverTool(renderers=[*drawn.values()], tooltips=tooltips)
        self.figure.add_tools(hover)
        legend_below(self.figure)

    def _add(self, series: Series, look: MethodStyle) -> GlyphRenderer:
        """Draw a series; return what speaks for it: its marks, or a long line."""
        source = ColumnDataSource({"x": series.x, "y": series.y})
        told = {"source": source, "name": series.name, "legend_label": series.name}
        if series.joined:
            line = self._layer(
                "line",
                *("x", "y"),
                line_color=look,
                line_dash=look.dash,
                line_width=2.5,
                **told,
            )
            if len(series.x) > 40:
                return line
        return self._layer(
            "scatter",
            *("x", "y"),
            marker=look.marker,
            size=7 if series.joined else 12,
            line_color=look,
            fill_color=look,
            fill_alpha=0.35,
            **told,
        )
