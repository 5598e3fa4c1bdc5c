"""One picture of a figure of the paper: a line for each method or procedure."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import cycle
from typing import Any

import panel as pn
import param
from bokeh.models import ColumnDataSource, HoverTool
from bokeh.plotting import figure
from panel.viewable import Viewer

from solvers import all_methods
from solvers.figures.gradients import ORDERS

from ..state.paper_figures import Line, PaperFiguresState, Picture
from ..theme import PLOT_HEIGHT, MethodStyle, method_style, palette

__all__ = ["PaperFigureView"]

PROCEDURES = {order.title for order in ORDERS}
_DASHES = ("solid", "dashed", "dotdash", "dotted")


class PaperFigureView(Viewer):
    """Lines of the chosen picture; built anew for another picture, else kept."""

    state = param.ClassSelector(class_=PaperFiguresState)
    dark = param.Boolean(default=False, doc="Whether the page is dark.")

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        self._drawn: tuple[Any, ...] = ()
        self._sources: dict[str, ColumnDataSource] = {}
        self._pane = pn.pane.Bokeh(
            None, sizing_mode="stretch_width", height=PLOT_HEIGHT
        )
        self.state.param.watch(lambda *_: self._draw(), ["figure", "picture", "rows"])
        self.param.watch(lambda *_: self._draw(), "dark")
        self._draw()

    def __panel__(self) -> pn.viewable.Viewable:
        return self._pane

    def _draw(self) -> None:
        picture = self.state.shown()
        if picture is None:
            return
        # A new line needs a legend entry; points of known lines only go in.
        look = (picture.key, tuple(line.name for line in picture.lines), self.dark)
        is_new = look != self._drawn
        if is_new:
            self._sources = {line.name: ColumnDataSource() for line in picture.lines}
        for line in picture.lines:
            self._sources[line.name].data = _columns(line)
        if is_new:
            self._drawn = look
            self._pane.object = self._figure(picture)

    def _figure(self, picture: Picture) -> figure:
        plot = figure(
            height=PLOT_HEIGHT,
            sizing_mode="stretch_width",
            output_backend="canvas",
            tools="",
            toolbar_location=None,
            x_axis_type="log" if picture.is_x_log else "linear",
            y_axis_type="log" if picture.is_y_log else "linear",
            x_axis_label=picture.x_label,
            y_axis_label=picture.y_label,
            name="paper figure",
        )
        for name, style in _styles([line.name for line in picture.lines]).items():
            self._add_line(plot, name, style)
        plot.outline_line_color = None
        # Below the plot: what the lines do can be anywhere in it.
        plot.add_layout(plot.legend[0], "below")
        plot.legend[0].update(
            ncols=2,
            location="center",
            label_text_font_size="12px",
            border_line_color=None,
            background_fill_alpha=0.0,
            label_text_color=palette(self.dark).text,
        )
        tooltips = [("", "@name"), (picture.x_label, "@x"), (picture.y_label, "@y")]
        plot.add_tools(HoverTool(tooltips=tooltips))
        return plot

    def _add_line(self, plot: figure, name: str, style: MethodStyle) -> None:
        source, colour = self._sources[name], style.colour(self.dark)
        look = {"legend_label": name, "line_color": colour}
        plot.line("x", "y", source=source, line_width=2, line_dash=style.dash, **look)
        plot.scatter(
            "x",
            "y",
            source=source,
            marker=style.marker,
            size=8,
            fill_color=colour,
            fill_alpha=0.35,
            **look,
        )


def _columns(line: Line) -> dict[str, list[Any]]:
    return {
        "x": list(line.x),
        "y": list(line.y),
        "name": [line.name] * len(line.x),
    }


def _styles(names: list[str]) -> dict[str, MethodStyle]:
    """Return each line's look: a method's own, its variants', else any other."""
    owners = {name: owner for name in names if (owner := _owner(name))}
    used = {method_style(owner).light for owner in owners.values()}
    # One look of each colour that no method of this picture has.
    others = {method_style(key).light: method_style(key) for key in all_methods()}
    free = cycle([style for light, style in others.items() if light not in used])
    styles, variants = {}, Counter[str]()
    for name in names:
        if name not in owners:
            styles[name] = next(free)
            continue
        style = method_style(owners[name])
        place = _DASHES.index(style.dash) + variants[owners[name]]
        styles[name] = replace(style, dash=_DASHES[place % len(_DASHES)])
        variants[owners[name]] += 1
    return styles


def _owner(name: str) -> str | None:
    """Return the method that a line is of; orders of multiplication are of none."""
    if name in PROCEDURES:
        return None
    titles = {found.title: key for key, found in all_methods().items()}
    prefixes = [title for title in titles if name.startswith(title)]
    return titles[max(prefixes, key=len)] if prefixes else None
