"""The tree of a search for the best trimming: what was included, excluded, cut."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from solvers.bayes import SearchEvent
from solvers.errors import ThriftscopeError, counted

from ..widgets.lights import feature
from ..widgets.text import charge_text, cut_text, percent_text
from .scene import Axis, Layer, Scene, boxes, dots, line, links, words
from .trimming_search import DrawnTree, TrimmingSearch

if TYPE_CHECKING:
    import holoviews as hv

# Longer names are cut; the pointer is told them whole.
MAX_NAME = 18
# What a tree takes beside the names of its levels where the window is narrow, and a
# character: a level whose words have no room there has none.
WIDTH, CHARACTER = 400, 6.0
# Of the wedge of a cut subtree, in pixels: the least, and the most.
LEAST, WEDGE = 9, 28
TIPS = [
    ("", "@about"),
    ("with", "@included"),
    ("without", "@excluded"),
    ("agreement (MAA)", "@maa"),
    ("bound (MPA)", "@mpa"),
    ("cost", "@cost"),
    ("", "@why"),
]
TITLES = {
    "included": "with the feature",
    "excluded": "without it",
    "improved": "best so far",
    "bounded": "cut by its bound",
    "infeasible": "over budget",
}
MARKS: Mapping[str, Mapping[str, Any]] = {
    "root": {"role": "text", "size": 10},
    # Cut subtrees are grey; what the budget can never pay for is hatched.
    "bounded": {"role": "faded", "line_color": "quiet_text"},
    "infeasible": {
        **{"role": "background", "line_color": "quiet_text"},
        **{"hatch_color": "quiet_text", "hatch_pattern": "right_diagonal_line"},
        "hatch_scale": 6.0,
    },
    "included": {"role": "lit", "size": 10},
    "excluded": {
        **{"role": "quiet_text", "marker": "square", "size": 9},
        "fill_color": "background",
    },
    "improved": {"role": "lit", "marker": "star", "size": 18, "line_color": "ring"},
}
WEDGES = ("bounded", "infeasible")
# Between a word and what it stands beside, in pixels.
_BESIDE = {"text_align": "left", "x_offset": 10, "text_baseline": "middle"}
_BELOW = {"text_align": "center", "y_offset": 12, "text_baseline": "top"}
_GROUND = {
    "background_fill_color": "background",
    "background_fill_alpha": 0.75,
    "text_line_height": 1.1,
}


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
        The way to the best trimming so far is drawn bold, each node with its bound.

    Raises
    ------
    ThriftscopeError
        If there is no event.
    """
    from .still import still

    tree = TrimmingSearch()
    tree.add(events)
    if not tree.events:
        raise ThriftscopeError("The search has no event; give it from its first one.")
    best = tree.events[-1].best
    kept = ", ".join(best.features) or "no feature"
    said = f"{kept}: agreement {percent_text(best.agreement)}"
    scene = tree_scene(tree, len(tree.events))
    return still(
        scene, title=said if title is None else title, dark=dark, legend="right"
    )


# --------------------------------------------------------------------------- the words


def fate_of(event: SearchEvent) -> str:
    """Return which kind of `MARKS` a node is, by its first event."""
    if event.feature is None:
        return "root"
    if event.state in ("improved", "bounded", "infeasible"):
        return event.state
    return "excluded" if event.decision == "excluded" else "included"


def why(event: SearchEvent) -> str:
    """Return what became of a node, and why, in words."""
    best, bound = percent_text(event.best.agreement), percent_text(event.mpa)
    said = {
        "expanded": f"branches: up to {bound} may beat the best, {best}",
        "improved": f"improves: the best so far, agreement {best}",
        "bounded": f"cut: at most {bound} cannot beat the best, {best}",
        "infeasible": f"cut: {event.feature} no longer fits in the budget",
        "leaf": "leaf: nothing more fits in the budget",
        "finished": f"finished: the best has agreement {best}",
    }
    return said[event.state]


def event_text(event: SearchEvent) -> str:
    """Return an event in one line."""
    if event.state == "finished" or event.feature is None:
        said = why(event)
        return said[0].upper() + said[1:]
    decision = "with" if event.decision == "included" else "without"
    return f"{decision.capitalize()} {event.feature}: {why(event)}"


# --------------------------------------------------------------------------- the scene


def tree_scene(
    search: TrimmingSearch,
    n_events: int,
    *,
    is_folded: bool = False,
    unit: str = "",
    said: str = "",
) -> Scene:
    """Return the nodes of the first events: the root on top, each with its bound.

    `unit`: of costs. `said`: the same in words.
    """
    tree = search.tree(is_folded=is_folded)
    if (is_folded, unit) not in search.parts:
        search.parts[is_folded, unit] = _TreeParts(search, tree, unit)
    parts: _TreeParts = search.parts[is_folded, unit]
    n_nodes = search.nodes_upto(n_events)
    way = list(dict.fromkeys(tree.stands_for[search.best_way(n_events)].tolist()))
    hidden = {k: n for k, n in tree.hidden(n_nodes).items() if k in parts.counted}
    event = search.events[n_events - 1] if n_events else None
    row = None if event is None else search.row(event.node)
    here = [] if row is None else [int(tree.stands_for[row])]
    wide, deep = tree.n_leaves, int(tree.depth[tree.drawn].max(initial=0))
    room = max(0.7, 0.06 * wide)
    levels = {depth: n for depth, n in parts.levels.items() if depth <= deep}
    ends = -room, wide - 1 + room
    now = {"line_width": 2, "fill_color": None, "line_color": "ring"}
    return Scene(
        Axis("", *ends),
        Axis(
            "",
            -deep - 1.0,
            0.4,
            ticks={
                -float(depth): cut_text(name, MAX_NAME)
                for depth, name in levels.items()
            },
        ),
        [
            _bands(levels, *ends),
            *parts.upto("links", n_nodes),
            line("way", *parts.at(way), "lit", width=4, line_alpha=0.45),
            *parts.upto("marks", n_nodes),
            dots("now", *parts.at(here), "ring", size=24, **now),
            *parts.upto("words", n_nodes),
            words(
                "collapsed",
                *parts.at(hidden),
                [f"+{count}" for count in hidden.values()],
                "quiet_text",
                text_baseline="top",
                y_offset=9,
            ),
        ],
        said=said,
    )


def _bands(levels: Mapping[int, str], left: float, right: float) -> Layer:
    """Return what lights a level with its feature."""
    y = [-float(depth) for depth in levels]
    n_levels = len(levels)
    return boxes(
        "levels",
        [left] * n_levels,
        [right] * n_levels,
        [at - 0.5 for at in y],
        [at + 0.5 for at in y],
        "background",
        told={"thing": [feature(name) for name in levels.values()]},
        fill_alpha=0.0,
    )


class _TreeParts:
    """All layers of a tree; of a search so far their first rows are shown."""

    def __init__(self, search: TrimmingSearch, tree: DrawnTree, unit: str) -> None:
        self.levels = search.features_by_depth()
        self._search, self._tree, self._unit = search, tree, unit
        self._y = -tree.depth.astype(float)
        fates = [fate_of(event) for event in search.first_events]
        drawn = np.flatnonzero(tree.drawn).tolist()

        def of(*kinds: str) -> list[int]:
            return [row for row in drawn if fates[row] in kinds]

        below = [row for row in drawn if search.parents[row] >= 0]
        included = {r for r in below if search.first_events[r].decision == "included"}
        with_it = [row for row in below if row in included]
        without = [row for row in below if row not in included]
        self._parents = {search.parents[row] for row in drawn}
        # A level that stands for others says how many, where there is room, no bound.
        hidden = tree.hidden(len(fates))
        across = sorted(hidden, key=lambda row: float(tree.x[row]))
        self.counted = {*self._fitting({k: f"+{hidden[k]}" for k in across})}
        levels = set(tree.depth[[*hidden]].tolist())
        bare = [row for row in drawn if int(tree.depth[row]) not in levels]
        labelled = self._labelled(bare)
        beside = [row for row in drawn if row in labelled and row in self._parents]
        under = [r for r in drawn if r in labelled and r not in self._parents]
        # Each with the rows of the tree that it shows, of which there is a layer.
        self._layers: dict[str, list[tuple[list[int], Layer]]] = {
            "links": [
                (with_it, self._links("links with", with_it, "solid")),
                (without, self._links("links without", without, "dashed")),
            ],
            "marks": [(of(name), self._marks(name, of(name))) for name in MARKS],
            "words": [
                (beside, self._words("bounds beside", beside, labelled, _BESIDE)),
                (under, self._words("bounds below", under, labelled, _BELOW)),
            ],
        }

    def at(self, rows: Iterable[int]) -> tuple[list[float], list[float]]:
        """Return where nodes stand."""
        chosen = list(rows)
        return self._tree.x[chosen].tolist(), self._y[chosen].tolist()

    def upto(self, name: str, n_nodes: int) -> list[Layer]:
        """Return layers with what the first nodes have in them."""
        return [
            _first(layer, int(np.searchsorted(rows, n_nodes)))
            for rows, layer in self._layers[name]
        ]

    def _links(self, name: str, rows: list[int], dash: str) -> Layer:
        above = [self._search.parents[row] for row in rows]
        starts, ends = (np.column_stack(self.at(one)) for one in (above, rows))
        return links(name, starts, ends, "quiet_text", width=1.2, line_dash=dash)

    def _marks(self, name: str, rows: list[int]) -> Layer:
        look, told = dict(MARKS[name]), self._told(rows)
        if name in WEDGES:
            told["size"] = [self._wedge(row) for row in rows]
            look |= {"marker": "triangle", "size": "size"}
        place, key, role = self.at(rows), TITLES.get(name, ""), look.pop("role")
        return dots(name, *place, role, key=key, hover=TIPS, told=told, **look)

    def _wedge(self, row: int) -> float:
        """Return how large a cut subtree is drawn: as there is room, and as it is."""
        nodes = self._search.first_events
        share = len(nodes[row].undecided) / max(1, len(nodes[0].undecided))
        room = 0.8 * WIDTH / (self._tree.n_leaves + 0.4)
        return float(np.clip(room, LEAST, WEDGE)) * (0.6 + 0.4 * share)

    def _told(self, rows: list[int]) -> dict[str, list[Any]]:
        events = [self._search.first_events[row] for row in rows]
        told: dict[str, Callable[[SearchEvent], str]] = {
            "about": _about,
            "included": lambda e: _listed(e.included),
            "excluded": lambda e: _listed(e.excluded),
            "maa": lambda e: "as above it" if e.maa is None else percent_text(e.maa),
            "mpa": lambda e: percent_text(e.mpa),
            "cost": lambda e: charge_text(e.cost, self._unit),
            "why": why,
            "thing": lambda e: feature(e.feature) if e.feature else "",
        }
        return {key: [say(event) for event in events] for key, say in told.items()}

    # ------------------------------------------------------------------------ the words

    def _labelled(self, drawn: list[int]) -> dict[int, str]:
        """Return what stands at nodes: as much as a level has room for."""
        found: dict[int, str] = {}
        by_depth: dict[int, list[int]] = {}
        for row in sorted(drawn, key=lambda row: float(self._tree.x[row])):
            by_depth.setdefault(int(self._tree.depth[row]), []).append(row)
        for depth, rows in by_depth.items():
            told = {row: self._name_and_bound(row, depth) for row in rows}
            fitting = self._fitting(told)
            if len(fitting) < sum(map(bool, told.values())):
                fitting = self._fitting({row: self._bound(row) for row in rows})
            found |= fitting
        return found

    def _fitting(self, told: Mapping[int, str]) -> dict[int, str]:
        """Return those words of a level that lie on no others, and on no node."""
        pixel = (self._tree.n_leaves + 0.4) / WIDTH
        fitting, end = {}, -np.inf
        rows = [*told]
        for k, row in enumerate(rows):
            x, text = float(self._tree.x[row]), told[row]
            wide = CHARACTER * pixel * max(map(len, text.split("\n")))
            after = float(self._tree.x[rows[k + 1]]) if k + 1 < len(rows) else np.inf
            if row in self._parents:
                left, right = x, x + 12 * pixel + wide
                fits = right < after - 8 * pixel
            else:
                left, right = x - wide / 2, x + wide / 2
                fits = left > end
            if text and fits:
                fitting[row], end = text, right
        return fitting

    def _name_and_bound(self, row: int, depth: int) -> str:
        event, bound = self._search.first_events[row], self._bound(row)
        is_named = event.feature is None or depth in self.levels
        if is_named or event.state == "infeasible":
            return bound
        sign = "+" if event.decision == "included" else "−"
        return f"{sign}{cut_text(event.feature or '', MAX_NAME)}\n{bound}"

    def _bound(self, row: int) -> str:
        event = self._search.first_events[row]
        if event.state == "infeasible":
            return f"+{cut_text(event.feature or '', MAX_NAME)}"
        if event.state == "improved" and event.maa is not None:
            return percent_text(event.maa)
        return f"≤ {percent_text(event.mpa)}"

    def _words(
        self,
        name: str,
        rows: list[int],
        labelled: Mapping[int, str],
        look: Mapping[str, Any],
    ) -> Layer:
        x, y = self.at(rows)
        text = [labelled[row] for row in rows]
        return words(name, x, y, text, **_GROUND, **look)


def _first(layer: Layer, count: int) -> Layer:
    if count == len(layer):
        return layer
    columns = {key: column[:count] for key, column in layer.columns.items()}
    return Layer(layer.name, layer.glyph, columns, layer.look, layer.key, layer.hover)


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names) or "nothing"


def _about(event: SearchEvent) -> str:
    if event.feature is None:
        return "root: nothing is decided"
    if event.state in ("bounded", "infeasible"):
        n_sets = 2 ** len(event.undecided)
        return f"{_signed(event)}: {counted(n_sets, 'set')} not looked at"
    return _signed(event)


def _signed(event: SearchEvent) -> str:
    return f"{'with' if event.decision == 'included' else 'without'} {event.feature}"
