"""A graph with what is predicted, what is true, and what is paid where."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from solvers.errors import ThriftscopeError
from solvers.markov import CostGraph, paid_costs
from solvers.values.rounding import rounded

from ..widgets.theme import MethodStyle, Role
from .layout import Sketch, sketch_graph
from .scene import Axis, Layer, Scene, boxes, dots, links, ring

if TYPE_CHECKING:
    import holoviews as hv


# Predicted labels have a mark each, so that colour need not be seen.
MARKERS = ("circle", "square", "triangle", "diamond", "hex")
# No blue, orange or red: these mean what is bought, shared and wrong.
# The first three, which most graphs have, are no method's hue either.
_LABELS = (
    ("#0b7285", "#66d9e8"),
    ("#6a1b9a", "#ce93d8"),
    ("#5c7a00", "#b5d33d"),
    ("#59636e", "#aab4bf"),
    ("#1f2328", "#eceff3"),
)
LABELS = tuple(
    MethodStyle(*colours, marker, "solid")
    for colours, marker in zip(_LABELS, MARKERS, strict=True)
)
# Where, in a comparison, the drawn method pays less; where more, it is `wrong`.
CHEAPER = MethodStyle("#008060", "#2fbf98", "circle", "solid")
# A lamp that burns.
LAMP = MethodStyle("#ffe27a", "#6b5600", "star", "solid")

_STYLES = {
    "LOGREG": MethodStyle("#4f45b6", "#a9a0ff", "circle", "solid"),
    "LOGREG with edges": MethodStyle("#59636e", "#aab4bf", "hex", "dashed"),
    "CSMN": MethodStyle("#b0126f", "#ff8ac4", "triangle", "solid"),
    "CSMN w/o CSINF": MethodStyle("#8a6d00", "#F0E442", "inverted_triangle", "dashed"),
    "CSMN (exact)": MethodStyle("#b0126f", "#ff8ac4", "triangle", "dotdash"),
    "MN": MethodStyle("#008060", "#2fbf98", "square", "solid"),
    "MN (2006)": MethodStyle("#5d4037", "#bcaaa4", "diamond", "dotdash"),
    "MN (tree-reweighted)": MethodStyle("#008060", "#2fbf98", "star", "dashed"),
    "MN (pseudo-likelihood)": MethodStyle("#1f2328", "#eceff3", "square", "dotted"),
    "MN (exact)": MethodStyle("#008060", "#2fbf98", "square", "dotdash"),
}
_ALWAYS = MethodStyle("#59636e", "#aab4bf", "dash", "dotted")


def structured_style(name: str) -> MethodStyle:
    """Return how a method of this page is drawn."""
    return _STYLES.get(name, _ALWAYS)


def label_style(label: int) -> MethodStyle:
    """Return how a label is drawn."""
    return LABELS[label % len(LABELS)]


# Smallest mark of what is right, and of what is wrong, and the largest, in pixels;
# fewer nodes have room for larger ones.
SIZES, ROOMY_SIZES, ROOMY = (7.0, 13.0, 28.0), (12.0, 18.0, 34.0), 80
LARGEST_NODE_COST = 2.0
MARGIN, WALL_GAP = 0.08, 0.045
LAMP_GLOW = 18.0
TOLD = (
    *(("node", "@name"), ("called", "@predicted"), ("is", "@true")),
    ("pays", "@cost{number} units"),
)


@dataclass(frozen=True, eq=False)
class Paid:
    """What a labelling pays, place by place."""

    labels: NDArray[np.intp]  # (n,) What the nodes are called
    nodes: NDArray[np.float64]  # (n,) Paid on each node
    edges: NDArray[np.float64]  # (E,) Paid on each link

    @classmethod
    def of(cls, graph: CostGraph, labels: NDArray[np.intp]) -> Paid:
        """Return what labels pay on a graph."""
        return cls(labels, *paid_costs(graph, labels))

    @property
    def total(self) -> float:
        """All of it."""
        return float(self.nodes.sum() + self.edges.sum())


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
        predicted label, the rim the true one; wrong nodes are filled and crossed.
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
    from .still import still

    called = np.asarray(graph.truth if labels is None else labels)
    if called.shape != (graph.n_nodes,):
        raise ThriftscopeError(
            f"The graph has {graph.n_nodes} nodes, but labels have shape "
            f"{called.shape}; give one label for each node."
        )
    paid = Paid.of(graph, called)
    names = label_names or tuple(f"label {k}" for k in range(graph.n_labels))
    nodes, edges = (rounded(part.sum(), 4) for part in (paid.nodes, paid.edges))
    if title is None:
        title = f"paid {nodes:g} on nodes, {edges:g} on links"
    scene = graph_scene(graph, sketch_graph(graph), paid, names)
    return still(scene, title=title, dark=dark, legend="right", height=520)


def graph_scene(
    graph: CostGraph,
    sketch: Sketch,
    paid: Paid,
    label_names: Sequence[str],
    *,
    rival: Paid | None = None,
    is_plan: bool = False,
    picked: tuple[str, int] | None = None,
    said: str = "",
) -> Scene:
    """Return what is predicted, what is true, and what is paid where.

    `rival`: a labelling; where it is given, colour and size are of what is paid beyond
    it. `is_plan`: whether nodes are sensors in a room, whose lamps burn where they are
    called 0. `picked`: "node" or "edge", and the number of the one that is looked at.
    `said`: the same in words.
    """
    nodes = _nodes(graph, sketch, paid, label_names, rival)
    layers = [
        _walls(sketch.places if is_plan else sketch.places[:0]),
        _links(sketch, _beyond(paid.edges, None if rival is None else rival.edges)),
        _lamps(nodes, paid.labels[sketch.nodes] == 0, is_plan, label_names),
        nodes,
        _crosses(nodes),
        _lens(sketch, picked),
        *_keys(label_names[: graph.n_labels], rival is not None),
    ]
    low, high = sketch.places.min(axis=0), sketch.places.max(axis=0)
    gap = np.maximum(MARGIN * (high - low), 1e-3)
    x, y = (Axis("", float(low[k] - gap[k]), float(high[k] + gap[k])) for k in range(2))
    return Scene(x, y, layers, said=said)


def _nodes(
    graph: CostGraph,
    sketch: Sketch,
    paid: Paid,
    names: Sequence[str],
    rival: Paid | None,
) -> Layer:
    nodes = sketch.nodes
    called, true = paid.labels[nodes], graph.truth[nodes]
    costs = _beyond(paid.nodes, None if rival is None else rival.nodes)[nodes]
    is_wrong = called != true
    fill = [
        label_style(label) if wrong else "background"
        for label, wrong in zip(called.tolist(), is_wrong.tolist(), strict=True)
    ]
    if rival is not None:
        fill = _cost_roles(costs, "faded")
    named = graph.node_names or range(graph.n_nodes)
    told = {
        "mark": [label_style(label).marker for label in called.tolist()],
        "fill": fill,
        "rim": [label_style(label) for label in true.tolist()],
        "size": _sizes(np.abs(costs), is_wrong),
        "wrong": is_wrong,
        "name": [str(named[node]) for node in nodes.tolist()],
        "predicted": [names[label] for label in called.tolist()],
        "true": [names[label] for label in true.tolist()],
        "cost": paid.nodes[nodes],
    }
    look = {"fill_color": "fill", "line_color": "rim", "line_width": 2.5}
    x, y = sketch.places.T
    return dots(
        "nodes", x, y, "rim", marker="mark", size="size", hover=TOLD, told=told, **look
    )


def _sizes(
    costs: NDArray[np.float64], is_wrong: NDArray[np.bool_]
) -> NDArray[np.float64]:
    """Return how large marks are: none that is wrong is as small as what is right."""
    right, wrong, largest = SIZES if len(costs) > ROOMY else ROOMY_SIZES
    smallest = np.where(is_wrong, wrong, right)
    share = np.sqrt(np.minimum(costs / LARGEST_NODE_COST, 1.0))
    return smallest + share * (largest - smallest)


def _crosses(nodes: Layer) -> Layer:
    """Return a cross on each node that is called wrongly."""
    wrong = np.flatnonzero(nodes.columns["wrong"])
    x, y, size = (np.asarray(nodes.columns[key])[wrong] for key in ("x", "y", "size"))
    look = {"marker": "x", "size": "size", "line_width": 2.0}
    return dots("crosses", x, y, "background", told={"size": 0.42 * size}, **look)


def _links(sketch: Sketch, costs: NDArray[np.float64]) -> Layer:
    costs = costs[sketch.edges]
    order = np.argsort(np.abs(costs), kind="stable")  # what is paid lies on top
    costs = costs[order]
    starts, ends = (sketch.places[end] for end in sketch.ends[order].T)
    told = {
        "colour": _cost_roles(costs, "grid" if len(costs) > ROOMY else "faded"),
        "width": 1.0 + 4.0 * np.minimum(np.abs(costs), 1.0),
        "cost": costs,
    }
    return links("links", starts, ends, "colour", width="width", told=told)


def _lamps(
    nodes: Layer, burns: NDArray[np.bool_], is_plan: bool, names: Sequence[str]
) -> Layer:
    burning = np.flatnonzero(burns & is_plan)
    x, y, size = (np.asarray(nodes.columns[key])[burning] for key in ("x", "y", "size"))
    # A lamp outshines its sensor, however large that is drawn.
    told = {"size": LAMP_GLOW + 1.6 * size}
    look = {"marker": "star", "size": "size", "line_color": None}
    return dots("lamps", x, y, LAMP, told=told, key=f"lamp on: {names[0]}", **look)


def _walls(places: NDArray[np.float64]) -> Layer:
    left, right, bottom, top = [], [], [], []
    if len(places):
        low, high = places.min(axis=0), places.max(axis=0)
        gap = WALL_GAP * (high - low)
        (left, bottom), (right, top) = np.stack([low - gap, high + gap])[..., None]
    look: dict[str, Any] = {"fill_color": None, "line_color": "faded", "line_width": 3}
    return boxes("walls", left, right, bottom, top, "faded", **look)


def _lens(sketch: Sketch, picked: tuple[str, int] | None) -> Layer:
    at = None if picked is None else place_of(sketch, *picked)
    x, y = ([], []) if at is None else ([at[0]], [at[1]])
    lens = ring(x, y, name="lens", size=38)
    return Layer(lens.name, lens.glyph, lens.columns, {**lens.look, "line_width": 3})


def _keys(names: Sequence[str], is_compared: bool) -> list[Layer]:
    """Return entries of the legend: marks that are nowhere else."""
    marks = [(f"called {name}", label, label) for label, name in enumerate(names)]
    if not is_compared and len(names) > 1:
        pairs = [(0, 1), (1, 0)] if len(names) == 2 else [(0, 1)]
        marks += [(f"called {names[k]}, is {names[j]}", k, j) for k, j in pairs]
    costlier = "pays more" if is_compared else "paid on a link"
    same = "pays the same" if is_compared else "nothing paid"
    lines: list[tuple[str, Role, float]] = [(costlier, "wrong", 4.0)]
    lines += [("pays less", CHEAPER, 4.0)] if is_compared else []
    nowhere = np.full((1, 2), np.nan)
    return [
        *(_key(k, *mark, is_compared) for k, mark in enumerate(marks)),
        *(
            links(f"key line {k}", nowhere, nowhere, role, width=width, key=key)
            for k, (key, role, width) in enumerate([*lines, (same, "faded", 2.0)])
        ),
    ]


def _key(number: int, key: str, label: int, true: int, is_compared: bool) -> Layer:
    style = label_style(label)
    inside: Role = "background" if label == true else style
    look = {
        "fill_color": "faded" if is_compared else inside,
        "line_color": label_style(true),
        "line_width": 1.5,
    }
    name, more = f"key mark {number}", {"marker": style.marker, "size": 13}
    return dots(name, [np.nan], [np.nan], style, key=key, **more, **look)


def _cost_roles(costs: NDArray[np.float64], quiet: Role) -> list[Role]:
    return [
        "wrong" if cost > 0 else CHEAPER if cost < 0 else quiet
        for cost in costs.tolist()
    ]


def _beyond(
    paid: NDArray[np.float64], rival: NDArray[np.float64] | None
) -> NDArray[np.float64]:
    return paid if rival is None else paid - rival


def place_of(sketch: Sketch, kind: str, number: int) -> NDArray[np.float64] | None:
    """Return where a node, or the middle of a link, is drawn; None where it is not."""
    if kind == "node":
        rows = np.flatnonzero(sketch.nodes == number)
        return sketch.places[rows[0]] if len(rows) else None
    rows = np.flatnonzero(sketch.edges == number)
    return sketch.places[sketch.ends[rows[0]]].mean(axis=0) if len(rows) else None


def nearest(sketch: Sketch, x: float, y: float, reach: float) -> tuple[str, int] | None:
    """Return what lies nearest to a point: a node, else a link."""
    at = np.array([x, y])
    away = np.hypot(*(sketch.places - at).T)
    closest = int(np.argmin(away))
    if away[closest] <= reach:
        return "node", int(sketch.nodes[closest])
    if not len(sketch.ends):
        return None
    start, end = sketch.places[sketch.ends[:, 0]], sketch.places[sketch.ends[:, 1]]
    along = end - start
    lengths = np.maximum((along**2).sum(axis=1), 1e-12)
    share = np.clip(((at - start) * along).sum(axis=1) / lengths, 0.0, 1.0)
    away = np.hypot(*(start + share[:, None] * along - at).T)
    closest = int(np.argmin(away))
    return ("edge", int(sketch.edges[closest])) if away[closest] <= reach else None
