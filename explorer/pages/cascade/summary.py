"""What the threshold does, in words: read aloud when it changes."""

from __future__ import annotations

from typing import Any

import numpy as np
import panel as pn
import param
from panel.viewable import Viewer

from ...widgets.markup import markup
from ...widgets.text import cost_text, number, plain
from .state import CascadeState

__all__ = ["CascadeSummary", "summary_text"]


class CascadeSummary(Viewer):
    """The outcome in one line, as a live region."""

    state = param.ClassSelector(class_=CascadeState)

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        self._pane = markup("", min_height=48, margin=(4, 10))
        self.state.param.watch(
            lambda *_: self._write(), ["cascade", "confidence", "cap", "share"]
        )
        self._write()

    def __panel__(self) -> pn.viewable.Viewable:
        return self._pane

    def _write(self) -> None:
        text = plain(summary_text(self.state))
        self._pane.object = (
            f'<div role="status" aria-live="polite" class="summary">{text}</div>'
        )


def summary_text(state: CascadeState) -> str:
    """Return what the threshold does in two sentences."""
    outcome, picture = state.outcome(), state.picture
    if outcome is None or picture is None:
        return "Training the first cascade."
    test, unit = picture.test, picture.cascade.dataset.unit
    affordable = test.stage_costs <= outcome.cost * (1 + 1e-9)
    validation = picture.validation.prefix_accuracy
    stage = int(np.argmax(np.where(affordable, validation, -1.0)))
    finite = number(outcome.threshold) if np.isfinite(outcome.threshold) else ""
    threshold = finite or ("∞" if outcome.threshold > 0 else "−∞")
    return (
        f"Threshold {threshold}: {cost_text(outcome.cost, unit)} a row "
        f"on average, {100 * outcome.cost / picture.cascade.full_cost:.0f} % of all "
        f"features; {100 * outcome.accuracy:.1f} % of {test.n_rows} test rows right. "
        f"The best fixed prefix for that: {100 * test.prefix_accuracy[stage]:.1f} %; "
        f"all features: {100 * float(test.prefix_accuracy[-1]):.1f} %."
    )
