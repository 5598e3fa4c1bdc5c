"""The expanders of the frontier page: every knob of every ticked method."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import panel as pn
import panel_material_ui as pmui
import param
from panel.viewable import Viewer

from solvers import all_methods

from ...widgets.controls import button, knob_widget
from ...widgets.folds import bind_folds
from ...widgets.markup import markup
from ...widgets.parts import wide_column
from ...widgets.text import plain
from .settings import defaults_of, open_knobs, settings_of, with_values
from .state import FrontierState

WIDE = {"sizing_mode": "stretch_width"}


class SettingsPart(Viewer):
    """One expander for each ticked method; what is closed has no widgets."""

    def __init__(self, state: FrontierState, **params: Any) -> None:
        super().__init__(**params)
        self._state = state
        self._boxes: dict[str, pn.Column] = {}
        self._release: dict[str, Callable[[], None]] = {}
        self._accordion = pmui.Accordion(margin=(4, 12), title_variant="body2", **WIDE)
        self._offer()
        self._accordion.param.watch(lambda _: self._fill(), "active")
        bind_folds(self._accordion, state, lambda: list(self._boxes))
        state.param.watch(lambda _: self._offer(), "methods")
        state.param.watch(lambda _: self._redraw(), "dataset")

    def __panel__(self) -> Any:
        return self._accordion

    def _offer(self) -> None:
        """Offer an expander for each ticked method that can be set at all."""
        offered = [name for name in self._state.methods if open_knobs(name)]
        if offered == list(self._boxes):
            return
        unfolded = self._state.unfolded
        for name in set(self._release) - set(offered):
            self._close(name)
        self._boxes = {name: self._boxes.get(name) or _box(name) for name in offered}
        # Headings are the names of what stands below them.
        self._accordion.param.update(
            objects=list(self._boxes.values()),
            active=[at for at, name in enumerate(offered) if name in unfolded],
        )

    def _fill(self) -> None:
        names = list(self._boxes)
        is_open = {names[at] for at in self._accordion.active if at < len(names)}
        for name in names:
            if name in is_open and name not in self._release:
                self._open(name)
            elif name in self._release and name not in is_open:
                self._close(name)

    def _redraw(self) -> None:
        """Draw what is open anew: sliders may end at what other features cost."""
        for name in list(self._release):
            self._close(name)
        self._fill()

    def _open(self, method: str) -> None:
        state, data = self._state, self._state.dataset
        first, knobs = defaults_of(method), open_knobs(method)
        fields = {name: param.Parameter(value) for name, value in first.items()}
        values = type("Values", (param.Parameterized,), fields)(
            **settings_of(state.settings, method)
        )

        def to_state(*_: Any) -> None:
            turned = {name: getattr(values, name) for name in knobs}
            settings = with_values(state.settings, method, turned)
            if settings != state.settings:
                state.settings = settings

        def to_values(*_: Any) -> None:
            values.param.update(**{**first, **settings_of(state.settings, method)})

        cost = {"full_cost": data.hypergraph.total_cost or 1.0, "unit": data.unit}
        values.param.watch(to_state, list(knobs))
        watcher = state.param.watch(to_values, "settings")
        self._release[method] = lambda: state.param.unwatch(watcher)
        reset = button(
            f"Reset {all_methods()[method].title}",
            lambda: values.param.update(**first),
            variant="text",
            icon="restart_alt",
            size="small",
            margin=(5, 10),
        )
        drawn: list[Any] = []
        for name, knob in knobs.items():
            drawn.append(knob_widget(values, name, knob, **cost))
            # Not as a description: its icon has an ARIA label where none is allowed.
            if doc := getattr(knob, "doc", ""):
                drawn.append(markup(f"<small>{plain(doc)}</small>", margin=(0, 12)))
        self._boxes[method].objects = [*drawn, reset]

    def _close(self, method: str) -> None:
        self._release.pop(method)()
        self._boxes[method].objects = []


def _box(method: str) -> pn.Column:
    return wide_column(name=f"Settings of {all_methods()[method].title}")
