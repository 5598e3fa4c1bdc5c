"""What is paid together: the features looked at as a receipt, and the blocks of all."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import param
from numpy.typing import NDArray

from solvers import FeatureHypergraph
from solvers.errors import listed
from solvers.values.rounding import number, rounded

from ...document.drawing import Drawing
from ...document.editor import EditorState
from ...widgets import lights
from ...widgets.figure_view import StateTable, TextView
from ...widgets.text import cost_text, counted, plain, unit_text

# More lines are no receipt: the drawing says the sum.
MOST_LINES = 14
HINT = (
    "Point at features in the drawing, or choose some, to see what they cost together."
)


class Receipt(TextView):
    """The receipt of what is looked at in the drawing; of all while nothing is."""

    state = param.ClassSelector(class_=EditorState)
    follows = ("drawing", "lit")
    margin = (6, 12)

    def _markup(self) -> str:
        drawing = self.state.drawing
        graph, nodes = drawing.hypergraph, set(self.state.lit)
        chosen = np.array([node in nodes for node in drawing.feature_ids], dtype=bool)
        if chosen.any():
            return receipt(graph, np.flatnonzero(chosen))
        looked = [i for i, node in enumerate(drawing.component_ids) if node in nodes]
        if looked:
            users = graph.incidence[looked].sum(axis=0) > 0
            return receipt(graph, np.flatnonzero(users))
        return receipt(graph, np.arange(graph.n_features), HINT)


def receipt(
    graph: FeatureHypergraph, features: NDArray[np.intp], hint: str = ""
) -> str:
    """Return a line a feature with what it adds; what was paid before is struck out.

    Shapes: `features` (n_bought,), in the order of purchase.
    """
    lines = [*_lines(graph, features[:MOST_LINES])]
    more = features[MOST_LINES:]
    total = graph.cost(features)
    if len(more):
        rest = total - graph.cost(features[:MOST_LINES])
        lines.append(_line(counted(len(more), "more feature"), "", rest))
    apart = float(graph.marginal_costs()[features].sum())
    told = f"<b>{plain(cost_text(total, graph.unit))}</b>"
    saved = ""
    if apart > total * (1 + 1e-9):
        saved = (
            f"<p>One by one: {plain(cost_text(apart, graph.unit))}. Sharing saves "
            f"{plain(cost_text(apart - total, graph.unit))}.</p>"
        )
    turn = ", bought in turn" if len(features) > 1 else ""
    head = f"<p>{counted(len(features), 'feature')}{turn}</p>"
    foot = f"<tr class='total'><th>together</th><td></td><td>{told}</td></tr>"
    hinted = f"<p>{hint}</p>" if hint else ""
    table = f'<table class="receipt">{"".join(lines)}{foot}</table>'
    return f"{head}{table}{saved}{hinted}"


def _lines(graph: FeatureHypergraph, features: NDArray[np.intp]) -> Iterator[str]:
    paid = np.zeros(graph.n_components, dtype=bool)
    for j in features.tolist():
        needed = graph.required_components([j])
        name = graph.features[j]
        parts = [_part(graph, i, name, is_paid=paid[i]) for i in np.flatnonzero(needed)]
        added = float(graph.component_costs[needed & ~paid].sum())
        paid |= needed
        said = lights.lit_word(lights.feature(name), name)
        yield _line(said, " + ".join(parts), added)


def _part(graph: FeatureHypergraph, i: int, feature: str, *, is_paid: bool) -> str:
    """Return a component's price with its name, unless the feature is called so."""
    name, price = graph.components[i], number(graph.component_costs[i])
    told = price if name == feature else f"{price} {name}"
    priced = lights.lit_word(lights.component(name), told)
    return f"<s>{priced}</s>" if is_paid else priced


def _line(said: str, parts: str, added: float) -> str:
    return (
        f"<tr><th scope='row'>{said}</th><td>{parts}</td><td>{number(added)}</td></tr>"
    )


MAX_SHOWN = 500
MAX_NAMES = 4


class BlockTable(StateTable):
    """One row a block; picking one chooses its nodes or, of many, draws only them."""

    state = param.ClassSelector(class_=EditorState)
    caption, height = "Blocks, costliest first", 300
    numbers = (True, True, True, True, True, True, False)
    follows = ("drawing",)
    _shown: FeatureHypergraph | None = None
    _blocks: list[int]

    def _fill(self) -> None:
        drawing = self.state.drawing
        if drawing.hypergraph is self._shown:
            return  # nodes were moved
        self._shown = drawing.hypergraph
        rows = block_rows(drawing)
        self._blocks = [row[0] for row in rows]
        unit = unit_text(drawing.hypergraph.unit)
        sums = [f"{what} ({unit})" for what in ("Together", "One by one", "Saved")]
        self._table.param.update(
            columns=["Block", "Features", "Components", *sums, "Names"],
            rows=[[row[0] + 1, *row[1:]] for row in rows],
            picked=-1,
        )

    def _pick(self, row: int) -> None:
        drawing, block = self.state.drawing, self._blocks[row]
        ids = (drawing.component_ids, drawing.feature_ids)
        self.state.look_at(
            [
                node
                for nodes, blocks in zip(ids, drawing.blocks, strict=True)
                for node, its_block in zip(nodes, blocks, strict=True)
                if its_block == block
            ]
        )
        self._table.picked = row


def block_rows(drawing: Drawing) -> list[list[Any]]:
    """Return number, sizes and costs of each block, costliest first.

    Number of the block, how many features and components, cost together, cost one by
    one, difference, names of its features. At most `MAX_SHOWN` blocks.
    """
    hypergraph = drawing.hypergraph
    component_blocks, feature_blocks = drawing.blocks
    n = drawing.n_blocks
    used = np.diff(hypergraph.incidence.indptr) > 0
    paid = np.where(used, hypergraph.component_costs, 0.0)
    together = np.bincount(component_blocks, paid, n)
    apart = np.bincount(feature_blocks, hypergraph.marginal_costs(), n)
    n_features = np.bincount(feature_blocks, minlength=n)
    n_components = np.bincount(component_blocks, minlength=n)
    order = np.argsort(-together, kind="stable")[:MAX_SHOWN]
    members: dict[int, list[str]] = {int(k): [] for k in order}
    for name, block in zip(hypergraph.features, feature_blocks.tolist(), strict=True):
        if block in members:
            members[block].append(name)
    return [
        [
            k,
            int(n_features[k]),
            int(n_components[k]),
            _short(together[k]),
            _short(apart[k]),
            _short(max(0.0, apart[k] - together[k])),
            listed(members[k], MAX_NAMES, told=str),
        ]
        for k in map(int, order)
    ]


def _short(value: float) -> float:
    return rounded(value, 4)
