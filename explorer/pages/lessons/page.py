"""The lessons page: one idea at a time, predicted before it is revealed."""

from __future__ import annotations

from typing import Any

import panel as pn

from ...session.context import Context
from ...session.page import SessionPage
from ...session.visit import Visit
from ...stage.frame import question_row
from ...widgets.page_layout import (
    framed,
    messages,
    page_body,
    progress_row,
)
from ...widgets.parts import wide_column
from .lesson_text import LessonSummary, LessonTable
from .parts import LessonControl, LessonList, Prediction, TitleRow
from .picture_view import LARGE, LessonPicture
from .queries import SHOWN, VERDICT
from .spoken import LessonLights
from .state import LessonsState

ABOUT = (
    "Each lesson claims one thing of one small world and says where the claim ends. "
    "Read it, pick what you expect, and reveal what the solvers of this app compute: "
    "nothing here is a recording. What a sentence speaks of lights up in the picture "
    "as the mouse or the keyboard comes to it, and the other way round. "
    "Move the one control, or let it play. The button below the answer opens the page "
    "that does the same with real data. A link to this "
    "page keeps the lesson and where its control stands."
)
WIDE = {"sizing_mode": "stretch_width"}
# Beside each other, as five to seven, where there is room; else below each other.
_LEFT = {"flex": "5 1 380px", "min-width": "min(100%, 380px)"}
_RIGHT = {"flex": "7 1 532px", "min-width": "min(100%, 532px)"}
_BELOW = {"flex": "1 0 100%", "min-width": "100%"}


class LessonsPage(SessionPage):
    """The page of one session: lays out the lesson and starts the computations."""

    name = "lessons"
    question = "Lessons: what does each idea buy, and when not?"
    tuned_as = "All lessons"

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        session = context.session
        self.state = LessonsState()
        self.showing = self._asks(SHOWN)
        self.judging = context.asker(VERDICT, self.state)
        self._picture = LessonPicture(state=self.state, dark=session.param.dark)
        session.param.watch(lambda *_: self.state.pause(), "page")
        self.state.param.watch(lambda *_: self._recall(), ["lesson", "at", "answers"])

    # ----------------------------------------------------------------------- computing

    def start(self) -> None:
        """Compute what the control asks for, unless it is shown; recall an answer."""
        self._recall()
        super().start()

    def _recall(self) -> None:
        if self._is_in_front and self.state.is_to_recall:
            self.reveal()

    def reveal(self) -> None:
        """Compute the answer."""
        self.judging.ask()

    def visit(self, visit: Visit) -> None:
        """Open another page with its state set."""
        self.context.visit(visit.query, visit.place)

    # ------------------------------------------------------------------------ reacting

    def _tuned(self) -> Any:
        return LessonList(self.state)

    # ----------------------------------------------------------------------- laying out

    def _main(self) -> Any:
        state = self.state
        asked = pn.Column(Prediction(state, self.judging, self.reveal, self.visit))
        control = pn.Column(LessonControl(state))
        words = pn.Column(LessonSummary(state=state), LessonTable(state=state))
        shown = wide_column(
            control,
            progress_row(self.showing, "Computing the picture"),
            *messages(self.showing, self.judging),
            self._picture,
            words,
        )
        told, seen = framed(asked), framed(shown)
        resized = (asked, control, words)
        for part in resized:
            part.sizing_mode = "stretch_width"

        def resize(*_: Any) -> None:
            """Beside each other, or large and below each other."""
            told.styles, seen.styles = (
                (_BELOW, _BELOW) if state.is_large else (_LEFT, _RIGHT)
            )
            for part in resized:
                part.styles = {"zoom": f"{LARGE if state.is_large else 1}"}

        state.param.watch(resize, "is_large")
        resize()
        return page_body(
            question_row(self.question, ABOUT),
            TitleRow(state, self.context.copy),
            LessonLights(width=0, height=0, margin=0),
            pn.FlexBox(told, seen, align_items="flex-start", gap="8px", **WIDE),
        )


PAGE = LessonsPage.page(
    "Lessons",
    "school",
    70,
    LessonsState,
    "not asked about here: each lesson brings its own data",
)
