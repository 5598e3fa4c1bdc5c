"""What an accounting means for the hypergraph cascade, where it is ticked."""

from __future__ import annotations

import param

from ...widgets.figure_view import TextView
from .state import FrontierState

__all__ = ["AccountingNote", "accounting_note"]

METHOD = "hypergraph_cascade"
NOTES = {
    "max": (
        "Hypergraph cascade under max cost: a row that does not leave early pays for "
        "everything, so early exits save nothing, and it buys what forward selection "
        "buys. It is drawn to be compared under mean cost."
    ),
    "p95": (
        "Hypergraph cascade under p95 cost: early exits save only as far as at most "
        "one row in twenty goes on. It is drawn to be compared under mean cost; under "
        "max it equals forward selection."
    ),
}


class AccountingNote(TextView):
    """A plain note; empty where there is nothing to say."""

    state = param.ClassSelector(class_=FrontierState)
    follows = ("accounting", "methods")
    margin = (0, 10)

    def _markup(self) -> str:
        text = accounting_note(self.state)
        return f'<p role="note">{text}</p>' if text else ""


def accounting_note(state: FrontierState) -> str:
    """Return what the accounting means for the hypergraph cascade.

    Empty under mean cost, or where the method is not ticked.
    """
    return NOTES.get(state.accounting, "") if METHOD in state.methods else ""
