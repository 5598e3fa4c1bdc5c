"""A graph with what is predicted, what is true, and what is paid where."""

from __future__ import annotations

from typing import Any

import holoviews as hv
import numpy as np
from numpy.typing import ArrayLike, NDArray

from solvers.errors import ThriftscopeError
from solvers.markov import CostGraph, paid_costs
from solvers.values.rounding import rounded

from ..widgets.theme import palette
from .backends import framed
from .elements import drawn_nodes, linked
from .graph_layout import Sketch, sketch_graph
from .structured_style import COSTLIER, MARKERS, label_colour

# Fewer nodes have room for larger marks.
ROOMY = 80
LARGEST_NODE_COST = 2.0


def structured_graph(
    graph: CostGraph,
    labels: ArrayLike | None = None,
    *,
    label_names: tuple[str, ...] | None = None,
    title: str | None = None,
    dark: bool = False,
) -> hv.Overlay:
    """Draw nodes and links; a mark grows, and a link thickens, with what it pays.

    Parameters
    ----------
    graph : CostGraph
        With its true labels.
    labels : array_like of int, shape (n_nodes,), optional
        What a classifier predicts; the truth by default. Colour and marker say the
        predicted label, the rim the true one; wrong nodes are filled.
    label_names : tuple of str, optional
        What the labels are called; their numbers by default.
    title : str, optional
        Above the figure; by default what is paid, on nodes and on links.
    dark : bool, default=False
        For a dark page.

    Returns
    -------
    holoviews.Overlay
        Of a graph of more than 600 nodes the first 600.

    Raises
    ------
    ThriftscopeError
        If there is not one label for each node.
    """
    called = np.asarray(graph.truth if labels is None else labels)
    if called.shape != (graph.n_nodes,):
        raise ThriftscopeError(
            f"The graph has {graph.n_nodes} nodes, but labels have shape "
            f"{called.shape}; give one label for each node."
        )
    on_nodes, on_links = paid_costs(graph, called)
    sketch = sketch_graph(graph)
    names = label_names or tuple(f"label {k}" for k in range(graph.n_labels))
    low, high = sketch.places.min(axis=0), sketch.places.max(axis=0)
    gap = np.maximum(0.1 * (high - low), 0.1)
    nodes, links = (rounded(paid.sum(), 4) for paid in (on_nodes, on_links))
    paid = f"paid {nodes:g} on nodes, {links:g} on links"
    layers = [
        *_links(sketch, on_links[sketch.edges], dark),
        *_nodes(graph, sketch, called, on_nodes, names, dark),
    ]
    return framed(
        hv.Overlay(layers),
        title=paid if title is None else title,
        dark=dark,
        bare=True,
        legend="right",
        height=520,
        xlim=(low[0] - gap[0], high[0] + gap[0]),
        ylim=(low[1] - gap[1], high[1] + gap[1]),
    )


def _links(sketch: Sketch, costs: NDArray[np.float64], dark: bool) -> list[Any]:
    colours = palette(dark)
    quiet = colours.grid if len(costs) > ROOMY else colours.faded
    layers = []
    for is_paid, colour in ((False, quiet), (True, COSTLIER[dark])):
        rows = np.flatnonzero((costs > 0) == is_paid)
        starts, ends = (sketch.places[end[rows]] for end in sketch.ends.T)
        widths = 1.0 + 4.0 * np.minimum(costs[rows], 1.0)
        layers.append(linked(starts, ends, colour, widths))
    return layers


def _nodes(
    graph: CostGraph,
    sketch: Sketch,
    called: NDArray[np.intp],
    costs: NDArray[np.float64],
    names: tuple[str, ...],
    dark: bool,
) -> list[Any]:
    smallest, largest = (7.0, 26.0) if len(sketch.nodes) > ROOMY else (13.0, 34.0)
    share = np.sqrt(np.minimum(costs / LARGEST_NODE_COST, 1.0))[sketch.nodes]
    sizes = smallest + share * (largest - smallest)
    ground = palette(dark).background
    layers = []
    for label in range(graph.n_labels):
        rows = np.flatnonzero(called[sketch.nodes] == label)
        if not len(rows):
            continue
        true = graph.truth[sketch.nodes[rows]]
        mine = label_colour(label, dark)
        fills = np.where(true == label, ground, mine)
        rims = [label_colour(int(one), dark) for one in true]
        told = [names[int(one)] for one in true], costs[sketch.nodes[rows]]
        points = hv.Points(
            (*sketch.places[rows].T, fills, rims, sizes[rows], *told),
            kdims=["x", "y"],
            vdims=["fill", "rim", "size", "truth", "cost"],
            label=f"called {names[label]}",
        )
        marker = MARKERS[label % len(MARKERS)]
        hover = [("is", "@truth"), ("pays", "@cost{0.00}")]
        layers.append(drawn_nodes(points, marker, "size", "fill", "rim", 2.5, hover))
    return layers
