"""One picture of a figure of the paper: a line for each method or procedure."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import cycle
from typing import Any

import panel as pn
import param
from bokeh.models import Column, ColumnDataSource, HoverTool, Legend
from bokeh.plotting import figure

from solvers import all_methods
from solvers.papers.figures.gradients import ORDERS

from ...widgets.figure_view import FigureView
from ...widgets.still_figure import still_figure
from ...widgets.theme import PLOT_HEIGHT, MethodStyle, method_style, palette
from .paper_state import Line, PaperFiguresState, Picture

__all__ = ["PaperFigureView"]

PROCEDURES = {order.title for order in ORDERS}
_DASHES = ("solid", "dashed", "dotdash", "dotted")
_MARKERS = ("circle", "square_cross", "circle_cross", "diamond_cross")


class PaperFigureView(FigureView):
    """Lines of the chosen picture; built anew for another picture, else kept."""

    state = param.ClassSelector(class_=PaperFiguresState)

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        self._drawn: tuple[Any, ...] = ()
        self._sources: dict[str, ColumnDataSource] = {}
        # A figure that the pane itself exchanges may reach the browser after its data.
        self._frame = Column(sizing_mode="stretch_width", height=PLOT_HEIGHT)
        self._watch_state(self._draw, ["figure", "picture", "rows"])
        self._draw()

    def __panel__(self) -> pn.viewable.Viewable:
        return pn.pane.Bokeh(
            self._frame, sizing_mode="stretch_width", height=PLOT_HEIGHT
        )

    def _draw(self) -> None:
        picture = self.state.shown()
        if picture is None:
            return
        look = (*picture.key, self.dark)
        plot = self.drawn
        if plot is None or look != self._drawn:
            self._drawn, self._sources = look, {}
            plot = self._figure(picture)
        found = {line.name: line for line in picture.lines}
        for name, style in _styles([*self._sources, *found]).items():
            data = _columns(found.get(name, Line(name, (), ())))
            if name in self._sources:
                self._sources[name].data = data
            else:
                self._sources[name] = ColumnDataSource(data)
                self._add_line(plot, name, style)
        if plot is not self.drawn:
            self._frame.children = [plot]

    @property
    def drawn(self) -> Any:
        """The figure on screen; None where nothing was drawn yet."""
        return self._frame.children[0] if self._frame.children else None

    def _figure(self, picture: Picture) -> figure:
        plot = still_figure(
            height=PLOT_HEIGHT,
            x_axis_type="log" if picture.is_x_log else "linear",
            y_axis_type="log" if picture.is_y_log else "linear",
            x_axis_label=picture.x_label,
            y_axis_label=picture.y_label,
            name=f"paper: {picture.title}",
        )
        # Below the plot: what the lines do can be anywhere in it.
        legend = Legend(
            ncols=2,
            location="center",
            label_text_font_size="12px",
            border_line_color=None,
            background_fill_alpha=0.0,
            label_text_color=palette(self.dark).text,
        )
        plot.add_layout(legend, "below")
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
    """Return each line's look; what comes later changes nothing of what came before."""
    # Orders of multiplication and problems are of no method: each has a colour.
    others = {method_style(key).light: method_style(key) for key in all_methods()}
    free = cycle(others.values())
    styles, variants = {}, Counter[str]()
    for name in dict.fromkeys(names):
        owner = _owner(name)
        if owner is None:
            styles[name] = next(free)
        else:
            styles[name] = _variant(method_style(owner), variants[owner])
            variants[owner] += 1
    return styles


def _variant(style: MethodStyle, place: int) -> MethodStyle:
    """Return a method's own look, or for its variants the same colour only."""
    if not place:
        return style
    dash = _DASHES[(_DASHES.index(style.dash) + place) % len(_DASHES)]
    return replace(style, dash=dash, marker=_MARKERS[place % len(_MARKERS)])


def _owner(name: str) -> str | None:
    """Return the method that a line is of."""
    if name in PROCEDURES:
        return None
    titles = {found.title: key for key, found in all_methods().items()}
    titles["CAFH"] = "acafh"  # the same class, told not to decompose
    prefixes = [title for title in titles if name.startswith(title)]
    return titles[max(prefixes, key=len)] if prefixes else None
