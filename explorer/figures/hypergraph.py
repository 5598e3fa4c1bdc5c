"""A hypergraph, with what a selection computes lit."""

from __future__ import annotations

from typing import Any

import holoviews as hv
import numpy as np
from numpy.typing import ArrayLike, NDArray

from solvers import FeatureHypergraph

from ..document.hypergraph_layout import HypergraphLayout, lay_out
from ..widgets.text import cost_text
from ..widgets.theme import palette
from .backends import framed
from .elements import drawn_nodes, lettered, linked


# Up to this many nodes each has its name beside it.
MAX_NAMED = 40


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
    chosen = np.zeros(graph.n_features, dtype=bool)
    if features is not None:
        chosen = np.asarray(graph.feature_mask(features), dtype=bool)
    places = lay_out(graph)
    layers = [
        *_links(graph, places, chosen, dark),
        *_nodes(graph, places, chosen, dark),
    ]
    if graph.n_features + graph.n_components <= MAX_NAMED:
        layers.append(_names(graph, places, dark))
    left, right, bottom, top = places.bounds
    said = f"{int(chosen.sum())} of {graph.n_features} features: " + cost_text(
        graph.cost(chosen), graph.unit
    )
    return framed(
        hv.Overlay(layers),
        title=said if title is None else title,
        dark=dark,
        bare=True,
        xlim=(left - 0.7, right + 0.7),
        ylim=(bottom - 0.9, top + 0.9),
    )


def _links(
    graph: FeatureHypergraph,
    places: HypergraphLayout,
    chosen: NDArray[np.bool_],
    dark: bool,
) -> list[Any]:
    colours, rows = palette(dark), graph.incidence.tocoo()
    starts, ends = places.components[rows.row], places.features[rows.col]
    is_lit = chosen[rows.col]
    return [
        linked(starts[~is_lit], ends[~is_lit], colours.grid, 1.2),
        linked(starts[is_lit], ends[is_lit], colours.lit, 2.0),
    ]


def _nodes(
    graph: FeatureHypergraph,
    places: HypergraphLayout,
    chosen: NDArray[np.bool_],
    dark: bool,
) -> list[Any]:
    colours, paid = palette(dark), graph.required_components(chosen)
    users = graph.incidence.astype(int) @ chosen.astype(int)
    lit = np.where(users > 1, colours.shared, colours.lit)
    return [
        _marks(
            places.components,
            np.where(paid, lit, colours.background),
            np.where(paid, lit, colours.faded),
            "square",
            graph.components,
        ),
        _marks(
            places.features,
            np.where(chosen, colours.lit, colours.background),
            np.where(chosen, colours.lit, colours.faded),
            "circle",
            graph.features,
        ),
    ]


def _marks(
    places: NDArray[np.float64],
    fills: NDArray[np.str_],
    rims: NDArray[np.str_],
    marker: str,
    names: Any,
) -> Any:
    columns = (*places.T, fills, rims, list(names))
    points = hv.Points(columns, ["x", "y"], ["fill", "rim", "name"])
    return drawn_nodes(points, marker, 12, "fill", "rim", hover=[("", "@name")])


def _names(graph: FeatureHypergraph, places: HypergraphLayout, dark: bool) -> Any:
    spots = np.vstack([places.components, places.features])
    away = np.r_[np.full(graph.n_components, 0.35), np.full(graph.n_features, -0.35)]
    rows = (spots[:, 0], spots[:, 1] + away, [*graph.components, *graph.features])
    return lettered(rows, ["x", "y"], palette(dark).text)
