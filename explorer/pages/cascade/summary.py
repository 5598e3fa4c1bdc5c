"""What the threshold or the budget does, in words: read aloud when it changes."""

from __future__ import annotations

from typing import Any

import panel as pn
import param
from panel.viewable import Viewer

from ...widgets.markup import markup, summary_markup
from .state import METHODS, CascadeState

__all__ = ["CascadeSummary", "summary_text"]


class CascadeSummary(Viewer):
    """The outcome in a few sentences, as a live region."""

    state = param.ClassSelector(class_=CascadeState)
    method = param.Selector(default="tefe", objects=list(METHODS))

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        self._pane = markup("", min_height=48, margin=(4, 10))
        self.state.watch_moves(self.method, self._write)
        self._write()

    def __panel__(self) -> pn.viewable.Viewable:
        return self._pane

    def _write(self) -> None:
        self._pane.object = summary_markup(summary_text(self.state, self.method))


def summary_text(state: CascadeState, method: str = "tefe") -> str:
    """Return what the threshold or the budget does."""
    result = state.result(method)
    return METHODS[method].before_training if result is None else result.summary()
