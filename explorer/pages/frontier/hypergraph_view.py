"""The hypergraph, with what the chosen point computes lit and its cost as a sum."""

from __future__ import annotations

from typing import Any

import numpy as np
import param
from numpy.typing import NDArray

from solvers import FeatureHypergraph
from solvers.values.rounding import number

from ...document.hypergraph_layout import HypergraphLayout, lay_out
from ...figures.hypergraph import hypergraph_scene
from ...figures.live import SceneView
from ...figures.scene import Scene
from ...widgets.text import cost_text, counted, plain
from ...widgets.theme import palette
from .state import AXES, FrontierState

# How many terms of the sum are written out.
MAX_TERMS = 6


class HypergraphView(SceneView):
    """Components above, features below; lit where the chosen point computes them."""

    state = param.ClassSelector(class_=FrontierState)

    called = "hypergraph"
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
        self._tell(sum_text(graph, features) if chosen else "No point is chosen yet.")
        return hypergraph_scene(graph, features, self._laid[1])

    def _use_theme(self) -> None:
        super()._use_theme()
        self._tell(self._told)

    def _tell(self, told: str) -> None:
        self._told = told
        self._text.object = f"<p>{plain(told)}</p>{self._marks()}"

    def _marks(self) -> str:
        colours = palette(self.dark)
        marks = [
            ("●", colours.lit, "feature that is computed"),
            ("■", colours.lit, "component that one of them needs"),
            ("■", colours.shared, "component that several share, paid once"),
            ("○ □", colours.faded, "not computed"),
        ]
        return (
            "<p>"
            + " &nbsp; ".join(
                f'<span aria-hidden="true" style="color: {colour}">{mark}</span> {said}'
                for mark, colour, said in marks
            )
            + "; the larger a square, the costlier.</p>"
        )


def sum_text(hypergraph: FeatureHypergraph, features: NDArray[np.bool_]) -> str:
    """Return the cost of a selection as a sum over its components, costliest first.

    Shapes: `features` (n_features,).
    """
    if not features.any():
        return "Nothing is computed: every row is called alike, at no cost."
    paid = np.flatnonzero(hypergraph.required_components(features))
    paid = paid[np.argsort(-hypergraph.component_costs[paid], kind="stable")]
    terms = [
        f"{number(hypergraph.component_costs[i])} {hypergraph.components[i]}"
        for i in paid[:MAX_TERMS]
    ]
    n_more = len(paid) - MAX_TERMS
    if n_more > 0:
        rest = hypergraph.component_costs[paid[MAX_TERMS:]].sum()
        terms.append(f"{number(rest)} for {counted(n_more, 'more component')}")
    apart = hypergraph.marginal_costs()[features].sum()
    together = hypergraph.cost(features)
    saved = (
        f" Computed apart they would cost {cost_text(apart, hypergraph.unit)}."
        if apart > together * (1 + 1e-9)
        else ""
    )
    return f"{cost_text(together, hypergraph.unit)} = {' + '.join(terms)}.{saved}"
