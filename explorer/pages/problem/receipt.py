"""What the features that are looked at cost, as a receipt: shared work is paid once."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import param
from numpy.typing import NDArray

from solvers import FeatureHypergraph
from solvers.values.rounding import number

from ...document.editor import EditorState
from ...widgets import lights
from ...widgets.figure_view import TextView
from ...widgets.text import cost_text, counted, plain

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
