"""Play, step and reset: what moves a state on by itself, like a film."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import panel as pn

from .controls import button


class PlayButtons:
    """The buttons of a state that plays, pauses, steps and resets, and their clock.

    `period`: milliseconds between two ticks, asked for whenever the clock starts;
    `tick`: what is done at each; `look`: of all buttons.
    """

    def __init__(
        self,
        state: Any,
        period: Callable[[], int],
        tick: Callable[[], None],
        **look: Any,
    ) -> None:
        self._state, self._period, self._tick = state, period, tick
        self._ticking: Any = None
        self._play = button("Play", self._toggle, icon="play_arrow", small=True, **look)
        step = button("Step", self._step_once, icon="skip_next", small=True, **look)
        reset = button("Reset", state.reset, icon="replay", small=True, **look)
        self.row = (self._play, step, reset)
        state.param.watch(lambda *_: self.follow(), "is_playing")

    def follow(self) -> None:
        """Let the clock run while the state plays, anew where it ran already."""
        playing = self._state.is_playing
        label, icon = ("Pause", "pause") if playing else ("Play", "play_arrow")
        self._play.param.update(label=label, icon=icon)
        if self._ticking is not None:
            self._ticking.stop()
            self._ticking = None
        if playing:
            period = self._period()
            self._ticking = pn.state.add_periodic_callback(self._tick, period=period)

    def _toggle(self) -> None:
        if self._state.is_playing:
            self._state.pause()
        else:
            self._state.play()

    def _step_once(self) -> None:
        self._state.pause()
        self._state.step()
