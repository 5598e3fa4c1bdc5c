"""The left column of the trimming page: which network, which question, which costs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import panel_material_ui as pmui
from panel.viewable import Viewer

from solvers.errors import HypergraphError

from ...document.units import typed_number
from ...widgets.controls import SELECT_HEIGHT, SLIDER_HEIGHT, bind, choice
from ...widgets.markup import markup
from ...widgets.message import Message
from ...widgets.parts import wide_column
from ...widgets.text import plain
from ...widgets.upload_dialog import file_input
from .sources import FILE, sources
from .state import CHARGES, MAX_COST, TrimmingState

MAX_FILE_BYTES = 4 * 1024 * 1024
LOOK = {"sizing_mode": "stretch_width", "margin": (6, 12)}
SLIDER = {**LOOK, "min_height": SLIDER_HEIGHT}
SELECT = {**LOOK, "min_height": SELECT_HEIGHT}
MODELS = {"naive Bayes": "naive_bayes", "tree-augmented (TAN)": "tan"}


class TrimmingControls(Viewer):
    """Widgets bound to the state; what a network leaves no choice of is hidden."""

    def __init__(
        self, state: TrimmingState, on_file: Callable[[str, bytes], None], **params: Any
    ) -> None:
        super().__init__(**params)
        self._state, self._on_file = state, on_file
        self._source = choice(state, "source", "Network", sources())
        self._learning = self._build_learning()
        self._file = file_input(
            "Open BIF, XMLBIF, UAI, NET or our JSON", MAX_FILE_BYTES, **LOOK
        )
        self._file.param.watch(lambda _: self._load(), "value")
        self._target = self._select("target", "Target")
        self._positive = self._select("positive", "Positive state")
        self._features = pmui.MultiChoice(label="Features", options=[], **LOOK)
        bind(
            self._features, state, "features", shown=self._offered, stored=self._ordered
        )
        self._charging = choice(state, "charging", "Costs", CHARGES)
        self._build_costs()
        watch = state.param.watch
        watch(lambda *_: self._offer_sources(), "files")
        watch(lambda *_: self._offer(), ["opened", "target", "features", "dataset"])
        watch(lambda *_: self._show_cost(), ["picked", "costs", "charging", "features"])
        self._offer()

    def __panel__(self) -> Any:
        return wide_column(
            self._source,
            self._learning,
            self._file,
            self._target,
            self._positive,
            self._features,
            self._charging,
            self._costs,
        )

    # ------------------------------------------------------------------------ building

    def _build_learning(self) -> Any:
        state = self._state
        columns = pmui.IntSlider(
            label="Columns learned from", start=2, end=24, value=7, **SLIDER
        )
        bins = pmui.IntSlider(
            label="States of a column", start=2, end=4, value=2, **SLIDER
        )
        return wide_column(
            choice(state, "model", "Learned as", MODELS),
            bind(columns, state, "n_columns"),
            bind(bins, state, "n_bins"),
        )

    def _select(self, name: str, label: str) -> pmui.Select:
        widget = pmui.Select(label=label, options=[], **SELECT)

        def chosen(event: Any) -> None:
            if event.new:
                setattr(self._state, name, event.new)

        widget.param.watch(chosen, "value")
        return widget

    def _build_costs(self) -> None:
        self._which = self._select("picked", "Cost of the feature")
        # A number field's own buttons have no name for those who cannot see them.
        self._cost = pmui.TextInput(label="Cost", value="1", **LOOK)
        self._refused = Message()
        self._said = markup("", margin=(0, 12))
        self._cost.param.watch(lambda event: self._edit(event.new), "value")
        self._costs = wide_column(self._which, self._cost, self._refused, self._said)

    # ------------------------------------------------------------------------ reacting

    def _offer(self) -> None:
        """Offer what the open network has to choose from."""
        state, network = self._state, self._state.network()
        self._learning.visible = state.is_learned
        # A session names the variables of a network that is still to be opened.
        asked = {state.target, *state.features}
        if network is None or not asked <= network.states.keys():
            return
        self._offer_sources()
        names = list(network.states)
        is_open = state.opened.is_open
        self._target.param.update(
            options=names if is_open else [state.target],
            value=state.target,
            disabled=not is_open,
        )
        self._positive.param.update(
            options=list(network.states[state.target]), value=state.positive
        )
        others = [name for name in names if name != state.target]
        self._features.param.update(options=others, value=list(state.features))
        shared = state.hypergraph() is not None
        offered = {
            title: name
            for title, name in CHARGES.items()
            if shared or name != "hypergraph"
        }
        self._charging.param.update(options=offered, value=state.charging)
        self._show_cost()

    def _offer_sources(self) -> None:
        state, offered = self._state, sources()
        if state.files:
            offered[f"Your file: {state.files[0].name[:40]}"] = FILE
        self._source.param.update(options=offered, value=state.source)

    def _ordered(self, chosen: list[str] | None) -> list[str]:
        """Return features in the network's order, whatever they were ticked in."""
        network, kept = self._state.network(), set(chosen or [])
        return [name for name in (network.states if network else ()) if name in kept]

    def _offered(self, chosen: list[str]) -> list[str]:
        """Return features, or what is shown: their network may still be opened."""
        is_known = set(chosen) <= set(self._features.options)
        return list(chosen) if is_known else list(self._features.value)

    def _load(self) -> None:
        if self._file.value is not None:
            self._on_file(str(self._file.filename or "the file"), self._file.value)

    def _edit(self, text: str) -> None:
        state, feature = self._state, self._which.value
        self._refused.text = ""
        if feature not in state.features or text == self._cost_text(feature):
            return
        try:
            cost = typed_number(text)
        except HypergraphError as error:
            self._refused.text = str(error)
            return
        if cost is not None and 0 <= cost <= MAX_COST:
            state.set_cost(feature, cost)
        else:
            self._refused.text = (
                f"{text[:20]!r} is not a cost; write a number from 0 to {MAX_COST:.0f}."
            )

    def _cost_text(self, feature: str) -> str:
        return f"{self._state.cost_of(feature):.6g}"

    def _show_cost(self) -> None:
        state = self._state
        if state.opened is None or not state.features:
            return
        picked = state.picked if state.picked in state.features else state.features[0]
        self._which.param.update(options=list(state.features), value=picked)
        self._cost.value = self._cost_text(picked)
        shared = state.charging == "hypergraph"
        self._said.object = plain(
            "Alone, shared components included; a typed cost is charged by itself."
            if shared
            else "A cost that is typed is charged in place of these."
        )
