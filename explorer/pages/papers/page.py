"""The page Papers: every figure and table of the five papers, and what came out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import param
from panel.viewable import Viewer

from solvers.papers.studies import studies

from ...session.context import Context
from ...session.declared import linked
from ...session.link import Visit
from ...session.page import SessionPage
from ...session.study_part import StudyPart
from ...stage.frame import question_row
from ...widgets.controls import bind_both
from ...widgets.markup import markup
from ...widgets.page_layout import framed, page_body
from ...widgets.parts import wide_column
from . import QUESTION
from .paper_index import PAPERS, Paper, PaperClaims

ABOUT = (
    "Every figure and table of the five papers that the methods come from: what it "
    "shows, what it claims as published beside what was measured here last, and "
    "whether that holds. Each can be computed here and is drawn in its place; first at "
    "sizes that take seconds, or as large as what is recorded. A link opens a page on "
    "the same subject that one can play with. Each study can be run again from a "
    "script: <code>solvers.papers</code>."
)
JUDGED = (
    "Verdicts follow from what was computed and recorded last. Where there is chance "
    "in it, a difference counts beyond two of its standard errors, whatever its size."
)
# What can be computed, by paper and number; a table may belong to a figure.
STUDIES = {
    entry.name: entry.key
    for paper in PAPERS
    for entry in paper.entries
    if entry.key is not None
}


class PapersState(param.Parameterized):
    """Which figure is looked at."""

    figure: Any = param.Selector(
        default="",
        objects=["", *STUDIES],
        doc="What is opened, by paper and number.",
        metadata=linked("study", is_kept=False),
    )
    is_figure_asked = param.Boolean(
        default=False,
        doc="Whether it is computed where a link opens it.",
        metadata=linked("compute", is_kept=False),
    )


class PapersPage(SessionPage):
    """The page of one session: a list a paper, and what is computed in its place."""

    name = "papers"
    question = QUESTION

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self.state = PapersState()
        self._study: StudyPart | None = None
        look = {"dark": context.session.param.dark, "sizing_mode": "stretch_width"}
        self._papers = [
            PaperList(paper, self.visit, self.see, **look) for paper in PAPERS
        ]
        self.state.param.watch(self._show, ["figure", "is_figure_asked"])

    def visit(self, visit: Visit) -> None:
        """Open another page with its state set."""
        self.context.visit(visit.query, visit.place)

    def see(self, name: str) -> None:
        """Open a figure in its place; what another one computes is stopped."""
        self.state.param.update(figure=name, is_figure_asked=False)

    @property
    def study(self) -> StudyPart:
        """What computes and draws a figure; made once one is opened."""
        if self._study is None:
            offered = {name: studies()[key] for name, key in STUDIES.items()}
            self._study = StudyPart(self.context, offered, offers=False)
            bind_both(self.state, self._study.state, "is_figure_asked")
        return self._study

    def _show(self, *_: Any) -> None:
        name, is_asked, part = self.state.figure, self.state.is_figure_asked, None
        if name:
            part = self.study
            part.state.figure = name
            part.state.is_figure_asked = is_asked
        elif self._study is not None:
            self._study.state.is_figure_asked = False
        # It stands in one place at a time.
        for paper in self._papers:
            if not paper.holds(name):
                paper.place("", None)
        for paper in self._papers:
            if paper.holds(name):
                paper.place(name, part)

    def _main(self) -> Any:
        return page_body(
            question_row(self.question, ABOUT),
            *map(framed, self._papers),
            markup(f"<p>{JUDGED}</p>"),
        )

    def _tuned(self) -> Any:
        return wide_column()


class PaperList(Viewer):
    """A paper: its entries, and below the one that is open what computes it.

    `visit`: opens another page. `see`: opens an entry by its name; empty: none.
    """

    def __init__(
        self,
        paper: Paper,
        visit: Callable[[Visit], None],
        see: Callable[[str], None],
        **look: Any,
    ) -> None:
        super().__init__()
        self._paper, self._visit, self._see = paper, visit, see
        self._entries = [entry.shown for entry in paper.entries]
        self._opened = -1
        self.above = PaperClaims(
            self._heard, title=paper.title, entries=self._entries, **look
        )
        self.below = PaperClaims(
            lambda word, place: self._heard(word, place + self._opened + 1),
            title=paper.title,
            is_rest=True,
            visible=False,
            **look,
        )
        self._slot = wide_column(visible=False)

    def __panel__(self) -> Any:
        return wide_column(self.above, self._slot, self.below)

    def holds(self, name: str) -> bool:
        """Return whether an entry is of this paper."""
        return any(entry.name == name for entry in self._paper.entries)

    def place(self, name: str, figure: Any) -> None:
        """Show a figure in its place, where it is of this paper."""
        names = [entry.name for entry in self._paper.entries]
        opened = names.index(name) if name in names else -1
        if opened == self._opened:
            return
        self._opened = opened
        end = opened + 1 or len(self._entries)
        self.above.param.update(entries=self._entries[:end], opened=opened)
        self.below.param.update(
            entries=self._entries[end:], visible=end < len(self._entries)
        )
        self._slot.param.update(
            objects=[figure] if opened >= 0 else [], visible=opened >= 0
        )

    def _heard(self, word: str, place: int) -> None:
        entry = self._paper.entries[place]
        if word == "open" and entry.visit is not None:
            self._visit(entry.visit)
        elif word == "see" and entry.key is not None:
            self._see("" if place == self._opened else entry.name)


PAGE = PapersPage.page(
    "Papers",
    "article",
    80,
    PapersState,
    "not asked about here: each paper brings its own data",
)
