"""The hypergraph as a drawing that is edited by mouse, fingers and keyboard.

Python owns the graph: the browser sends operations, is told what became of them, and
draws what it is sent. ``HypergraphEditor(hypergraph)`` also works alone in a cell.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
import panel as pn
import param
from numpy.typing import NDArray
from panel.custom import JSComponent

from solvers import FeatureHypergraph

from ...document.drawing import Drawing
from ...document.editor import EditorState
from ...widgets.assets import asset
from ...widgets.figure_view import FigureView
from ...widgets.text import unit_text

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
