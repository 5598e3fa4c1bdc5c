"""The graph with what is predicted and paid, and a lens on what is clicked in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import panel as pn
import param
from bokeh.events import Tap
from numpy.typing import NDArray

from solvers.markov import CostGraph, Labelling

from ...figures.live import SceneView
from ...figures.scene import Axis, Scene, ring
from ...figures.structured_graph import graph_scene, nearest, place_of
from ...widgets.controls import button
from ...widgets.figure_view import StateTable, TextView
from ...widgets.page_layout import HERO, NARROW
from ...widgets.parts import wide_column
from ...widgets.text import plain
from .state import NO_RIVAL, StructuredState

# A click within this share of the picture's width belongs to a place.
REACH = 0.03
# Between a place and the card that tells of it, in pixels.
BESIDE = 26
# What a figure has above its frame, and below: tools, legend.
ABOVE, BELOW = 30, 62
CARD = f"""
:host {{ position: absolute !important; z-index: 2; width: max-content !important;
 max-width: min(430px, 56%); overflow: auto; border: 1px solid rgb(128 128 128 / 0.6);
 border-radius: 4px; box-shadow: 0 2px 10px rgb(0 0 0 / 0.3);
 background: var(--mui-palette-background-paper, Canvas); }}
@media (max-width: {NARROW}px) {{ :host {{ left: 4px !important; right: 4px !important;
 width: auto !important; max-width: none; }} }}
"""
CORNER = {"position": "absolute", "top": "0", "right": "0", "z-index": "1"}
HINT = "Click a node or a link: what it pays, and what each label is expected to cost."
EMPTY = Axis("", 0.0, 1.0), Axis("", 0.0, 1.0), [ring([], [], name="lens")]
# Where what was picked elsewhere on the page is looked at.
SHOW = "Bokeh.index.find_one(figure)?.el.scrollIntoView({ block: 'nearest' })"


class GraphPicture(SceneView):
    """Nodes and links of the test graph; a click puts one under the lens."""

    state = param.ClassSelector(class_=StructuredState)

    called = "structured"
    height = 560
    style = HERO
    tools = "pan,wheel_zoom,reset"
    follows = ("run", "method", "rival", "shown", "picked")

    def __init__(self, **params: Any) -> None:
        self._drawn: tuple[Any, ...] = ()
        super().__init__(**params)
        self.figure.on_event(Tap, self._tapped)
        self._card = wide_column(
            button(
                "Close",
                self._close,
                variant="text",
                icon="close",
                styles=CORNER,
                css_classes=["closes-by-escape"],
            ),
            Lens(state=self.state),
            visible=False,
            stylesheets=[CARD],
        )
        self._card.jscallback(args={"figure": self.figure}, styles=SHOW)
        for spread in (self.figure.x_range, self.figure.y_range):
            spread.on_change("start", lambda attr, old, new: self._place())
        self._watch_state(self._place, ["picked", "run", "shown"])
        self._place()

    def __panel__(self) -> pn.viewable.Viewable:
        drawn = wide_column(self._pane, self._card, styles={"position": "relative"})
        return wide_column(drawn, self._text)

    def scene(self) -> Scene | None:
        """Return the graph; None until what is asked for has come."""
        state, run = self.state, self.state.run
        chosen = [state.method]
        if state.rival != NO_RIVAL:
            chosen.append(state.rival)
        paid = [run and run.paid(name, state.shown) for name in chosen]
        if run is None or not all(paid):
            return None if self._drawn else Scene(*EMPTY)  # the last picture stays
        decisions = [run.decision(name, state.shown) for name in chosen]
        drawn = (*decisions, state.picked)
        if drawn == self._drawn:
            return None  # a result of another method has come
        self._drawn = drawn
        return graph_scene(
            run.graph(state.shown),
            run.sketch(state.shown),
            paid[0],
            run.labels,
            rival=paid[1] if len(paid) > 1 else None,
            is_plan=run.setting.scene == "sensors",
            picked=state.picked,
            said=HINT,
        )

    # ------------------------------------------------------------------ being looked at

    def _tapped(self, event: Any) -> None:
        if event.x is None or event.y is None or self.state.run is None:
            return
        sketch = self.state.run.sketch(self.state.shown)
        reach = REACH * (self.figure.x_range.end - self.figure.x_range.start)
        self.state.picked = nearest(sketch, event.x, event.y, reach)

    def _close(self) -> None:
        self.state.picked = None

    def _place(self) -> None:
        """Let the card stand beside what is looked at, where there is more room."""
        run, picked, at = self.state.run, self.state.picked, None
        if run is not None and picked is not None:
            at = place_of(run.sketch(self.state.shown), *picked)
        if at is not None:
            across, up = (
                float(np.clip((where - one.start) / (one.end - one.start), 0, 1))
                for where, one in zip(
                    at, (self.figure.x_range, self.figure.y_range), strict=True
                )
            )
            self._card.styles = _beside(across, up)
        if self._card.visible != (at is not None):
            self._card.visible = at is not None


def _beside(across: float, up: float) -> dict[str, str]:
    """Return where a card stands that is about a place, in shares of the picture."""
    side, room = ("left", across) if across < 0.5 else ("right", 1 - across)
    frame = f"(100% - {ABOVE + BELOW}px)"
    if up < 0.5:
        edge, share, least = "bottom", up, BELOW
    else:
        edge, share, least = "top", 1 - up, ABOVE
    end = f"{share:.3f} * {frame} + {least}px"
    return {
        side: f"calc({100 * room:.1f}% + {BESIDE}px)",
        edge: f"calc({end})",
        "max-height": f"calc(100% - ({end}) - 4px)",
    }


# More pairs of labels than this make a table that nobody reads.
MAX_PAIRS = 9
HEIGHT = 320
N_PLACES = 60


@dataclass(frozen=True, eq=False)
class Detail:
    """What there is to say of a node or a link."""

    title: str  # Which one, what it is called, what it is, and what is paid
    choices: tuple[str, ...]  # Labels, or pairs of labels
    predicted: int  # Places of the predicted and the true choice
    true: int
    # A heading and a number for each choice
    columns: tuple[tuple[str, NDArray[np.float64]], ...]
    # (k, k) Cost of calling it the choice of a row where that of a column is true; None
    # if there are too many choices
    costs: NDArray[np.float64] | None


def meaning(decision: Labelling) -> tuple[str, str]:
    """Return what marginals and energies of a decision are."""
    if decision.trace is not None:
        return "q, scaled by losses", "expected loss-scaled score (nats)"
    if decision.beliefs is None:
        return "", "minus score (nats)"
    return "probability", "expected cost"


def node_detail(
    graph: CostGraph, decision: Labelling, node: int, labels: tuple[str, ...]
) -> Detail:
    """Return what there is to say of a node."""
    predicted, true = int(decision.labels[node]), int(graph.truth[node])
    marginal, energy = meaning(decision)
    columns = []
    if decision.beliefs is not None:
        columns.append((marginal, decision.beliefs.node[node]))
    if decision.energies is not None:
        alone = decision.energies.node_tables[node]
        columns.append((f"{energy}, node alone", alone))
        linked = alone + _from_links(decision, node)
        columns.append((f"{energy}, with its links as decided", linked))
    paid = graph.node_costs[node, predicted, true]
    name = graph.node_names[node] if graph.node_names else str(node)
    return Detail(
        f"Node {name}: called {labels[predicted]}, is {labels[true]}, pays {paid:.2f}",
        labels,
        predicted,
        true,
        tuple(columns),
        graph.node_costs[node],
    )


def edge_detail(
    graph: CostGraph, decision: Labelling, edge: int, labels: tuple[str, ...]
) -> Detail:
    """Return what there is to say of a link."""
    i, j = graph.edges[edge].tolist()
    n_labels = len(labels)
    called = decision.labels[[i, j]]
    true = graph.truth[[i, j]]
    pairs = tuple(f"{one}, {other}" for one in labels for other in labels)
    marginal, energy = meaning(decision)
    columns = []
    if decision.beliefs is not None:
        columns.append((marginal, decision.beliefs.edge[edge].ravel()))
    if decision.energies is not None:
        columns.append((energy, decision.energies.edge_tables[edge].ravel()))
    costs = graph.edge_costs[edge].reshape(n_labels**2, n_labels**2)
    predicted, truth = (int(pair[0] * n_labels + pair[1]) for pair in (called, true))
    names = graph.node_names or tuple(str(k) for k in range(graph.n_nodes))
    return Detail(
        f"Link {names[i]} to {names[j]}: called {pairs[predicted]}, is {pairs[truth]}, "
        f"pays {costs[predicted, truth]:.2f}",
        pairs,
        predicted,
        truth,
        tuple(columns),
        costs if len(pairs) <= MAX_PAIRS else None,
    )


def _from_links(decision: Labelling, node: int) -> NDArray[np.float64]:
    """Return what the links of a node add for each label, other ends as decided."""
    energies, labels = decision.energies, decision.labels
    if energies is None:
        return np.zeros(0)
    i, j = energies.edges.T
    out, into = np.flatnonzero(i == node), np.flatnonzero(j == node)
    return energies.edge_tables[out, :, labels[j[out]]].sum(
        axis=0
    ) + energies.edge_tables[into, labels[i[into]], :].sum(axis=0)


class Lens(TextView):
    """The picked node or link."""

    state = param.ClassSelector(class_=StructuredState)
    follows = ("picked", "run", "method", "shown")

    def _markup(self) -> str | None:
        state = self.state
        if state.run is None or state.picked is None:
            return ""
        decision = state.run.decision(state.method, state.shown)
        if decision is None:
            return None
        kind, index = state.picked
        describe = node_detail if kind == "node" else edge_detail
        graph = state.run.graph(state.shown)
        return detail_html(describe(graph, decision, index, state.run.labels))


def detail_html(detail: Detail) -> str:
    """Return a detail as tables; names in it are shown as they are."""
    title = f"<strong>{plain(detail.title)}.</strong>"
    parts = [f'<p class="under-lens" role="status">{title}</p>']
    if detail.columns:
        headings = [plain(heading) for heading, _ in detail.columns]
        rows = [
            (
                plain(choice) + _marks(detail, k),
                "".join(f"<td>{values[k]:.3f}</td>" for _, values in detail.columns),
            )
            for k, choice in enumerate(detail.choices)
        ]
        caption = "What the method expects of each choice"
        parts.append(_table(caption, ["label", *headings], rows))
    parts.append(_cost_table(detail))
    return "".join(parts)


def _marks(detail: Detail, choice: int) -> str:
    said = [
        word
        for word, place in (("called", detail.predicted), ("true", detail.true))
        if place == choice
    ]
    return f" ({', '.join(said)})" if said else ""


def _cost_table(detail: Detail) -> str:
    if detail.costs is None:
        return "<p>There are too many pairs of labels for a cost table.</p>"
    happened = (detail.predicted, detail.true)
    choices = [plain(choice) for choice in detail.choices]
    rows = [
        (
            choice,
            "".join(
                f"<td{' class=paid' if (k, t) == happened else ''}>{cost:.2f}</td>"
                for t, cost in enumerate(costs)
            ),
        )
        for k, (choice, costs) in enumerate(
            zip(choices, detail.costs.tolist(), strict=True)
        )
    ]
    caption = "Cost of calling it a row where a column is true; framed is what is paid"
    return _table(caption, ["called, is", *choices], rows)


def _table(
    caption: str, headings: Sequence[str], rows: Sequence[tuple[str, str]]
) -> str:
    """Return a table; `rows`: the heading of each, and its cells."""
    heads = "".join(f'<th scope="col">{heading}</th>' for heading in headings)
    body = "".join(
        f'<tr><th scope="row">{heading}</th>{cells}</tr>' for heading, cells in rows
    )
    told = f"<caption>{caption}</caption><tr>{heads}</tr>{body}"
    return f'<table class="lens">{told}</table>'


class CostliestMistakes(StateTable):
    """The nodes and links on which most is paid, to pick from without a mouse."""

    state = param.ClassSelector(class_=StructuredState)
    caption, height = "Costliest mistakes of the drawn method", HEIGHT
    columns = ("Where", "Called", "Is", "Pays")
    numbers = (False, False, False, True)
    follows = ("run", "method", "shown")

    def __init__(self, **params: Any) -> None:
        self._places: list[tuple[str, int]] = []
        self._listed: Any = None
        super().__init__(**params)
        self._watch_state(self._mark, "picked")

    def _fill(self) -> None:
        state = self.state
        run = state.run
        paid = None if run is None else run.paid(state.method, state.shown)
        if run is None or paid is None:
            return
        decision = run.decision(state.method, state.shown)
        if decision is self._listed:
            return  # a result of another method has come
        self._listed = decision
        graph, labels = run.graph(state.shown), run.labels
        names = graph.node_names or range(graph.n_nodes)
        costs = np.concatenate([paid.nodes, paid.edges])
        costliest = np.argsort(-costs, kind="stable")[:N_PLACES]
        self._places, rows = [], []
        for index in costliest[costs[costliest] > 0].tolist():
            is_node = index < graph.n_nodes
            ends = [index] if is_node else graph.edges[index - graph.n_nodes].tolist()
            where = " to ".join(str(names[end]) for end in ends)
            rows.append(
                [
                    f"{'node' if is_node else 'link'} {where}",
                    ", ".join(labels[paid.labels[end]] for end in ends),
                    ", ".join(labels[graph.truth[end]] for end in ends),
                    round(float(costs[index]), 2),
                ]
            )
            self._places.append(
                ("node", index) if is_node else ("edge", index - graph.n_nodes)
            )
        self._table.rows = rows
        self._mark()

    def _mark(self) -> None:
        picked = self.state.picked
        self._table.picked = (
            self._places.index(picked) if picked in self._places else -1
        )

    def _pick(self, row: int) -> None:
        self.state.picked = self._places[row]
