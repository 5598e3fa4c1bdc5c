"""What a lesson asks, what it shows, and once it is revealed what it claims."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

import panel as pn
import param
from panel.viewable import Viewer

from ...widgets.glossary import explained
from ...widgets.markup import markup
from ...widgets.plain_table import plain_table, table_markup
from ...widgets.text import plain
from .spoken import spoken
from .state import LessonsState

__all__ = [
    "LessonClaim",
    "LessonQuestion",
    "LessonSummary",
    "LessonTable",
    "LessonVerdict",
]

TABLE_HEIGHT = 250


class LessonPart(Viewer):
    """A pane that is written anew whenever what it says may have changed."""

    state = param.ClassSelector(class_=LessonsState)
    follows = ("lesson",)

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        self._pane = self._made()
        self.state.param.watch(lambda *_: self._write(), list(self.follows))
        self._write()

    def __panel__(self) -> pn.viewable.Viewable:
        return self._pane

    def _made(self) -> pn.viewable.Viewable:
        return markup("")

    @abstractmethod
    def _write(self) -> None:
        """Say what is to be said now."""

    def _spoken(self, text: str) -> str:
        """Return text as HTML whose clauses light what the picture shows of them."""
        lesson = self.state.now
        return spoken(text, self.state.keys, lesson.said, lesson.names)


class LessonQuestion(LessonPart):
    """What the lesson is about, its world and its question: nothing that answers it."""

    follows = ("lesson", "shown")

    def _write(self) -> None:
        lesson = self.state.now
        self._pane.object = (
            f"<p>{self._spoken(lesson.world)}</p>"
            f'<p class="question">{self._spoken(lesson.question)}</p>'
        )


class LessonClaim(LessonPart):
    """Claim, idea and limit; nothing before the answer is revealed."""

    follows = ("verdict", "shown")

    def _write(self) -> None:
        lesson = self.state.now
        self._pane.object = (
            f'<h3 class="claim">{explained(lesson.title)}</h3>'
            f"<p>{self._spoken(lesson.text)}</p>"
            f"<p><strong>Its limit.</strong> {self._spoken(lesson.limit)}</p>"
            if self.state.verdict is not None
            else ""
        )


class LessonSummary(LessonPart):
    """The picture in words, for those who cannot see it and for all others."""

    follows = ("shown",)

    def _made(self) -> pn.viewable.Viewable:
        return markup("", min_height=48)

    def _write(self) -> None:
        shown = self.state.shown
        said = self._spoken(shown.summary) if shown else "Computing."
        self._pane.object = f'<p role="status">{said}</p>'


class LessonVerdict(LessonPart):
    """Whether the guess was right, and why."""

    follows = ("verdict", "guess", "shown")

    def _write(self) -> None:
        state = self.state
        if state.verdict is None:
            hint = (
                "Pick an answer, then reveal what is computed."
                if state.guess < 0
                else "Reveal computes the answer and shows where to see it."
            )
            self._pane.object = f'<div role="status"><p>{hint}</p></div>'
            return
        badge = (
            '<span class="badge good">Right</span>'
            if state.is_right
            else '<span class="badge bad">Not so</span>'
        )
        answer = plain(state.now.answers[state.verdict.right])
        self._pane.object = (
            f'<div role="status"><p>{badge} The answer is: <strong>{answer}</strong>.'
            f"</p><p>{self._spoken(state.verdict.why)}</p></div>"
        )


class LessonTable(LessonPart):
    """The numbers behind the picture."""

    follows = ("shown",)

    def _made(self) -> pn.viewable.Viewable:
        return plain_table(TABLE_HEIGHT)

    def _write(self) -> None:
        shown = self.state.shown
        if shown is None:
            self._pane.object = ""
            return
        numbers = [False, *([True] * (len(shown.columns) - 1))]
        self._pane.object = table_markup(
            "Numbers behind the picture", shown.columns, shown.rows, numbers
        )
