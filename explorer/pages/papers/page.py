"""The page Papers: every figure and table of the five papers, and what came out."""

from __future__ import annotations

from typing import Any

import param

from ...session.context import Context
from ...session.page import SessionPage
from ...session.visit import Visit
from ...stage.frame import question_row
from ...widgets.markup import markup
from ...widgets.page_layout import framed, page_body
from ...widgets.parts import wide_column
from . import QUESTION
from .paper_index import PAPERS, PaperClaims

ABOUT = (
    "Every figure and table of the five papers that the methods come from: what it "
    "shows, what it claims as published beside what was measured here last, and "
    "whether that holds. A link opens the page that computes it, with its state set; "
    "what takes long waits there for its button. Each study can be run again from a "
    "script: <code>solvers.papers</code>."
)


class PapersState(param.Parameterized):
    """Nothing is chosen here."""


class PapersPage(SessionPage):
    """The page of one session: a list a paper."""

    name = "papers"
    question = QUESTION

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self.state = PapersState()
        look = {"dark": context.session.param.dark, "sizing_mode": "stretch_width"}
        self._papers = [PaperClaims(paper, self.visit, **look) for paper in PAPERS]

    def visit(self, visit: Visit) -> None:
        """Open another page with its state set."""
        self.context.visit(visit.query, visit.place)

    def _main(self) -> Any:
        return page_body(
            question_row(self.question, ABOUT),
            *map(framed, self._papers),
            markup("<p>Verdicts follow from what was computed and recorded last.</p>"),
        )

    def _tuned(self) -> Any:
        return wide_column()


PAGE = PapersPage.page(
    "Papers",
    "article",
    80,
    PapersState,
    "not asked about here: each paper brings its own data",
)
