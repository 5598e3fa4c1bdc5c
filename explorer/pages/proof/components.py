"""Every component with what it costs and where it is: to search, and to rule out."""

from __future__ import annotations

from typing import Any

import numpy as np
import panel as pn
import panel_material_ui as pmui
import param

from ...widgets.data_table import DataTable
from ...widgets.figure_view import TableView
from ...widgets.markup import markup
from ...widgets.text import plain, unit_text
from .state import ProofState
from .text import EARLIER, MOST_TOLD, exchange_texts, percent

__all__ = ["ComponentsTable"]

HINT = (
    "Click a component, or choose it at the left, to rule it out; once more allows it "
    "again. Floor and best answer follow."
)


class ComponentsTable(TableView):
    """A searched table; what is picked is ruled out, or allowed again."""

    state = param.ClassSelector(class_=ProofState)

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        self._shown: list[str] = []
        self._search = pmui.TextInput(
            label="Search components",
            value="",
            size="small",
            sizing_mode="stretch_width",
            margin=(8, 10),
        )
        self._table = DataTable(
            on_pick=self._pick,
            caption="Components",
            height=300,
            dark=self.param.dark,
            sizing_mode="stretch_width",
        )
        self._text = markup("", min_height=44)
        self._search.param.watch(lambda _: self._fill(), "value_input")
        self._told: tuple[object, ...] = ()
        watched = ["data", "answer", "without", "floors", "rests", "within"]
        self._watch_state(self._fill_anew, watched)
        self._fill()

    def __panel__(self) -> pn.viewable.Viewable:
        return pn.Column(
            markup(f"<p>{HINT}</p>"),
            self._search,
            self._table,
            self._text,
            sizing_mode="stretch_width",
        )

    def _pick(self, row: int) -> None:
        self.state.rule_out(self._shown[row])

    def _fill_anew(self) -> None:
        """Fill the table where what it says has changed: floors come often."""
        state = self.state
        told = state.data, state.answer, tuple(state.without), state.is_answered
        if told != self._told:
            self._told = told
            self._fill()

    def _fill(self) -> None:
        state = self.state
        if state.data is None:
            return
        before = "" if state.is_answered or state.answer is None else EARLIER
        graph, nearly = state.data.hypergraph, state.answer and state.answer.nearly
        sought = (self._search.value_input or "").strip().casefold()
        found = [
            c
            for c, name in enumerate(graph.component_names)
            if graph.component_costs[c] > 0 and sought in name.casefold()
        ]
        shares = np.zeros(graph.n_components) if nearly is None else nearly.shares
        found.sort(key=lambda c: -shares[c])
        self._shown = [graph.component_names[c] for c in found]
        self._table.param.update(
            columns=[
                "Component",
                f"Cost ({unit_text(graph.unit)})",
                "Nearly as good before" if before else "Nearly as good",
            ],
            numbers=[False, True, False],
            rows=[
                [
                    graph.component_names[c],
                    float(f"{graph.component_costs[c]:.4g}"),
                    self._place(c, shares[c]),
                ]
                for c in found
            ],
        )
        told = exchange_texts(nearly, graph)[:MOST_TOLD] if nearly else []
        text = (
            f"Either will do: {'; '.join(told)}." if told else "No two stand for one."
        )
        self._text.object = f"<p>{plain(f'{before} {text}')}</p>" if nearly else ""

    def _place(self, component: int, share: float) -> str:
        """Return where a component is among what is nearly as good."""
        if self.state.data.hypergraph.component_names[component] in self.state.without:
            return "ruled out"
        if self.state.answer is None or self.state.answer.nearly is None:
            return ""
        return {0.0: "in none", 1.0: "in all"}.get(share, f"in {percent(share)}")
