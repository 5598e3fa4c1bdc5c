"""The lessons page: one idea at a time, predicted before it is revealed."""

from __future__ import annotations

from typing import Any

import panel as pn

from ...session.context import Context
from ...session.page import Page, PageParts
from ...widgets.markup import markup
from ...widgets.message import Message
from ...widgets.page_layout import framed, head, pictures, progress_row
from .course import Visit
from .index import PaperTable
from .lesson_text import LessonSummary, LessonTable, LessonText
from .paper_index import PAPERS
from .parts import LessonControl, LessonList, Prediction, TurningRow
from .picture_view import LessonPicture
from .state import LessonsState

__all__ = ["PAGE", "LessonsPage"]

QUESTION = "Lessons: what does each idea buy, and when not?"
ABOUT = (
    "Each lesson claims one thing of one small world and says where the claim ends. "
    "Read it, pick what you expect, and reveal what the solvers of this app compute: "
    "nothing here is a recording. Move the one control, or let it play. The button "
    "below the answer opens the page that does the same with real data. A link to this "
    "page keeps the lesson and where its control stands."
)
INDEX = (
    "<h2>Every figure and table of the five papers</h2>"
    "<p>With a few words on whether it holds here. Each link opens the page that "
    "computes it, with its state set; what takes long waits there for its button.</p>"
)
LINK = {"lesson": "lesson", "at": "at"}
WIDE = {"sizing_mode": "stretch_width"}


class LessonsPage:
    """The page of one session: lays out the lesson and starts the computations."""

    def __init__(self, context: Context) -> None:
        self.context = context
        session = context.session
        self.state = LessonsState()
        self.showing, self.judging = context.job(), context.job()
        self._picture = LessonPicture(state=self.state, dark=session.dark)
        self._papers = [PaperTable(paper, self.visit, **WIDE) for paper in PAPERS]
        self._use_theme(session.dark)
        session.param.watch(lambda event: self._use_theme(event.new), "dark")
        session.param.watch(lambda *_: self.state.pause(), "page")
        self.state.param.watch(lambda *_: self.start(), ["lesson", "at"])

    def parts(self) -> PageParts:
        """Return the page, its controls, what starts it and what a link restores."""
        controls = LessonList(self.state)
        return PageParts(self._main(), controls, self.start, self.state, LINK)

    # ----------------------------------------------------------------------- computing

    def start(self) -> None:
        """Compute what the control asks for, unless it is shown."""
        if self.context.session.page != PAGE.name or self.state.is_up_to_date:
            return

        def arrived(items: list[Any]) -> None:
            self.state.take(items)
            self.showing.progress = items[-1][2].share

        self.showing.submit(self.state.showing(), arrived)

    def reveal(self) -> None:
        """Compute the answer."""
        self.judging.submit(self.state.judging(), self.state.reveal)

    def visit(self, visit: Visit) -> None:
        """Open another page with its state set."""
        self.context.visit(visit.query, visit.place)

    # ------------------------------------------------------------------------ reacting

    def _use_theme(self, dark: bool) -> None:
        self._picture.dark = dark
        for table in self._papers:
            table.use_theme(dark=dark)

    # ----------------------------------------------------------------------- laying out

    def _main(self) -> Any:
        state = self.state
        prediction = Prediction(state, self.judging, self.reveal, self.visit)
        told = pn.Column(framed(LessonText(state=state)), framed(prediction), **WIDE)
        shown = pn.Column(
            LessonControl(state),
            progress_row(self.showing, "Computing the picture"),
            Message(text=self.showing.param.message),
            Message(text=self.judging.param.message),
            self._picture,
            LessonSummary(state=state),
            LessonTable(state=state),
            **WIDE,
        )
        index = pn.Column(markup(INDEX), *self._papers, **WIDE)
        return pn.Column(
            head(QUESTION, ABOUT),
            TurningRow(state),
            pictures((told, 5), (framed(shown), 7)),
            pictures((framed(index), 12)),
            sizing_mode="stretch_width",
            margin=(0, 8),
        )


PAGE = Page(
    "lessons",
    "Lessons",
    "school",
    70,
    lambda context: LessonsPage(context).parts(),
    LessonsState,
    ("lesson",),
)
