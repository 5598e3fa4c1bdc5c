"""What a selection buys, as tiles with prices: tied where features share."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csgraph

from solvers import FeatureHypergraph
from solvers.values.rounding import number

from ...widgets import lights
from ...widgets.text import cost_text, counted, plain
from ...widgets.theme import Palette

# How many terms of a sum are written out.
MAX_TERMS = 6
# More tiles are no picture: the table of points names all.
MAX_TILES = 40


def basket(
    graph: FeatureHypergraph, features: NDArray[np.bool_], colours: Palette
) -> str:
    """Return what a selection buys as HTML: its sum, and a tile a feature.

    A tile has the price of what its feature alone needs; what several need stands
    before them, once. Shapes: `features` (n_features,).
    """
    paid = sum_text(graph, features, lights.lit_word, plain)
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
