"""The best trimming in words: read aloud when it changes."""

from __future__ import annotations

from typing import Any

import panel as pn
import param
from panel.viewable import Viewer

from ...widgets.markup import markup, summary_markup
from ...widgets.text import charge_text, number
from .state import TrimmingState

__all__ = ["TrimmingSummary", "summary_text"]

MAX_NAMES = 6


class TrimmingSummary(Viewer):
    """The best trimming in one sentence or two, as a live region."""

    state = param.ClassSelector(class_=TrimmingState)
    busy = param.Boolean(default=False, allow_refs=True, doc="Whether it is searched.")

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        self._pane = markup("", margin=(4, 10), min_height=48)
        self.state.param.watch(
            lambda *_: self._write(), ["arrived", "position", "log", "opened"]
        )
        self.param.watch(lambda *_: self._write(), "busy")
        self._write()

    def __panel__(self) -> pn.viewable.Viewable:
        return self._pane

    def _write(self) -> None:
        text = summary_text(self.state, self.busy)
        log = self.state.log
        html = summary_markup(text, log.question.original.features if log else ())
        if self._pane.object != html:
            self._pane.object = html


def summary_text(state: TrimmingState, busy: bool = False) -> str:
    """Return what was found, in words."""
    log, best = state.log, state.best()
    if log is None or best is None:
        return "Opening the network."
    names = list(best.features[:MAX_NAMES])
    if len(best.features) > MAX_NAMES:
        names.append(f"{len(best.features) - MAX_NAMES} more")
    kept = ", ".join(names) or "no feature at all"
    cost = charge_text(best.cost, log.question.unit)
    error = f" ± {2 * best.standard_error:.4f}" if not best.exact else ""
    head = "Best trimming" if state.position is None else "Best so far"
    return (
        f"{head}: {kept}. It decides as the original in {best.agreement:.4f}{error} of "
        f"cases, at any new threshold in {best.threshold_interval}, for a cost of "
        f"{cost}. {_standing(state, busy)}"
    )


def _standing(state: TrimmingState, busy: bool) -> str:
    """Return what is proved of the best, and at what effort."""
    log, best = state.log, state.best()
    effort = f"{best.evaluations} evaluations"
    if not best.exact:
        return f"Estimated from samples, not exact: nothing is proved; {effort}."
    if log.is_complete and state.position is None:
        return f"Proved to be the best; {effort}, {number(1000 * log.seconds)} ms."
    gap = f"another set may agree in at most {best.gap:.4f} more"
    if state.position is not None:
        return f"Up to this event {gap}; {effort}."
    return f"{'Searching' if busy else 'Stopped'}: {gap}; {effort}."
