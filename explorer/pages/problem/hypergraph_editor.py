"""The hypergraph as a drawing and a matrix that are edited, and all of it at once.

Python owns the graph: the browser sends operations, is told what became of them, and
draws what it is sent. ``HypergraphEditor(hypergraph)`` also works alone in a cell.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import numpy as np
import panel as pn
import param
from bokeh.events import Tap
from numpy.typing import NDArray
from panel.custom import JSComponent

from solvers import FeatureHypergraph

from ...document.drawing import Drawing
from ...document.editor import EditorState
from ...figures.live import SceneView
from ...figures.scene import Axis, Layer, Scene, dots, links
from ...widgets.assets import asset
from ...widgets.figure_view import FigureView
from ...widgets.page_layout import HERO
from ...widgets.text import cost_text, unit_text
from ...widgets.theme import PLOT_HEIGHT, Role

# More nodes than this a browser cannot move at frame rate as SVG.
MAX_DRAWN = 1_000
PARTS = ("graph", "scene", "camera", "form", "bar", "keys", "pointer", "editor")


class EditorPane(JSComponent):
    """The drawing in the browser."""

    graph = param.Dict(default={}, doc="What is drawn, as `graph_message` says it.")
    dark = param.Boolean(default=False, doc="Whether the page is dark.")

    # Panel serves one text a component: the parts are written as one module.
    _esm = "\n".join(map(asset, ("number.js", *(f"editor/{p}.js" for p in PARTS))))
    _stylesheets: ClassVar[list[str]] = [asset("editor/editor.css")]


class HypergraphEditor(FigureView):
    """A drawing of features and components that can be edited.

    Parameters
    ----------
    hypergraph : FeatureHypergraph, optional
        What is drawn first; nothing by default.
    state : EditorState, optional
        Instead of `hypergraph`, a drawing that other views show as well.

    Attributes
    ----------
    hypergraph : FeatureHypergraph
        As it has been edited.
    """

    def __init__(
        self,
        hypergraph: FeatureHypergraph | None = None,
        *,
        state: EditorState | None = None,
        **params: Any,
    ) -> None:
        super().__init__(**params)
        if state is None:
            nothing = FeatureHypergraph.independent([])
            state = EditorState(nothing if hypergraph is None else hypergraph)
        self.state = state
        self.pane = EditorPane(dark=self.param.dark, sizing_mode="stretch_width")
        self.pane.on_msg(lambda event: self.state.receive(event.data))
        self._watch_state(self._send, ["serial", "window"])
        self.state.undo_stack.param.watch(lambda _: self._forget_redo(), "redoes")
        self._send()

    def __panel__(self) -> pn.viewable.Viewable:
        return self.pane

    @property
    def hypergraph(self) -> FeatureHypergraph:
        """The hypergraph as it has been edited."""
        return self.state.drawing.hypergraph

    def _send(self) -> None:
        self.pane.graph = graph_message(self.state)

    def _forget_redo(self) -> None:
        """Disable the redo of the drawing once something else was done instead."""
        if self.pane.graph["redoes"] != self.state.redoes:
            self._send()


def graph_message(state: EditorState) -> dict[str, Any]:
    """Return what a browser needs to draw a graph.

    `state`: what is drawn. Above `MAX_DRAWN` nodes it is its window that is drawn, and
    nothing where there is none.
    """
    drawing = state.drawing
    n_all = len(drawing.component_ids) + len(drawing.feature_ids)
    window = state.window
    if window is None:
        whole = {*drawing.component_ids, *drawing.feature_ids}
        window = whole if n_all <= MAX_DRAWN else frozenset()
    return {
        **_nodes(drawing, window, state.part),
        "unit": unit_text(drawing.hypergraph.unit),
        "n_blocks": drawing.n_blocks,
        "n_all": n_all,
        "undoes": state.undoes,
        "redoes": state.redoes,
        "said": state.said,
        "refused": state.refused,
        "focus": [node for node in state.focus if node in window],
        "serial": state.serial,
    }


def _nodes(
    drawing: Drawing,
    window: frozenset[int] | set[int],
    part: Mapping[int, list[float]],
) -> dict[str, Any]:
    hypergraph = drawing.hypergraph
    rows = [i for i, node in enumerate(drawing.component_ids) if node in window]
    columns = [j for j, node in enumerate(drawing.feature_ids) if node in window]
    shown = hypergraph.incidence[rows][:, columns]
    component_blocks, feature_blocks = drawing.blocks
    users = hypergraph.incidence.sum(axis=1)[rows] - shown.sum(axis=1)
    needs = hypergraph.incidence.sum(axis=0)[columns] - shown.sum(axis=0)
    alone = hypergraph.marginal_costs()
    links = shown.tocoo()
    return {
        "components": [
            [
                drawing.component_ids[i],
                hypergraph.components[i],
                float(hypergraph.component_costs[i]),
                hypergraph.kinds[i],
                int(component_blocks[i]),
                *_place(drawing.component_ids[i], drawing.component_places[i], part),
                int(hidden),
            ]
            for i, hidden in zip(rows, users, strict=True)
        ],
        "features": [
            [
                drawing.feature_ids[j],
                hypergraph.features[j],
                float(alone[j]),
                int(feature_blocks[j]),
                *_place(drawing.feature_ids[j], drawing.feature_places[j], part),
                int(hidden),
            ]
            for j, hidden in zip(columns, needs, strict=True)
        ],
        "links": [
            [drawing.component_ids[rows[i]], drawing.feature_ids[columns[j]]]
            for i, j in zip(links.row, links.col, strict=True)
        ],
    }


def _place(
    node: int, place: NDArray[np.float64], part: Mapping[int, list[float]]
) -> list[float]:
    return [round(value, 1) for value in part.get(node, place.tolist())]


# A wider or longer table is not read: a filter finds what one looks for.
MAX_COLUMNS = 60
MAX_ROWS = 100
MAX_FILTER = 120


class MatrixPane(JSComponent):
    """The matrix in the browser."""

    matrix = param.Dict(default={}, doc="What is shown, as `matrix_message` says it.")
    lit = param.List(default=[], doc="Numbers of the nodes that are looked at.")
    dark = param.Boolean(default=False, doc="Whether the page is dark.")

    _esm = "\n".join(map(asset, ("filtered_table.js", "incidence_matrix.js")))
    _stylesheets: ClassVar[list[str]] = [
        asset("filtered_table.css"),
        asset("incidence_matrix.css"),
    ]


class IncidenceMatrix(FigureView):
    """Rows of components and columns of features, all of it editable."""

    state = param.ClassSelector(class_=EditorState)
    wanted = param.String(default="", doc="Only names with this are shown.")

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        self.pane = MatrixPane(dark=self.param.dark, sizing_mode="stretch_width")
        self.pane.on_msg(lambda event: self._receive(event.data))
        self._watch_state(self._fill, ["serial", "window"])
        self._watch_state(self._light, "lit")
        self.param.watch(lambda *_: self._fill(), "wanted")
        self._fill()

    def __panel__(self) -> pn.viewable.Viewable:
        return self.pane

    def _receive(self, message: Any) -> None:
        if isinstance(message, dict) and message.get("op") == "filter":
            text = message.get("text")
            if isinstance(text, str):
                self.wanted = text[:MAX_FILTER]
            return
        self.state.receive(message)

    def _fill(self) -> None:
        self.pane.matrix = {
            **matrix_message(self.state.drawing, self.wanted, self.state.window),
            "serial": self.state.serial,
        }

    def _light(self) -> None:
        self.pane.lit = list(self.state.lit)


def matrix_message(
    drawing: Drawing, wanted: str = "", window: frozenset[int] | None = None
) -> dict[str, Any]:
    """Return what a browser needs to show a matrix.

    `drawing`: what is shown of it: at most `MAX_COLUMNS` features and `MAX_ROWS`
    components.
    `wanted`: features are shown whose name, or the name of a component of theirs, holds
    this.
    """
    hypergraph = drawing.hypergraph
    columns = _found(drawing, wanted.strip().lower(), window)
    shown = columns[:MAX_COLUMNS]
    if len(columns) == hypergraph.n_features:  # those that nothing needs as well
        needed = np.arange(hypergraph.n_components)
    else:
        needed = np.flatnonzero(hypergraph.required_components(columns))
    rows = needed
    if len(columns) > MAX_COLUMNS:
        rows = np.flatnonzero(hypergraph.required_components(shown))
    rows = rows[:MAX_ROWS]
    links = hypergraph.incidence[rows][:, shown].tocoo()
    return {
        "unit": unit_text(hypergraph.unit),
        "features": [[drawing.feature_ids[j], hypergraph.features[j]] for j in shown],
        "components": [
            [
                drawing.component_ids[i],
                hypergraph.components[i],
                float(hypergraph.component_costs[i]),
                hypergraph.kinds[i],
            ]
            for i in rows
        ],
        "links": [
            [drawing.component_ids[rows[i]], drawing.feature_ids[shown[j]]]
            for i, j in zip(links.row, links.col, strict=True)
        ],
        "note": _note(len(shown), hypergraph.n_features, len(rows), len(needed)),
    }


def _found(
    drawing: Drawing, wanted: str, window: frozenset[int] | None
) -> NDArray[np.int_]:
    hypergraph = drawing.hypergraph
    kept = np.ones(hypergraph.n_features, dtype=bool)
    if window is not None:
        kept = np.array([node in window for node in drawing.feature_ids], dtype=bool)
    if wanted:
        rows = [wanted in name.lower() for name in hypergraph.components]
        named = [wanted in name.lower() for name in hypergraph.features]
        users = hypergraph.incidence[np.array(rows, dtype=bool)].sum(axis=0)
        kept &= np.array(named, dtype=bool) | (np.asarray(users) > 0)
    return np.flatnonzero(kept)


def _note(columns: int, n_features: int, rows: int, n_components: int) -> str:
    parts = []
    if columns < n_features:
        parts.append(f"{columns} of {n_features} features are shown")
    if rows < n_components:
        parts.append(f"{rows} of {n_components} components")
    return f"{', '.join(parts)}." if parts else ""


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
