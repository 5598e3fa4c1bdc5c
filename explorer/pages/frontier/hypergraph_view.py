"""The hypergraph, with what the chosen point computes lit and its cost as a sum."""

from __future__ import annotations

from typing import Any

import numpy as np
import param

from ...document.hypergraph_layout import HypergraphLayout, lay_out
from ...figures.hypergraph import hypergraph_scene
from ...figures.live import SceneView
from ...figures.scene import Scene
from ...widgets.page_layout import SIDE
from ...widgets.theme import palette
from .basket import basket
from .state import AXES, FrontierState

NOTHING = "<p>No point is chosen yet.</p>"


class HypergraphView(SceneView):
    """Components above, features below; lit where the chosen point computes them."""

    state = param.ClassSelector(class_=FrontierState)

    called = "hypergraph"
    style = SIDE
    tools = "pan,wheel_zoom,reset"
    legend = ""
    follows = (
        *("dataset", "traces", "marks", *AXES),
        *("budget", "reason", "picked", "methods"),
    )

    def __init__(self, **params: Any) -> None:
        self._lit: Any = None
        self._laid: tuple[Any, HypergraphLayout] | None = None
        super().__init__(**params)

    def scene(self) -> Scene | None:
        """Return what the chosen point computes; None where that is shown already."""
        chosen, graph = self.state.chosen(), self.state.dataset.hypergraph
        features = np.zeros(graph.n_features, dtype=bool)
        if chosen is not None:
            features = chosen.point.features
        lit = (graph, chosen is None, features.tobytes())
        if (
            self._lit is not None
            and lit[0] is self._lit[0]
            and lit[1:] == self._lit[1:]
        ):
            return None
        self._lit = lit
        if self._laid is None or self._laid[0] is not graph:
            self._laid = graph, lay_out(graph)
        self._told = (graph, features) if chosen else None
        self._tell()
        return hypergraph_scene(graph, features, self._laid[1])

    def _use_theme(self) -> None:
        super()._use_theme()
        self._tell()

    def _tell(self) -> None:
        told = NOTHING
        if self._told is not None:
            told = basket(*self._told, palette(self.dark))
        self._text.object = told
