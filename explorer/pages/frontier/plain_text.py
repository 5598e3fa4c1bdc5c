"""The chosen point's answer in plain words."""

from __future__ import annotations

from typing import Any

import param

from ...export.plain_answer import PlainAnswer, answer_of_point, beyond_budget
from ...session.answer_view import StateAnswer
from .state import AXES, FrontierState


class PlainText(StateAnswer):
    """What the chosen point computes, decides and costs, to be said aloud."""

    state = param.ClassSelector(class_=FrontierState)
    follows = (
        *("dataset", "traces", "marks", "rests", "reason", "picked", "methods"),
        *AXES,
    )
    _shown: tuple[Any, ...] = ()

    def _write(self) -> None:
        state, chosen = self.state, self.state.chosen()
        point = None if chosen is None else chosen.point
        axes = tuple(getattr(state, name) for name in AXES)
        shown = (point, state.budget, axes, id(state.traces))
        if shown != self._shown:
            self._shown = shown
            super()._write()

    def _answer(self) -> PlainAnswer | None:
        return plain_answer(self.state)


def plain_answer(state: FrontierState) -> PlainAnswer | None:
    """Return what the chosen point does, in words; None while none is chosen."""
    chosen = state.chosen()
    if chosen is None or chosen.point.model is None:
        return None
    # While others are still traced, nobody knows what the next step up would bring.
    traces = [state.traces.get(name) for name in state.methods]
    is_whole = all(trace is not None and trace.is_complete for trace in traces)
    frontier, budget = state.frontier(), state.budget
    if chosen.reason != "budget":
        budget = frontier.held(chosen.point)
    more = (
        beyond_budget(frontier, budget, chosen.point, state.dataset) if is_whole else ""
    )
    return answer_of_point(chosen.point, state.split(), state.threshold, more)
