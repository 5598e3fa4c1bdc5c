"""The lessons page: one idea at a time, predicted before it is revealed."""

from __future__ import annotations

from typing import Any

from ...session.context import Context
from ...session.link import Visit
from ...session.page import SessionPage
from ...stage.frame import Working, drawer
from ...stage.presenting import LARGER, REST
from ...widgets.folds import Fold
from ...widgets.page_layout import BESIDE, NARROW, framed, messages, page_body
from ...widgets.parts import wide_column
from . import QUESTION
from .lesson_view import (
    LessonClaim,
    LessonLights,
    LessonPicture,
    LessonSummary,
    LessonTable,
    LessonVerdict,
)
from .parts import (
    GoOn,
    LessonControl,
    LessonHead,
    LessonKeys,
    LessonList,
    LessonSight,
    Prediction,
)
from .state import SHOWN, VERDICT, LessonsState

ABOUT = (
    "Each lesson claims one thing of one small world and says where the claim ends. "
    "Read it, pick what you expect, and reveal what the solvers of this app compute: "
    "nothing here is a recording. What a sentence speaks of lights up in the picture "
    "as the mouse or the keyboard comes to it, and the other way round. "
    "Move the one control, or let it play. The button below the answer opens the page "
    "that does the same with real data. A link to this "
    "page keeps the lesson and where its control stands."
)
# What is asked beside what shows it; on a phone below each other, and the answer last.
# As it is presented the picture comes first: `assets/thriftscope.css` sets the rest.
_GRID = f"""
:host {{ display: grid !important; gap: 8px; grid-template-columns: minmax(0, 1fr); }}
div {{ align-self: stretch; height: auto; }}
div:nth-of-type(1) {{ order: var(--lesson-order, 0); }}
div:nth-of-type(3) {{ order: 2; }}
@media (min-width: {BESIDE}px) {{
 :host {{ grid-template-rows: auto minmax(0, 1fr);
  grid-template-columns: var(--lesson-columns, minmax(300px, 2fr) minmax(0, 5fr)); }}
 div:nth-of-type(1) {{ grid-area: var(--lesson-asked, 1 / 1); }}
 div:nth-of-type(2) {{ grid-area: var(--lesson-seen, 1 / 2 / span 2); }}
 div:nth-of-type(3) {{ grid-area: var(--lesson-told, 2 / 1); }} }}
"""
# On a phone what is moved lies below what it moves.
_SEEN = f"@media (max-width: {NARROW}px) {{ div:nth-of-type(1) {{ order: 1; }} }}"
NUMBERS = "Numbers behind the picture"


class LessonsPage(SessionPage):
    """The page of one session: lays out the lesson and starts the computations."""

    name = "lessons"
    question = QUESTION
    tuned_as = "All lessons"

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        session = context.session
        self.state = LessonsState()
        self.showing = self._asks(SHOWN)
        self.judging = context.asker(VERDICT, self.state)
        self._sight = LessonSight(self.state, width=0, height=0, margin=0)
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
            self.judging.ask()

    def reveal(self) -> None:
        """Compute the answer, and bring it into view."""
        self._sight.seek_verdict()
        self.judging.ask()

    def visit(self, visit: Visit) -> None:
        """Open another page with its state set."""
        self.context.visit(visit.query, visit.place)

    # ------------------------------------------------------------------------ reacting

    def _tuned(self) -> Any:
        return LessonList(self.state, self.context.copy)

    # ----------------------------------------------------------------------- laying out

    def _main(self) -> Any:
        state, session = self.state, self.context.session
        work = Working(
            [
                (self.judging, "Working out the answer"),
                (self.showing, "Computing the picture"),
            ]
        )
        asked = framed(Prediction(state, self.judging, self.reveal))
        control = wide_column(
            LessonControl(state), work.line, css_classes=["strip"], stylesheets=[LARGER]
        )
        seen = framed(
            wide_column(
                control,
                wide_column(
                    self._picture,
                    wide_column(LessonSummary(state=state), stylesheets=[REST]),
                ),
                stylesheets=[_SEEN],
            )
        )
        told = wide_column(LessonVerdict(state=state), stylesheets=[LARGER])
        for part, name in ((asked, "side"), (seen, "hero"), (told, "answer")):
            part.css_classes = [*part.css_classes, name]
        asked.stylesheets = [LARGER]
        on = GoOn(state, self.visit)
        numbers = Fold(NUMBERS, lambda: LessonTable(state=state), state, "numbers")
        return page_body(
            LessonHead(state, ABOUT),
            LessonLights(width=0, height=0, margin=0),
            LessonKeys(state, session, self.reveal, width=0, height=0, margin=0),
            self._sight,
            *messages(self.showing, self.judging),
            wide_column(asked, seen, told, stylesheets=[_GRID]),
            wide_column(
                work.beside([LessonClaim(state=state)], margin=0),
                on,
                stylesheets=[REST],
            ),
            drawer(numbers),
        )


PAGE = LessonsPage.page(
    "Lessons",
    "school",
    70,
    LessonsState,
    "not asked about here: each lesson brings its own data",
)
