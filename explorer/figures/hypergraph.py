"""A hypergraph, with what a selection computes lit."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from solvers import FeatureHypergraph

from ..document.hypergraph_layout import HypergraphLayout, lay_out
from ..widgets.lights import COMPONENT, FEATURE, things, together
from ..widgets.text import cost_text, cut_text
from .scene import Axis, Layer, Scene, dots, links, words

if TYPE_CHECKING:
    import holoviews as hv

# Beyond this many links only those that are lit are drawn: the rest is a grey cloud.
MAX_QUIET_LINKS = 1_500
# How large a component is drawn, in pixels: its area grows with its cost.
SIZES, LOW = (6.0, 20.0), 13.0  # The largest where rows lie close
# Up to so many features each has its name below it; longer names take several lines.
MAX_NAMED, LINE, SPARE, MANY_ROWS = 24, 10, 2, 2
# So many letters have room across the figure; of more than so many nodes, smaller ones.
ACROSS, WIDE, CLOSE = 72, 6, "11px"
# Of more nodes each lights itself alone: the names would be most of what is sent.
MOST_LIT = 400
TOOLTIPS = [("", "@what @name"), ("cost", "@cost")]


def hypergraph(
    graph: FeatureHypergraph,
    features: ArrayLike | None = None,
    *,
    title: str | None = None,
    dark: bool = False,
) -> hv.Overlay:
    """Draw components (squares) above the features (circles) that need them.

    Parameters
    ----------
    graph : FeatureHypergraph
        What is drawn.
    features : array_like, optional
        A selection, as a mask, as indices or by name: it and what it computes are lit,
        a component that several of them share in the second colour.
    title : str, optional
        Above the figure; by default what the selection costs.
    dark : bool, default=False
        For a dark page.

    Returns
    -------
    holoviews.Overlay
    """
    from .still import still

    chosen = np.zeros(graph.n_features, dtype=bool)
    if features is not None:
        chosen = np.asarray(graph.feature_mask(features), dtype=bool)
    said = f"{int(chosen.sum())} of {graph.n_features} features: " + cost_text(
        graph.cost(chosen), graph.unit
    )
    scene = hypergraph_scene(graph, chosen, lay_out(graph))
    return still(scene, title=said if title is None else title, dark=dark)


def hypergraph_scene(
    graph: FeatureHypergraph, chosen: NDArray[np.bool_], places: HypergraphLayout
) -> Scene:
    """Return components above the features that need them, lit where they are paid.

    Shapes: `chosen` (n_features,).
    """
    left, right, bottom, top = places.bounds
    return Scene(
        Axis("", left - 0.5, right + 0.5),
        Axis("", bottom - 1.4, top + 0.5),
        [
            *_links(graph, places, chosen),
            _components(graph, places, chosen),
            _features(graph, places, chosen),
            *_names(graph, places, chosen),
        ],
    )


def _links(
    graph: FeatureHypergraph, places: HypergraphLayout, chosen: NDArray[np.bool_]
) -> Iterator[Layer]:
    rows, columns = graph.incidence.nonzero()
    lit = chosen[columns]
    names = np.array(things(FEATURE, graph.features), dtype=object)
    quiet = ~lit & (len(rows) <= MAX_QUIET_LINKS)
    for name, shown, role, width in (
        ("links", quiet, "grid", 1.0),
        ("lit links", lit, "lit", 1.8),
    ):
        ends = places.components[rows[shown]], places.features[columns[shown]]
        told = {"thing": names[columns[shown]].tolist()}
        yield links(name, *ends, role, width=width, told=told)


def _components(
    graph: FeatureHypergraph, places: HypergraphLayout, chosen: NDArray[np.bool_]
) -> Layer:
    paid = graph.required_components(chosen)
    users = graph.incidence.astype(int) @ chosen.astype(int)
    lit = np.where(users > 1, "shared", "lit")
    told: dict[str, Any] = {
        "name": list(graph.components),
        "what": [f"component ({kind})" for kind in graph.kinds],
        "cost": [cost_text(cost, graph.unit) for cost in graph.component_costs],
        "thing": things(COMPONENT, graph.components),
        "size": _sizes(graph.component_costs, _are_many_rows(places)),
        "fill": np.where(paid, lit, "background").tolist(),
        "rim": np.where(paid, lit, "faded").tolist(),
    }
    told |= _lights(
        things(COMPONENT, graph.components),
        things(FEATURE, graph.features),
        graph.incidence,
    )
    return _nodes("components", places.components, "square", "size", told)


def _features(
    graph: FeatureHypergraph, places: HypergraphLayout, chosen: NDArray[np.bool_]
) -> Layer:
    alone = graph.marginal_costs()
    told: dict[str, Any] = {
        "name": list(graph.features),
        "what": ["feature"] * graph.n_features,
        "cost": [f"{cost_text(cost, graph.unit)} alone" for cost in alone],
        "thing": things(FEATURE, graph.features),
        "fill": np.where(chosen, "lit", "background").tolist(),
        "rim": np.where(chosen, "lit", "faded").tolist(),
    }
    needs = graph.incidence.T.tocsr()
    told |= _lights(told["thing"], things(COMPONENT, graph.components), needs)
    return _nodes("features", places.features, "circle", 9, told)


def _lights(
    own: Sequence[str], others: Sequence[str], linked: sparse.csr_array
) -> dict[str, list[str]]:
    """Return what nodes light: themselves and what they are linked to.

    Shapes: `linked` (n_nodes, n_others).
    """
    if len(own) + len(others) > MOST_LIT:
        return {}
    ends = np.split(linked.indices, linked.indptr[1:-1])
    return {
        "lights": [
            together([one, *(others[j] for j in found)])
            for one, found in zip(own, ends, strict=True)
        ]
    }


def _nodes(
    name: str, at: NDArray[np.float64], marker: str, size: Any, told: dict[str, Any]
) -> Layer:
    look = {"fill_color": "fill", "line_color": "rim", "line_width": 1.5}
    return dots(
        name,
        at[:, 0],
        at[:, 1],
        "fill",
        marker=marker,
        size=size,
        hover=TOOLTIPS,
        told=told,
        **look,
    )


def _names(
    graph: FeatureHypergraph, places: HypergraphLayout, chosen: NDArray[np.bool_]
) -> Iterator[Layer]:
    """Return names below features, where they fit; the pointer is told the others."""
    if graph.n_features > MAX_NAMED:
        return
    # Of many rows below each other none has room for another line.
    most = 1 if _are_many_rows(places) else None
    left, right, _, _ = places.bounds
    n_across = right - left + 1
    letters = min(LINE, int(ACROSS / n_across))
    labels = np.array(
        [_folded(name, letters, most) for name in graph.features], dtype=object
    )
    for named, shown, role in (
        ("names", ~chosen, "quiet_text"),
        ("lit names", chosen, "text"),
    ):
        yield words(
            named,
            places.features[shown, 0],
            places.features[shown, 1],
            labels[shown].tolist(),
            role,
            text_baseline="top",
            text_line_height=1.0,
            text_font_size=CLOSE if n_across > WIDE else "12px",
            y_offset=8,
        )


def _folded(name: str, letters: int, most: int | None) -> str:
    """Return a name in lines of so many letters, so many lines at most."""
    if most == 1:  # no shorter for the last letter
        return name if len(name) == letters + 1 else cut_text(name, letters)
    parts = name.replace("_", "_ ")
    longest = max(map(len, parts.split()), default=0)
    # A word is not parted for a letter or two.
    wide = longest if letters < longest <= letters + SPARE else letters
    lines = textwrap.wrap(parts, wide, max_lines=most, placeholder="…")
    return "\n".join(lines).replace("_ ", "_")


def _are_many_rows(places: HypergraphLayout) -> bool:
    """Return whether features lie in so many rows that each has little height."""
    return len(np.unique(places.features[:, 1])) > MANY_ROWS


def _sizes(costs: NDArray[np.float64], is_low: bool) -> list[float]:
    """Return sizes whose area grows with the cost."""
    smallest, highest = SIZES[0], LOW if is_low else SIZES[1]
    largest = costs.max(initial=0.0)
    share = np.sqrt(costs / largest) if largest > 0 else np.zeros_like(costs)
    return (smallest + share * (highest - smallest)).tolist()
