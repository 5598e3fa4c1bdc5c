"""All of a large hypergraph at once, to look at and to pick a node from."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import param
from bokeh.events import Tap
from bokeh.models import GlyphRenderer, HoverTool, Range1d
from numpy.typing import NDArray

from ...document.drawing import Drawing
from ...document.editor import EditorState
from ...widgets.figure_view import FigureView, live_figure
from ...widgets.still_figure import set_ends
from ...widgets.text import cost_text
from ...widgets.theme import PLOT_HEIGHT

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
        self._drawn: Drawing | None = None
        plot = self.figure = live_figure(
            height=PLOT_HEIGHT,
            tools="pan,wheel_zoom,reset",
            x_range=Range1d(0, 1),
            y_range=Range1d(0, 1),
            name="overview",
        )
        plot.axis.visible = plot.grid.visible = False
        self._links = self._layer(
            *("segment", "x0", "y0", "x1", "y1"), line_width=0.5, line_color="faded"
        )
        self._components = self._marks("square", "shared")
        self._features = self._marks("circle", "lit")
        tooltips = [("name", "@name"), ("cost", "@cost")]
        marks = [self._components, self._features]
        plot.add_tools(HoverTool(renderers=marks, tooltips=tooltips))
        plot.on_event(Tap, self._tapped)
        self._watch_state(self._draw, "drawing")
        self.param.watch(lambda *_: self._draw(), "shown")
        self._draw()

    def _marks(self, marker: str, role: str) -> GlyphRenderer:
        look = {"marker": marker, "line_color": role, "fill_color": role}
        return self._layer("scatter", "x", "y", told=("name", "cost"), size=5, **look)

    def _draw(self) -> None:
        drawing = self.state.drawing
        if not self.shown or self._drawn is drawing:
            return
        self._drawn = drawing
        hypergraph, unit = drawing.hypergraph, drawing.hypergraph.unit
        self._components.data_source.data = _columns(
            drawing.component_places,
            hypergraph.components,
            [cost_text(cost, unit) for cost in hypergraph.component_costs],
        )
        self._features.data_source.data = _columns(
            drawing.feature_places,
            hypergraph.features,
            [f"{cost_text(cost, unit)} alone" for cost in hypergraph.marginal_costs()],
        )
        self._links.data_source.data = _link_columns(drawing)
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
            set_ends(axis, start, end)

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
