"""The tree of a search for the best trimming: what was included, excluded, cut."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import holoviews as hv
import numpy as np
from numpy.typing import NDArray

from solvers.bayes import SearchEvent
from solvers.errors import ThriftscopeError

from ..widgets.theme import palette
from .backends import framed
from .elements import drawn_nodes, lettered, linked
from .network_layout import TreePlaces, tree_places
from .search_style import TREE, fate_of

# Names stand at the nodes where about this many characters fit side by side.
MAX_NAMED_WIDTH = 110


def trimming_tree(
    events: Iterable[SearchEvent], *, title: str | None = None, dark: bool = False
) -> hv.Overlay:
    """Draw the nodes that a search met, by what became of them.

    Parameters
    ----------
    events : iterable of SearchEvent
        As `solvers.bayes.search_trimmings` yields them, from the first one on.
    title : str, optional
        Above the figure; by default the best trimming so far.
    dark : bool, default=False
        For a dark page.

    Returns
    -------
    holoviews.Overlay
        The way to the best trimming so far is drawn bold.

    Raises
    ------
    ThriftscopeError
        If there is no event.
    """
    events = list(events)
    if not events:
        raise ThriftscopeError("The search has no event; give it from its first one.")
    first: dict[int, SearchEvent] = {}
    for event in events:
        if event.state != "finished":
            first.setdefault(event.node, event)
    nodes = list(first.values())
    row = {event.node: k for k, event in enumerate(nodes)}
    parents = [-1 if n.parent is None else row.get(n.parent, -1) for n in nodes]
    places = tree_places(parents)
    at = np.column_stack([places.x, -places.depth])
    colours = palette(dark)
    improved = [row[event.node] for event in events if event.state == "improved"]
    best_way = _way(improved[-1:], parents)
    layers = [
        _links(at, range(len(nodes)), parents, colours.faded, 1.2),
        _links(at, best_way, parents, TREE["improved"].colour(dark), 4.0),
        *_marks(nodes, at, dark),
    ]
    longest = max((len(event.feature or "") for event in nodes), default=0)
    if places.n_leaves * (longest + 1) <= MAX_NAMED_WIDTH:
        layers.append(_names(nodes, at, colours.text))
    best = events[-1].best
    said = f"{', '.join(best.features) or 'no feature'}: agreement {best.agreement:.4f}"
    return framed(
        hv.Overlay(layers),
        title=said if title is None else title,
        dark=dark,
        bare=True,
        legend="right",
        **_room(places),
    )


def _room(places: TreePlaces) -> dict[str, Any]:
    deep, wide = int(places.depth.max(initial=0)), places.n_leaves
    room = max(0.7, 0.06 * wide)
    return {
        "xlim": (-room, wide - 1 + room),
        "ylim": (-1.12 * deep - 0.5, 0.05 * deep + 0.3),
    }


def _way(ends: Sequence[int], parents: Sequence[int]) -> list[int]:
    """Return the nodes from an end up to the root."""
    found, at = [], ends[0] if ends else -1
    while at >= 0:
        found.append(at)
        at = parents[at]
    return found


def _links(
    at: NDArray, rows: Iterable[int], parents: Sequence[int], colour: str, width: float
) -> Any:
    below = [k for k in rows if parents[k] >= 0]
    return linked(at[[parents[k] for k in below]], at[below], colour, width)


def _marks(nodes: Sequence[SearchEvent], at: NDArray, dark: bool) -> list[Any]:
    layers = []
    for kind, look in TREE.items():
        rows = [k for k, event in enumerate(nodes) if fate_of(event) == kind]
        if not rows:
            continue
        names = [_name(nodes[k]) for k in rows]
        bounds = [nodes[k].mpa for k in rows]
        points = hv.Points(
            (*at[rows].T, names, bounds),
            kdims=["x", "y"],
            vdims=["node", hv.Dimension("mpa", label="MPA")],
            label=look.title,
        )
        colour, hover = look.colour(dark), [("", "@node"), ("MPA", "@mpa{0.0000}")]
        layers.append(
            drawn_nodes(points, look.marker, look.size, colour, colour, hover=hover)
        )
    return layers


def _names(nodes: Sequence[SearchEvent], at: NDArray, colour: str) -> Any:
    x, y = at.T
    deep = float(np.ptp(y)) or 1.0
    named = [k for k, event in enumerate(nodes) if event.feature is not None]
    rows = (x[named], y[named] - 0.055 * deep, [_name(nodes[k]) for k in named])
    return lettered(rows, ["x", "y"], colour)


def _name(event: SearchEvent) -> str:
    if event.feature is None:
        return "nothing is decided"
    return f"{'+' if event.decision == 'included' else '−'}{event.feature}"
