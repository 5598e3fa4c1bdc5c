"""The best trimming in words: read aloud when it changes."""

from __future__ import annotations

from typing import Any

import param

from solvers.values.rounding import number

from ...widgets.figure_view import TextView
from ...widgets.markup import summary_markup
from ...widgets.text import charge_text
from .state import TrimmingState

MAX_NAMES = 6


class TrimmingSummary(TextView):
    """The best trimming in one sentence or two, as a live region."""

    state = param.ClassSelector(class_=TrimmingState)
    busy = param.Boolean(default=False, allow_refs=True, doc="Whether it is searched.")
    follows = ("arrived", "position", "log", "opened")
    margin, min_height = (4, 10), 48

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        self.param.watch(lambda *_: self._write(), "busy")

    def _markup(self) -> str:
        text = summary_text(self.state, self.busy)
        log = self.state.log
        return summary_markup(text, log.question.original.features if log else ())


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
