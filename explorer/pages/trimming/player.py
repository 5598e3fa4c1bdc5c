"""Play, pause, step and reset: the search as a film."""

from __future__ import annotations

import time
from typing import Any

import panel as pn
import panel_material_ui as pmui
from panel.viewable import Viewer

from ...widgets.controls import bind, button
from ...widgets.play_buttons import PlayButtons
from .state import TrimmingState

# Faster than this a browser does not draw; then several events come at once.
SHORTEST_MS = 80
LONGEST_MS = 1000


class Player(Viewer):
    """Buttons that move through the events of a search."""

    def __init__(self, state: TrimmingState, **params: Any) -> None:
        super().__init__(**params)
        self._state = state
        self._buttons = PlayButtons(state, self._begun, self._tick)
        self._all = button("Show all", self._show_all, icon="last_page", small=True)
        self._began = 0.0, 0
        speed = pmui.FloatSlider(
            label="Speed (events a second, at least)",
            start=1,
            end=60,
            step=1,
            value=4,
            width=230,
            margin=(0, 16),
            size="small",
        )
        self._speed = bind(speed, state, "speed")
        fold = pmui.Switch(label=state.param.is_folded.label, size="small", margin=8)
        self._fold = bind(fold, state, "is_folded")
        state.param.watch(lambda *_: self._buttons.follow(), "speed")

    def __panel__(self) -> Any:
        return pn.FlexBox(
            *self._buttons.row,
            self._all,
            self._speed,
            self._fold,
            align_items="center",
            sizing_mode="stretch_width",
            margin=(4, 8),
        )

    def _show_all(self) -> None:
        self._state.param.update(position=None, is_playing=False)

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
