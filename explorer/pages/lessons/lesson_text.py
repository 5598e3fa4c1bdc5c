"""What a lesson says: its claim with its limit, what is shown, and what was guessed."""

from __future__ import annotations

from typing import Any

import panel as pn
import param
from panel.viewable import Viewer

from ...widgets.markup import markup
from ...widgets.plain_table import plain_table, table_markup
from ...widgets.text import plain
from .course import all_lessons
from .state import LessonsState

__all__ = ["LessonSummary", "LessonTable", "LessonText", "LessonVerdict"]

TABLE_HEIGHT = 250


class LessonText(Viewer):
    """Title, world, idea and limit."""

    state = param.ClassSelector(class_=LessonsState)

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        self._pane = markup("", min_height=300)
        self.state.param.watch(lambda *_: self._write(), "lesson")
        self._write()

    def __panel__(self) -> pn.viewable.Viewable:
        return self._pane

    def _write(self) -> None:
        lesson = self.state.now
        self._pane.object = (
            f"<p>Lesson {self.state.number} of {len(all_lessons())}</p>"
            f'<h2 style="font-size: 1.2rem">{plain(lesson.title)}</h2>'
            f"<p><em>{plain(lesson.world)}</em></p><p>{plain(lesson.text)}</p>"
            f"<p><strong>Its limit.</strong> {plain(lesson.limit)}</p>"
        )


class LessonSummary(Viewer):
    """The picture in words, for those who cannot see it and for all others."""

    state = param.ClassSelector(class_=LessonsState)

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        self._pane = markup("", min_height=72)
        self.state.param.watch(lambda *_: self._write(), "shown")
        self._write()

    def __panel__(self) -> pn.viewable.Viewable:
        return self._pane

    def _write(self) -> None:
        said = plain(self.state.shown.summary) if self.state.shown else "Computing."
        self._pane.object = f'<p role="status">{said}</p>'


class LessonVerdict(Viewer):
    """Whether the guess was right, and why."""

    state = param.ClassSelector(class_=LessonsState)

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        self._pane = markup("", min_height=150)
        self.state.param.watch(lambda *_: self._write(), ["verdict", "guess"])
        self._write()

    def __panel__(self) -> pn.viewable.Viewable:
        return self._pane

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
            f"</p><p>{plain(state.verdict.why)}</p></div>"
        )


class LessonTable(Viewer):
    """The numbers behind the picture."""

    state = param.ClassSelector(class_=LessonsState)

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        self._pane = plain_table(TABLE_HEIGHT)
        self.state.param.watch(lambda *_: self._write(), "shown")
        self._write()

    def __panel__(self) -> pn.viewable.Viewable:
        return self._pane

    def _write(self) -> None:
        shown = self.state.shown
        if shown is None:
            return
        numbers = [False, *([True] * (len(shown.columns) - 1))]
        self._pane.object = table_markup(
            "Numbers behind the picture", shown.columns, shown.rows, numbers
        )
