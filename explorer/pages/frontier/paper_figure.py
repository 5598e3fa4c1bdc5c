"""One picture of a figure of the paper: a line for each method or procedure."""

from __future__ import annotations

from typing import Any

import panel as pn
import param
from bokeh.models import Column, ColumnDataSource, HoverTool, Legend
from bokeh.plotting import figure

from ...figures.paper_pictures import PaperLine, PaperPicture, line_styles
from ...widgets.figure_view import FigureView
from ...widgets.still_figure import still_figure
from ...widgets.theme import PLOT_HEIGHT, MethodStyle, palette
from .paper_state import PaperFiguresState


class PaperFigureView(FigureView):
    """Lines of the chosen picture; built anew for another picture, else kept."""

    draws_colours = True
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
        look = (picture.figure, picture.title, self.dark)
        plot = self.drawn
        if plot is None or look != self._drawn:
            self._drawn, self._sources = look, {}
            plot = self._figure(picture)
        found = {line.name: line for line in picture.lines}
        for name, style in line_styles([*self._sources, *found]).items():
            data = _columns(found.get(name, PaperLine(name, (), ())))
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

    def _figure(self, picture: PaperPicture) -> figure:
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


def _columns(line: PaperLine) -> dict[str, list[Any]]:
    return {"x": list(line.x), "y": list(line.y), "name": [line.name] * len(line.x)}
