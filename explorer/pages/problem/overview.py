"""All of a large hypergraph at once, to look at and to pick a node from."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import panel as pn
import param
from bokeh.events import Tap
from bokeh.models import ColumnDataSource, HoverTool, Range1d
from bokeh.plotting import figure
from numpy.typing import NDArray

from ...document.drawing import Drawing
from ...document.editor import EditorState
from ...widgets.figure_view import FigureView
from ...widgets.text import cost_text
from ...widgets.theme import PLOT_HEIGHT, palette

__all__ = ["Overview"]

# More lines than this only blacken the picture.
MAX_LINKS = 40_000
MARGIN = 0.04


class Overview(FigureView):
    """Nodes and links on one canvas; a click picks the nearest node."""

    state = param.ClassSelector(class_=EditorState)
    shown = param.Boolean(default=False, doc="Whether it is drawn at all.")

    def __init__(self, on_pick: Callable[[int], None], **params: Any) -> None:
        super().__init__(**params)
        self._on_pick = on_pick
        self._drawn: Any = None
        self._links = ColumnDataSource({name: [] for name in ("x0", "y0", "x1", "y1")})
        columns = ("x", "y", "name", "cost")
        self._components = ColumnDataSource({name: [] for name in columns})
        self._features = ColumnDataSource({name: [] for name in columns})
        self.figure = self._figure()
        self._pane = pn.pane.Bokeh(
            self.figure, sizing_mode="stretch_width", height=PLOT_HEIGHT
        )
        self._watch_state(self._draw, "drawing")
        self.param.watch(lambda *_: self._draw(), "shown")
        self._draw()

    def __panel__(self) -> pn.viewable.Viewable:
        return self._pane

    def _figure(self) -> figure:
        plot = figure(
            height=PLOT_HEIGHT,
            sizing_mode="stretch_width",
            output_backend="canvas",
            tools="pan,wheel_zoom,reset",
            toolbar_location="above",
            x_range=Range1d(0, 1),
            y_range=Range1d(0, 1),
            name="overview",
        )
        plot.toolbar.logo = None
        plot.axis.visible = False
        plot.grid.visible = False
        plot.outline_line_color = None
        self._lines = plot.segment(
            "x0", "y0", "x1", "y1", source=self._links, line_width=0.5
        )
        self._squares = plot.scatter(
            "x", "y", source=self._components, marker="square", size=5
        )
        self._circles = plot.scatter(
            "x", "y", source=self._features, marker="circle", size=5
        )
        plot.add_tools(
            HoverTool(
                renderers=[self._squares, self._circles],
                tooltips=[("name", "@name"), ("cost", "@cost")],
            )
        )
        plot.on_event(Tap, self._tapped)
        return plot

    def _draw(self) -> None:
        drawing = self.state.drawing
        if not self.shown or self._drawn == (id(drawing), self.dark):
            return
        self._drawn = (id(drawing), self.dark)
        hypergraph, colours = drawing.hypergraph, palette(self.dark)
        unit = hypergraph.unit
        self._lines.glyph.line_color = colours.faded
        for glyph, colour in (
            (self._squares.glyph, colours.shared),
            (self._circles.glyph, colours.lit),
        ):
            glyph.update(fill_color=colour, line_color=colour)
        self._components.data = _columns(
            drawing.component_places,
            hypergraph.components,
            [cost_text(cost, unit) for cost in hypergraph.component_costs],
        )
        self._features.data = _columns(
            drawing.feature_places,
            hypergraph.features,
            [f"{cost_text(cost, unit)} alone" for cost in hypergraph.marginal_costs()],
        )
        self._links.data = _link_columns(drawing)
        self._fit(np.vstack([drawing.component_places, drawing.feature_places]))

    def _fit(self, nodes: NDArray[np.float64]) -> None:
        if not len(nodes):
            return
        low, high = nodes.min(axis=0), nodes.max(axis=0)
        gap = np.maximum((high - low) * MARGIN, 50)
        # Screens count downwards, as the drawing does.
        for axis, start, end in (
            (self.figure.x_range, low[0] - gap[0], high[0] + gap[0]),
            (self.figure.y_range, high[1] + gap[1], low[1] - gap[1]),
        ):
            axis.update(start=start, end=end, reset_start=start, reset_end=end)

    def _tapped(self, event: Any) -> None:
        drawing = self.state.drawing
        if event.x is None or event.y is None or not self.shown:
            return
        nodes = np.vstack([drawing.component_places, drawing.feature_places])
        if not len(nodes):
            return
        ids = [*drawing.component_ids, *drawing.feature_ids]
        at = np.array([event.x, event.y], dtype=float)
        self._on_pick(ids[int(np.argmin(((nodes - at) ** 2).sum(axis=1)))])


def _columns(
    places: NDArray[np.float64], names: tuple[str, ...], costs: list[str]
) -> dict[str, Any]:
    return {
        "x": places[:, 0],
        "y": places[:, 1],
        "name": list(names),
        "cost": costs,
    }


def _link_columns(drawing: Drawing) -> dict[str, NDArray[np.float64]]:
    rows, columns = drawing.hypergraph.incidence.nonzero()
    every = max(1, int(np.ceil(len(rows) / MAX_LINKS)))
    starts = drawing.component_places[rows[::every]]
    ends = drawing.feature_places[columns[::every]]
    return {
        "x0": starts[:, 0],
        "y0": starts[:, 1],
        "x1": ends[:, 0],
        "y1": ends[:, 1],
    }
