"""What was selected, and the proof of it, in words."""

from __future__ import annotations

from typing import Any

import panel as pn
import param
from panel.viewable import Viewer

from ...widgets.markup import markup, summary_markup
from ...widgets.text import plain
from .state import SelectivityState
from .text import certificate_text, summary_text

__all__ = ["GapSummary", "SelectivitySummary"]


class SelectivitySummary(Viewer):
    """The answer in one line, as a live region."""

    state = param.ClassSelector(class_=SelectivityState)

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        self._pane = markup("", margin=(4, 10), min_height=28)
        self.state.param.watch(lambda *_: self._write(), "answer")
        self._write()

    def __panel__(self) -> pn.viewable.Viewable:
        return self._pane

    def _write(self) -> None:
        self._pane.object = summary_markup(summary_text(self.state.answer))


class GapSummary(Viewer):
    """Primal, dual and gap, one sentence each."""

    state = param.ClassSelector(class_=SelectivityState)

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        self._pane = markup("", min_height=150)
        self.state.param.watch(lambda *_: self._write(), "answer")
        self._write()

    def __panel__(self) -> pn.viewable.Viewable:
        return self._pane

    def _write(self) -> None:
        said = certificate_text(self.state.answer)
        self._pane.object = "".join(f"<p>{plain(sentence)}</p>" for sentence in said)
