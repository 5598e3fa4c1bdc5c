"""What is proven of the budget, in one line and in plain words."""

from __future__ import annotations

import numpy as np
import param

from ...export.plain_answer import PlainAnswer
from ...session.answer_view import StateAnswer
from ...widgets.figure_view import TextView
from ...widgets.markup import summary_markup
from ...widgets.text import cost_text
from .state import ProofState
from .text import (
    EARLIER,
    MOST_TOLD,
    answer_of,
    compared_text,
    exchange_texts,
    listed,
    methods_text,
    nearly_texts,
    summary_text,
)

LIMIT = (
    "The objective is the mean logistic loss on the training rows plus the ridge; a "
    "floor under it says nothing of F1, and nothing of rows that were not seen."
)
# True of a search that was cancelled or refused, too.
WAITING = "The answer is not proven yet; the top line says how far it is, or why not."


class ProofSummary(TextView):
    """The answer in one line, as a live region."""

    state = param.ClassSelector(class_=ProofState)
    follows = ("floors", "answer", "share", "without")
    margin, min_height = (4, 10), 52

    def _markup(self) -> str:
        names = self.state.data.dataset.feature_names if self.state.data else ()
        lead, rest = answer_of(self.state)
        known = self.state.known()
        is_true = known is not None and known.is_closed
        return summary_markup(rest, names, lead=lead, is_true=is_true)


class ProofText(StateAnswer):
    """What to buy, what is nearly as good, and what the proof does not say.

    Words stand once the answer is whole: before, they would change while one reads.
    """

    state = param.ClassSelector(class_=ProofState)
    follows = ("floors", "base", "answer", "points", "share", "within")

    def _write(self) -> None:
        state, view = self.state, self.view
        if state.is_answered and state.answer.is_final:
            said = self._answer()
            if (said, "") != (view.answer, view.waiting):
                view.param.update(answer=said, waiting="")
        elif state.answer is None:
            view.param.update(answer=None, waiting=WAITING)
        else:
            view.waiting = WAITING if view.answer is None else f"{WAITING} {EARLIER}"

    def _answer(self) -> PlainAnswer:
        return proof_answer(self.state)


def proof_answer(state: ProofState) -> PlainAnswer:
    """Return the answer of the budget in words."""
    answer, graph = state.answer, state.data.hypergraph
    opening = [summary_text(state), compared_text(state)]
    closing = [*nearly_texts(answer.nearly, answer)] if answer.nearly else []
    exchanges = exchange_texts(answer.nearly, graph) if answer.nearly else []
    if exchanges:
        closing.append(f"Interchangeable: {'; '.join(exchanges[:MOST_TOLD])}.")
    closing += [methods_text(state), LIMIT]
    return PlainAnswer(
        tuple(filter(None, opening)),
        _purchases(state),
        tuple(filter(None, closing)),
        tuple(state.data.dataset.feature_names),
    )


def _purchases(state: ProofState) -> tuple[str, ...]:
    """Return a line a component of the best selection known, the costliest first."""
    data, graph, known = state.data, state.data.hypergraph, state.known()
    names, needs = graph.component_names or (), graph.incidence.toarray().astype(bool)
    bought = np.flatnonzero(graph.required_components(known.features))
    paid = [c for c in bought if graph.component_costs[c] > 0]
    lines = []
    for c in sorted(paid, key=lambda c: -graph.component_costs[c]):
        served = data.names_of(needs[c] & known.features)
        cost = cost_text(float(graph.component_costs[c]), graph.unit)
        used = "" if served == [names[c]] else f", which {listed(served)} need"
        used += "s" if used and len(served) == 1 else ""
        lines.append(f"Buy {names[c]} ({cost}){used}.")
    return tuple(lines) or ("Buy nothing: always say how frequent the class is.",)
