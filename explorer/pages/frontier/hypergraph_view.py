"""The hypergraph, with what the chosen point computes lit, and its cost as tiles."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import param
from numpy.typing import NDArray
from scipy.sparse import csgraph

from solvers import FeatureHypergraph
from solvers.values.rounding import number

from ...document.hypergraph_layout import HypergraphLayout, lay_out
from ...figures.hypergraph import hypergraph_scene
from ...figures.live import SceneView
from ...figures.scene import Scene
from ...widgets import lights
from ...widgets.page_layout import SIDE
from ...widgets.text import cost_text, counted, plain
from ...widgets.theme import Palette, palette
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
        features, mean = np.zeros(graph.n_features, dtype=bool), 0.0
        if chosen is not None:
            features, mean = chosen.point.features, chosen.point.cost["mean"]
        lit = (graph, chosen is None, features.tobytes(), mean)
        if (
            self._lit is not None
            and lit[0] is self._lit[0]
            and lit[1:] == self._lit[1:]
        ):
            return None
        self._lit = lit
        if self._laid is None or self._laid[0] is not graph:
            self._laid = graph, lay_out(graph)
        self._told = (graph, features, mean) if chosen else None
        self._tell()
        return hypergraph_scene(graph, features, self._laid[1])

    def _use_theme(self) -> None:
        super()._use_theme()
        self._tell()

    def _tell(self) -> None:
        told = NOTHING
        if self._told is not None:
            graph, features, mean = self._told
            told = basket(graph, features, palette(self.dark), mean)
        self._text.object = told


# How many terms of a sum are written out.
MAX_TERMS = 6
# More tiles are no picture: the table of points names all.
MAX_TILES = 40


def basket(
    graph: FeatureHypergraph,
    features: NDArray[np.bool_],
    colours: Palette,
    mean: float | None = None,
) -> str:
    """Return what a selection buys as HTML: its sum, and a tile a feature.

    A tile has the price of what its feature alone needs; what several need stands
    before them, once. `mean`: what a row pays in the mean, which is less where a row
    buys only what it comes to need. Shapes: `features` (n_features,).
    """
    paid = sum_text(graph, features, lights.lit_word, plain)
    if mean is not None and mean < graph.cost(features) * (1 - 1e-9):
        costs = plain(cost_text(mean, graph.unit))
        paid = (
            f"All that a row may need: {paid} A row buys what it comes to need, "
            f"{costs} in the mean."
        )
    tiles = "".join(_groups(graph, np.flatnonzero(features)[:MAX_TILES]))
    more = int(features.sum()) - MAX_TILES
    if more > 0:
        tiles += f'<span class="tile more">and {counted(more, "more feature")}</span>'
    style = f"--lit: {colours.lit}; --shared: {colours.shared}"
    return f'<p>{paid}</p><div class="basket" style="{style}">{tiles}</div>'


def _groups(graph: FeatureHypergraph, bought: NDArray[np.intp]) -> Iterator[str]:
    """Yield features that share nothing, and those that what they share ties."""
    needed = graph.incidence[:, bought].astype(float).tocsr()
    is_shared = np.diff(needed.indptr) > 1
    ties = needed[is_shared].T @ needed[is_shared]
    count, labels = csgraph.connected_components(ties, directed=False)
    own = np.where(is_shared, 0.0, graph.component_costs) @ needed
    order = [np.flatnonzero(labels == block) for block in range(count)]
    # What is tied comes first.
    for members in sorted(order, key=len, reverse=True):
        tiles = [_feature_tile(graph, int(bought[j]), own[j]) for j in members]
        if len(members) == 1:
            yield from tiles
            continue
        by = np.flatnonzero(is_shared & (needed[:, members].sum(axis=1) > 0))
        once = [_component_tile(graph, int(i)) for i in by]
        yield f'<span class="tie">{"".join(once + tiles)}</span>'


def _feature_tile(graph: FeatureHypergraph, j: int, price: float) -> str:
    name = graph.features[j]
    return _tile(lights.feature(name), name, f"+{number(price)}", "bought")


def _component_tile(graph: FeatureHypergraph, i: int) -> str:
    name, price = graph.components[i], graph.component_costs[i]
    return _tile(lights.component(name), f"{name}, once", number(price), "shared")


def _tile(thing: str, name: str, price: str, kind: str) -> str:
    return (
        f'<span class="lights tile {kind}" tabindex="0" data-thing="{plain(thing)}">'
        f"{plain(name)} <b>{price}</b></span>"
    )


def sum_text(
    graph: FeatureHypergraph,
    features: NDArray[np.bool_],
    word: lights.Word = lights.bare_word,
    written: Callable[[str], str] = str,
) -> str:
    """Return the cost of a selection as a sum over its components, costliest first.

    `word`, `written`: how names of components, and costs, are written. Shapes:
    `features` (n_features,).
    """
    if not features.any():
        return "Nothing is computed: every row is called alike, at no cost."
    needed = np.flatnonzero(graph.required_components(features))
    needed = needed[np.argsort(-graph.component_costs[needed], kind="stable")]
    terms = []
    for i in needed[:MAX_TERMS]:
        name = graph.components[i]
        said = word(lights.component(name), name)
        terms.append(f"{number(graph.component_costs[i])} {said}")
    n_more = len(needed) - MAX_TERMS
    if n_more > 0:
        rest = graph.component_costs[needed[MAX_TERMS:]].sum()
        terms.append(f"{number(rest)} for {counted(n_more, 'more component')}")
    apart = graph.marginal_costs()[features].sum()
    together = graph.cost(features)
    saved = (
        f" Computed apart they would cost {written(cost_text(apart, graph.unit))}."
        if apart > together * (1 + 1e-9)
        else ""
    )
    paid_for = written(cost_text(together, graph.unit))
    return f"{paid_for} = {' + '.join(terms)}.{saved}"
