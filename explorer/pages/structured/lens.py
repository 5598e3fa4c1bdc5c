"""One node or link under the lens: its costs, its marginals, what it expects."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import param
from numpy.typing import NDArray

from solvers.markov import CostGraph, Labelling

from ...widgets.figure_view import StateTable, TextView
from ...widgets.text import plain
from .state import StructuredState

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
