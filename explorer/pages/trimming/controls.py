"""What the trimming page is asked: network, question and costs; and its film."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import panel as pn
from panel.viewable import Viewer

from solvers.errors import HypergraphError
from solvers.values.rounding import rounded

from ...compute.jobs import Job
from ...document.units import typed_number
from ...stage.frame import ICON_ALONE
from ...widgets.controls import (
    NO_BUBBLE,
    SELECT_HEIGHT,
    SLIDER_HEIGHT,
    PlayButtons,
    bind,
    button,
    choice,
)
from ...widgets.markup import Message, markup
from ...widgets.parts import wide_column, wide_row
from ...widgets.text import plain
from ...widgets.ui import pmui
from ...widgets.upload_dialog import file_input
from .sources import FILE, sources
from .state import CHARGES, MAX_COST, TrimmingState

MAX_FILE_BYTES = 4 * 1024 * 1024
LOOK = {"sizing_mode": "stretch_width", "margin": (6, 12)}
SLIDER = {**LOOK, **NO_BUBBLE, "min_height": SLIDER_HEIGHT}
SELECT = {**LOOK, "min_height": SELECT_HEIGHT}
# Events a second that can be chosen.
SPEEDS = (1, 2, 4, 8, 15, 30, 60)
# Faster than this a browser does not draw; then several events come at once.
SHORTEST_MS, LONGEST_MS = 80, 1000
MODELS = {"naive Bayes": "naive_bayes", "tree-augmented (TAN)": "tan"}


class TrimmingControls(Viewer):
    """Widgets bound to the state; what a network leaves no choice of is hidden.

    `opening`: what files are opened by, where they are.
    """

    def __init__(
        self,
        state: TrimmingState,
        opening: Job,
        on_file: Callable[[str, bytes], None],
        on_table: Callable[[], None],
        **params: Any,
    ) -> None:
        super().__init__(**params)
        self._state, self._on_file = state, on_file
        self._source = choice(state, "source", "Network", sources())
        self._learning = self._build_learning()
        self._file = file_input(
            "Open BIF, XMLBIF, UAI, NET or our JSON", MAX_FILE_BYTES, opening, **LOOK
        )
        self._file.param.watch(lambda _: self._load(), "value")
        self._everywhere = button("Open on every page", on_table, icon="table_chart")
        self._target = self._select("target", "Target")
        self._positive = self._select("positive", "Positive state")
        self._features = pmui.MultiChoice(label="Features", options=[], **LOOK)
        bind(
            self._features, state, "features", shown=self._offered, stored=self._ordered
        )
        self._charging = choice(state, "charging", "Costs", CHARGES)
        self._build_costs()
        fold = pmui.Switch(label=state.param.is_folded.label, margin=(8, 12))
        self._folded = bind(fold, state, "is_folded")
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
            self._everywhere,
            self._target,
            self._positive,
            self._features,
            self._charging,
            self._costs,
            self._folded,
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
        self._everywhere.visible = not (state.is_learned or state.is_of_network())
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
        return f"{rounded(self._state.cost_of(feature), 6):g}"

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


class Player(Viewer):
    """What moves through the events of a search, on one line."""

    def __init__(self, state: TrimmingState, **params: Any) -> None:
        super().__init__(**params)
        self._state = state
        look = {"sx": ICON_ALONE}
        self._buttons = PlayButtons(state, self._begun, self._tick, **look)
        self._began = 0.0, 0
        self._scrub = pmui.IntSlider(
            label="Event", start=0, end=1, value=0, **SLIDER, size="small"
        )
        self._speed = pmui.MenuButton(
            label="Speed",
            items=[{"label": f"{speed} a second"} for speed in SPEEDS],
            icon="speed",
            variant="text",
            margin=4,
            on_click=self._choose,
            **look,
        )
        self._scrub.param.watch(self._scrubbed, "value")
        state.param.watch(lambda *_: self._follow(), ["log", "arrived", "position"])
        state.param.watch(lambda *_: self._name_speed(), "speed")
        self._follow()
        self._name_speed()

    def __panel__(self) -> Any:
        return wide_row(*self._buttons.row, self._scrub, self._speed, margin=(4, 8))

    def _follow(self) -> None:
        log, shown = self._state.log, self._state.n_shown
        n_events = 0 if log is None else len(log.events)
        self._scrub.param.update(
            start=min(1, n_events), end=max(2, n_events), value=shown
        )

    def _scrubbed(self, event: Any) -> None:
        if event.new == self._state.n_shown or self._state.log is None:
            return
        at_end = event.new >= len(self._state.log.events)
        with pn.io.hold(policy="collect"):
            self._state.param.update(
                position=None if at_end else event.new, is_playing=False
            )

    def _name_speed(self) -> None:
        self._speed.label = f"{round(self._state.speed)} a second"
        self._buttons.follow()

    def _choose(self, item: Any) -> None:
        self._state.speed = float(item["label"].split()[0])

    def _begun(self) -> int:
        """Note when the film begins; return how often to look at the clock."""
        self._began = time.monotonic(), self._state.n_shown
        return min(LONGEST_MS, max(SHORTEST_MS, round(1000 / self._state.pace)))

    def _tick(self) -> None:
        """Show what is due by the clock: a busy machine makes a film no longer."""
        began, first = self._began
        due = first + round(self._state.pace * (time.monotonic() - began))
        if due > self._state.n_shown:
            self._state.step(due - self._state.n_shown)
