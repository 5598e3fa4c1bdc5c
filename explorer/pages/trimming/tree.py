"""The search tree, growing: what was included, excluded, cut, and what improved."""

from __future__ import annotations

from typing import Any

import panel as pn
import param
from bokeh.models import ColumnDataSource, FixedTicker, HoverTool, Range1d

from solvers.bayes import SearchEvent

from ...figures.search_style import TREE, fate_of, signs_markup
from ...widgets.figure_view import FigureView, figure_pane
from ...widgets.markup import markup
from ...widgets.parts import wide_column
from ...widgets.still_figure import diagram_figure, set_ends
from ...widgets.text import charge_text, plain
from .folding import DrawnTree
from .log import SearchLog, event_text, why
from .state import TrimmingState

HEIGHT = 430
# Names stand at the nodes where about this many characters fit side by side.
MAX_NAMED_WIDTH = 110
# Longer names of levels are cut; the hover has them whole.
MAX_NAME = 20
# What a node says to the pointer, and what that is called.
TIPS = (
    ("about", "node"),
    ("included", "included"),
    ("excluded", "excluded"),
    ("maa", "MAA"),
    ("mpa", "MPA"),
    ("cost", "cost"),
    ("why", ""),
)


class TreeView(FigureView):
    """Nodes by what became of them; the way to the best so far is drawn bold."""

    state = param.ClassSelector(class_=TrimmingState)

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        self.figure = diagram_figure(
            height=HEIGHT,
            tools="pan,wheel_zoom,box_zoom,reset",
            x_range=Range1d(-1, 1),
            y_range=Range1d(-1, 1),
            name="tree",
        )
        self.figure.yaxis.update(
            visible=True,
            axis_line_color=None,
            major_tick_line_color=None,
            minor_tick_line_color=None,
            major_label_text_font_size="12px",
            ticker=FixedTicker(ticks=[]),
        )
        self._add_layers()
        self._legend = markup(signs_markup(TREE.values(), self.dark), margin=(0, 10))
        self._text = markup("<p>Opening the network.</p>", min_height=48)
        self._drawn: tuple[Any, int] = (None, 0)
        self._watch_state(self._draw, ["arrived", "position", "log", "is_folded"])
        self._draw()

    def __panel__(self) -> pn.viewable.Viewable:
        plot = figure_pane(self.figure)
        return wide_column(self._legend, plot, self._text)

    def _add_layers(self) -> None:
        at, best = ("x", "y"), TREE["improved"]
        links = self._layer("segment", "x0", "y0", "x1", "y1", line_color="faded")
        way = self._layer("line", *at, line_width=4, line_color=best, line_alpha=0.45)
        now = self._layer(
            "scatter", *at, size=24, fill_color=None, line_color="ring", line_width=2
        )
        marks = {
            name: self._layer(
                "scatter",
                *at,
                told=[key for key, _ in TIPS],
                marker=look.marker,
                size=look.size,
                fill_color=look,
                line_color=look,
            )
            for name, look in TREE.items()
        }
        below = {"text": "text", "text_align": "center", "text_baseline": "top"}
        names = self._layer(
            "text",
            *at,
            told=["text"],
            y_offset=13,
            text_font_size="12px",
            text_color="text",
            **below,
        )
        # As many as are folded away below a node.
        folds = self._layer(
            "text",
            *at,
            told=["text"],
            y_offset=9,
            text_font_size="12px",
            text_color="quiet_text",
            **below,
        )
        self._nodes = {name: drawn.data_source for name, drawn in marks.items()}
        self._links, self._way, self._now, self._names, self._folds = (
            drawn.data_source for drawn in (links, way, now, names, folds)
        )
        tips = [(said, f"@{key}") for key, said in TIPS]
        self.figure.add_tools(HoverTool(renderers=[*marks.values()], tooltips=tips))

    # ------------------------------------------------------------------------- drawing

    def _use_theme(self) -> None:
        super()._use_theme()
        self._legend.object = signs_markup(TREE.values(), self.dark)

    def _draw(self) -> None:
        log = self.state.log
        if log is None:
            return
        tree = log.tree(is_folded=self.state.is_folded)
        n_nodes = log.nodes_upto(self.state.n_shown)
        was, was_nodes = self._drawn
        # Positions hold while the tree is the same: then only new nodes are sent.
        is_same = was is tree and n_nodes >= was_nodes
        if not is_same:
            self._fit(log, tree)
        start = was_nodes if is_same else 0
        if n_nodes > start or not is_same:
            self._send(log, tree, range(start, n_nodes), anew=not is_same)
        self._drawn = (tree, n_nodes)
        self._mark(log, tree, n_nodes)

    def _fit(self, log: SearchLog, tree: DrawnTree) -> None:
        drawn = tree.drawn
        wide, deep = tree.n_leaves, int(tree.depth[drawn].max(initial=0))
        room = max(0.7, 0.06 * wide)
        set_ends(self.figure.x_range, -room, wide - 1 + room)
        set_ends(self.figure.y_range, -1.12 * deep - 0.4, 0.05 * deep + 0.3)
        # Where there is no room for names at the nodes, each level has its own.
        levels = {} if _is_roomy(log, tree) else log.features_by_depth()
        axis = self.figure.yaxis[0]
        axis.ticker.ticks = [-depth for depth in levels if depth <= deep]
        axis.major_label_overrides = {
            -depth: _cut(name) for depth, name in levels.items()
        }

    def _send(self, log: SearchLog, tree: DrawnTree, new: range, *, anew: bool) -> None:
        x, y = tree.x.tolist(), (-tree.depth.astype(float)).tolist()
        drawn = tree.drawn
        rows = [row for row in new if drawn[row]]
        joined = [(row, log.parents[row]) for row in rows if log.parents[row] >= 0]
        links = {
            "x0": [x[above] for _, above in joined],
            "y0": [y[above] for _, above in joined],
            "x1": [x[row] for row, _ in joined],
            "y1": [y[row] for row, _ in joined],
        }
        _put(self._links, links, anew)
        for name, source in self._nodes.items():
            chosen = [row for row in rows if fate_of(log.first_events[row]) == name]
            tips = [_tips(log.first_events[row], self.state.unit) for row in chosen]
            found = {key: [tip[key] for tip in tips] for key, _ in TIPS}
            found |= {"x": [x[row] for row in chosen], "y": [y[row] for row in chosen]}
            _put(source, found, anew)
        is_named = _is_roomy(log, tree)
        named = [row for row in rows if is_named and log.parents[row] >= 0]
        texts = [_name(log.first_events[row]) for row in named]
        labels = {"x": [x[row] for row in named], "y": [y[row] for row in named]}
        _put(self._names, {**labels, "text": texts}, anew)

    def _mark(self, log: SearchLog, tree: DrawnTree, n_nodes: int) -> None:
        event = self.state.shown()
        way = list(dict.fromkeys(tree.stands_for[self.state.ways()].tolist()))
        self._way.data = _at(tree, way)
        row = None if event is None else log.row(event.node)
        self._now.data = _at(tree, [] if row is None else [int(tree.stands_for[row])])
        hidden = tree.hidden(n_nodes)
        counts = [f"+{count}" for count in hidden.values()]
        self._folds.data = {**_at(tree, list(hidden)), "text": counts}
        self._text.object = plain(self._said(log, sum(hidden.values())))

    def _said(self, log: SearchLog, n_hidden: int) -> str:
        event = self.state.shown()
        if event is None:
            return "Nothing has happened yet."
        at = f"Event {self.state.n_shown} of {len(log.events)}. {event_text(event)}."
        if log.n_nodes > len(log.first_events):
            at += (
                f" The first {len(log.first_events)} of {log.n_nodes} nodes are drawn "
                "and can be played; all are searched."
            )
        if n_hidden:
            at += f" {n_hidden} nodes are folded away: +5 stands where 5 are below."
        return at


def _at(tree: DrawnTree, rows: list[int]) -> dict[str, list[float]]:
    return {
        "x": [float(tree.x[row]) for row in rows],
        "y": [-float(tree.depth[row]) for row in rows],
    }


def _cut(name: str) -> str:
    return name if len(name) <= MAX_NAME else f"{name[: MAX_NAME - 1]}…"


def _put(source: ColumnDataSource, columns: dict[str, list[Any]], anew: bool) -> None:
    if anew:
        source.data = columns
    elif columns["x" if "x" in columns else "x0"]:
        source.stream(columns)


def _tips(event: SearchEvent, unit: str) -> dict[str, str]:
    return {
        "about": _name(event) if event.feature else "root: nothing is decided",
        "included": ", ".join(event.included) or "nothing",
        "excluded": ", ".join(event.excluded) or "nothing",
        "maa": "as its parent's" if event.maa is None else f"{event.maa:.4f}",
        "mpa": f"{event.mpa:.4f}",
        "cost": charge_text(event.cost, unit),
        "why": why(event),
    }


def _name(event: SearchEvent) -> str:
    sign = "+" if event.decision == "included" else "−"
    return f"{sign}{event.feature}"


def _is_roomy(log: SearchLog, tree: DrawnTree) -> bool:
    longest = max((len(name) for name in log.question.original.features), default=1)
    return tree.n_leaves * (longest + 1) <= MAX_NAMED_WIDTH
