"""One node or link under the lens: what each label would cost, and what is expected."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import panel as pn
import param

from ...widgets.figure_view import StateTable, TextView
from ...widgets.parts import wide_column
from ...widgets.text import plain
from .detail import Detail, edge_detail, node_detail
from .state import StructuredState

HEIGHT = 320
N_PLACES = 60
NOTHING = (
    "<p>Click a node or a link in the graph, or a row of the costliest mistakes, to "
    "see its cost table, its marginals and what each label is expected to cost.</p>"
)


class Lens(TextView):
    """The picked node or link."""

    state = param.ClassSelector(class_=StructuredState)
    follows = ("picked", "run", "method", "shown")

    def __panel__(self) -> pn.viewable.Viewable:
        return wide_column(self._pane, height=HEIGHT, scroll=True)

    def _markup(self) -> str | None:
        state = self.state
        if state.run is None or state.picked is None:
            return NOTHING
        decision = state.run.decision(state.method, state.shown)
        if decision is None:
            return None
        kind, index = state.picked
        describe = node_detail if kind == "node" else edge_detail
        graph = state.run.graph(state.shown)
        return detail_html(describe(graph, decision, index, state.run.labels))


def detail_html(detail: Detail) -> str:
    """Return a detail as tables; names in it are shown as they are."""
    parts = [f'<p role="status"><strong>{plain(detail.title)}.</strong></p>']
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
