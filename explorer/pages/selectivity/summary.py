"""What was selected, and the proof of it, in words."""

from __future__ import annotations

import param

from ...widgets.figure_view import TextView
from ...widgets.markup import summary_markup
from ...widgets.text import plain
from .state import SelectivityState
from .text import certificate_text, summary_text

__all__ = ["GapSummary", "SelectivitySummary"]


class SelectivitySummary(TextView):
    """The answer in one line, as a live region."""

    state = param.ClassSelector(class_=SelectivityState)
    follows = ("answer",)
    margin, min_height = (4, 10), 28

    def _markup(self) -> str:
        return summary_markup(summary_text(self.state.answer))


class GapSummary(TextView):
    """Primal, dual and gap, one sentence each."""

    state = param.ClassSelector(class_=SelectivityState)
    follows = ("answer",)
    min_height = 150

    def _markup(self) -> str:
        said = certificate_text(self.state.answer)
        return "".join(f"<p>{plain(sentence)}</p>" for sentence in said)
