"""What a lesson asks, what it shows, and once it is revealed what it claims."""

from __future__ import annotations

import panel as pn
import param

from ...widgets.figure_view import TextView
from ...widgets.glossary import explained
from ...widgets.plain_table import plain_table, table_markup
from ...widgets.text import plain
from .spoken import spoken
from .state import LessonsState

TABLE_HEIGHT = 250


class _LessonPart(TextView):
    """A pane that is written anew whenever what it says may have changed."""

    state = param.ClassSelector(class_=LessonsState)

    def _spoken(self, text: str) -> str:
        """Return text as HTML whose clauses light what the picture shows of them."""
        lesson = self.state.now
        return spoken(text, self.state.keys, lesson.said, lesson.names)


class LessonQuestion(_LessonPart):
    """What the lesson is about, its world and its question: nothing that answers it."""

    follows = ("lesson", "shown")

    def _markup(self) -> str:
        lesson = self.state.now
        return (
            f'<p class="world">{self._spoken(lesson.world)}</p>'
            f'<p class="question">{self._spoken(lesson.question)}</p>'
        )


class LessonClaim(_LessonPart):
    """Claim, idea and limit; nothing before the answer is revealed."""

    follows = ("verdict", "shown")

    def _markup(self) -> str:
        lesson = self.state.now
        if self.state.verdict is None:
            return ""
        return (
            f'<h2 class="claim">{explained(lesson.title)}</h2><div class="claimed">'
            f"<p>{self._spoken(lesson.text)}</p>"
            f"<p><strong>Its limit.</strong> {self._spoken(lesson.limit)}</p></div>"
        )


class LessonSummary(_LessonPart):
    """The picture in words, for those who cannot see it and for all others."""

    follows = ("shown",)
    min_height = 48

    def _markup(self) -> str:
        shown = self.state.shown
        said = self._spoken(shown.summary) if shown else "Computing."
        return f'<p role="status">{said}</p>'


class LessonVerdict(_LessonPart):
    """Whether the guess was right, and why."""

    follows = ("verdict", "guess", "shown")

    def _markup(self) -> str:
        state = self.state
        if state.verdict is None:
            hint = (
                "Pick an answer, then reveal what is computed."
                if state.guess < 0
                else "Reveal computes the answer and shows where to see it."
            )
            return f'<div role="status"><p>{hint}</p></div>'
        lesson, right = state.now, state.verdict.right
        answer = plain(lesson.answers[right])
        if state.is_right:
            told = '<p><span class="badge good">Right</span> '
        else:
            told = '<p><span class="badge bad">Not so</span> '
            if state.guess >= 0:
                told += f"{self._spoken(lesson.supposes[state.guess])} "
        told += f"The answer is: <strong>{answer}</strong>.</p>"
        why = self._spoken(state.verdict.why)
        return f'<div role="status">{told}<p>{why}</p></div>'


class LessonTable(_LessonPart):
    """The numbers behind the picture."""

    follows = ("shown",)

    def _empty_pane(self) -> pn.pane.HTML:
        return plain_table(TABLE_HEIGHT)

    def _markup(self) -> str:
        shown = self.state.shown
        if shown is None:
            return ""
        numbers = [False, *([True] * (len(shown.columns) - 1))]
        return table_markup(
            "Numbers behind the picture", shown.columns, shown.rows, numbers
        )
