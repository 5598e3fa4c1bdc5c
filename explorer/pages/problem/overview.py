"""All of a large hypergraph at once, to look at and to pick a node from."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import param
from bokeh.events import Tap
from numpy.typing import NDArray

from ...document.drawing import Drawing
from ...document.editor import EditorState
from ...figures.live import SceneView
from ...figures.scene import Axis, Layer, Scene, dots, links
from ...widgets.page_layout import HERO
from ...widgets.text import cost_text
from ...widgets.theme import PLOT_HEIGHT, Role

# More lines than this only blacken the picture.
MAX_LINKS = 40_000
MARGIN = 0.04
TOOLTIPS = [("name", "@name"), ("cost", "@cost")]


class Overview(SceneView):
    """Nodes and links on one canvas; a click picks the nearest node."""

    state = param.ClassSelector(class_=EditorState)
    shown = param.Boolean(default=False, doc="Whether it is drawn at all.")

    called = "overview"
    height = PLOT_HEIGHT
    style = HERO
    tools = "pan,wheel_zoom,reset"
    legend = ""
    has_words = False
    follows = ("drawing",)

    def __init__(self, on_pick: Callable[[int], None], **params: Any) -> None:
        self._on_pick = on_pick
        self._drawn: Drawing | None = None
        super().__init__(**params)
        self.figure.on_event(Tap, self._tapped)
        self.param.watch(lambda *_: self._draw(), "shown")

    def scene(self) -> Scene | None:
        """Return all nodes where they are drawn; None while nobody looks at them."""
        drawing = self.state.drawing
        if not self.shown:
            return None if self._shown else NOTHING
        if self._drawn is drawing:
            return None
        self._drawn = drawing
        return overview_scene(drawing)

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


def overview_scene(drawing: Drawing) -> Scene:
    """Return components, features, and what needs what."""
    graph, unit = drawing.hypergraph, drawing.hypergraph.unit
    rows, columns = graph.incidence.nonzero()
    every = max(1, int(np.ceil(len(rows) / MAX_LINKS)))
    alone = [f"{cost_text(cost, unit)} alone" for cost in graph.marginal_costs()]
    layers = [
        links(
            "links",
            drawing.component_places[rows[::every]],
            drawing.feature_places[columns[::every]],
            "faded",
            width=0.5,
        ),
        _marks(
            "components",
            drawing.component_places,
            graph.components,
            [cost_text(cost, unit) for cost in graph.component_costs],
            ("square", "shared"),
        ),
        _marks(
            "features", drawing.feature_places, graph.features, alone, ("circle", "lit")
        ),
    ]
    nodes = np.vstack([drawing.component_places, drawing.feature_places])
    if not len(nodes):
        return Scene(Axis("", 0, 1), Axis("", 0, 1), layers)
    low, high = nodes.min(axis=0), nodes.max(axis=0)
    gap = np.maximum((high - low) * MARGIN, 50)
    low, high = low - gap, high + gap
    # Screens count downwards, as the drawing does.
    x, y = Axis("", float(low[0]), float(high[0])), (float(high[1]), float(low[1]))
    return Scene(x, Axis("", *y), layers)


def _marks(
    name: str,
    at: NDArray[np.float64],
    named: tuple[str, ...],
    costs: list[str],
    look: tuple[str, Role],
) -> Layer:
    marker, role = look
    told = {"name": [*named], "cost": costs}
    more = {"marker": marker, "size": 5, "hover": TOOLTIPS, "told": told}
    return dots(name, at[:, 0], at[:, 1], role, **more)


NOTHING = Scene(
    Axis("", 0, 1),
    Axis("", 0, 1),
    [_marks("components", np.empty((0, 2)), (), [], ("square", "shared"))],
)
