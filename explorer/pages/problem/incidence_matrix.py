"""The incidence matrix: edited cell by cell, in step with the drawing both ways."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
import panel as pn
import param
from numpy.typing import NDArray
from panel.custom import JSComponent

from ...document.drawing import Drawing
from ...document.editor import EditorState
from ...widgets.assets import asset
from ...widgets.figure_view import FigureView
from ...widgets.text import unit_text

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
