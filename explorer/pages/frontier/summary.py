"""What is on screen, in words: read aloud when it changes."""

from __future__ import annotations

from typing import Any

import panel as pn
import param
from panel.viewable import Viewer

from ...widgets.markup import markup
from ...widgets.text import cost_text, plain, point_text
from .state import FrontierState

__all__ = ["FrontierSummary"]

REASONS = {
    "budget": "Best within the budget",
    "alpha": "Solved at exactly λ",
    "picked": "Picked",
}


class FrontierSummary(Viewer):
    """The chosen point in one line, as a live region."""

    state = param.ClassSelector(class_=FrontierState)

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        self._pane = markup("", sizing_mode="stretch_width", margin=(4, 10))
        self.state.param.watch(
            lambda *_: self._write(),
            [
                "dataset",
                "traces",
                "marks",
                "accounting",
                "budget",
                "reason",
                "picked",
                "methods",
                "n_runs",
                "n_arrived",
            ],
        )
        self._write()

    def __panel__(self) -> pn.viewable.Viewable:
        return self._pane

    def _write(self) -> None:
        text = summary_text(self.state)
        html = (
            f'<div role="status" aria-live="polite" class="summary">{plain(text)}</div>'
        )
        if self._pane.object != html:
            self._pane.object = html


def summary_text(state: FrontierState) -> str:
    """Return the chosen point of a state in one sentence."""
    if state.dataset is None:
        return "Choose a data set."
    chosen = state.chosen()
    if chosen is not None:
        line = point_text(chosen.point, state.dataset, state.accounting)
        return f"{REASONS[chosen.reason]}: {line}. {state.noise()}".rstrip()
    if not any(trace.points for trace in state.traces.values()):
        return "Computing the first points."
    budget = cost_text(state.budget, state.dataset.unit)
    return f"No method has a point within {budget}; raise the budget."
