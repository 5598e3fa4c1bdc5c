"""The proof page: whether anything could do better for this money."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import panel as pn
from bokeh.models import CustomJSTickFormatter

from solvers.values.knobs import Number

from ...compute.jobs import Job
from ...compute.query import Asker, Query
from ...session.context import Context
from ...session.page import PageParts, SessionPage, is_another_table
from ...stage.frame import drawers, question_row, staged, strip
from ...widgets.controls import bind, button, choice, share_slider, slider
from ...widgets.folds import Fold
from ...widgets.markup import markup
from ...widgets.page_layout import framed, messages, pictures, progress_row
from ...widgets.parts import wide_column, wide_row
from ...widgets.positions import SLIDER_STEPS, tidy
from ...widgets.text import plain, unit_text
from ...widgets.ui import pmui
from . import QUESTION
from .floor_plot import ComponentsTable, FloorPlot, MethodsTable
from .matrix import NearlyMatrix
from .queries import ANSWER, FLOORS, POINTS
from .questions import SOURCES, ProofData
from .state import ProofState
from .take_away import take_away
from .text import ProofSummary, ProofText, listed_text, searched_text

ABOUT = (
    "A frontier shows what methods found. Here stands what no linear model whatever "
    "can beat: for every budget a floor under the training objective, the mean "
    "logistic loss plus a ridge, shared components charged once. The filled band rises "
    "while the search goes on; its edge is a solid line only where the best selection "
    "known is within the tolerance of it, and dashed where the gap is still open. "
    "Marks are the columns that methods choose, each with the best linear model that "
    "they allow; of a method that looks at other columns for other rows, those that "
    "any row looks at, or a quarter, half or three quarters of them. Below stands "
    "every selection of components that is nearly as good as the best: what must be "
    "bought, what never is, and what can be exchanged. The "
    "floor is one under the objective alone: never under F1, nor under anything of "
    "rows that were not seen."
)
KNOBS = {
    "ridge": Number("Ridge", 1e-4, 10, scale="log", shown=(1e-3, 1.0)),
    "within": Number("Nearly as good", 0, 0.2, shown=(0.0, 0.1)),
    "tol": Number("Tolerance", 1e-4, 0.2, scale="log", shown=(1e-3, 0.1)),
    "seconds": Number("Seconds", 1, 600, scale="log", shown=(1.0, 300.0)),
}
# What the list of what is nearly as good hangs on.
ANSWERED = ["answer", "share", "within", "floors"]
# What panels are called among those that are open.
RULED, SEARCH = "ruled", "search"
LOOK = {"sizing_mode": "stretch_width", "margin": (4, 12)}
_SHARE = "return (100 * tick).toPrecision(3) + ' % of everything'"
_COST = "return (full * tick).toPrecision(3) + ' ' + unit"


class ProofPage(SessionPage):
    """The page of one session: lays out the views and starts the computations."""

    name = "proof"
    question = QUESTION

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        session = context.session
        self.state = ProofState(dataset=session.dataset)
        self.state.settle_by(context.settle())
        self.packing = context.job()
        self._views = self._made(
            floor=FloorPlot,
            matrix=NearlyMatrix,
            components=ComponentsTable,
            methods=MethodsTable,
        )
        self._budget = share_slider(
            self.state,
            "share",
            "Budget",
            1 / SLIDER_STEPS,
            CustomJSTickFormatter(code=_SHARE),
        )
        self._without = pmui.MultiChoice(label="Rule out", options=[], **LOOK)
        self._trained: Any = None
        self._taken_up: Any = None
        # Whether a share was chosen that other pages have not been told of yet.
        self._leads = False
        session.param.watch(lambda _: self._take_budget(), "budget")
        session.param.watch(self._dataset_changed, "dataset")
        watch = self.state.param.watch
        watch(self._share_chosen, "share")
        watch(lambda *_: self._tell_budget(), "rests")
        watch(lambda *_: self._data_changed(), "data")

        def seen() -> bool:
            return self._is_in_front

        def asker(query: Query, then: Callable[[], None] = lambda: None) -> Asker:
            return context.asker(query, self.state, is_in_front=seen, then=then)

        self.floors = asker(FLOORS)
        self.answers = asker(ANSWER, self.train)
        self.methods = asker(POINTS, self.state.keep_points)
        for job in (self.floors, self.answers, self.methods):
            job.param.watch(lambda *_: self._completed(), "completed")

    def parts(self) -> PageParts:
        """Return the page, its drawer, what starts it and what a link restores."""
        return replace(super().parts(), restored=self._restored)

    # ----------------------------------------------------------------------- computing

    def start(self) -> None:
        """Compute what is not there yet; what is under way goes on."""
        if self._leads:  # who comes by a link to this page has said how much
            self._tell_budget()
        else:
            self._take_budget()
        self.floors.come_back()
        self.answers.come_back()

    def go_on(self) -> None:
        """Search on where the floors that are shown have stopped."""
        self.state.ask_more(self.state.floors.question)
        self.floors.ask()

    def list_on(self) -> None:
        """Prove and list on where the answer that is shown has stopped."""
        self.state.ask_more(self.state.answer.question)
        self.answers.ask()

    def train(self) -> None:
        """Train the methods on the rows, once for a table and a ridge.

        Training that was cancelled stays so until something else is asked for.
        """
        asked = POINTS.asks(self.state)
        if self.state.is_answered and asked != self._trained:
            self._trained = asked
            self.methods.ask()

    def _completed(self) -> None:
        """Go on from what floors or methods found, once, where it beats the answer."""
        known, jobs = self.state.known(), (self.floors, self.answers, self.methods)
        if known is None or any(job.busy for job in jobs) or not self._is_in_front:
            return
        asked = self.state.budget_question(), known.upper
        if self.state.is_beaten and asked != self._taken_up:
            self._taken_up = asked
            self.list_on()

    # ------------------------------------------------------------------------ reacting

    def _dataset_changed(self, event: Any) -> None:
        self.state.dataset = event.new
        if self.state.source != "session" and is_another_table(event):
            self.state.source = "session"

    def _share_chosen(self, event: Any) -> None:
        self._leads = event.new != ProofState.share

    def _restored(self) -> None:
        """Stand at the problem's budget where a kept session says none of this page."""
        if not self._leads:
            self._take_budget()

    def _take_budget(self) -> None:
        """Stand at the budget of the open problem, where that is asked about."""
        session, total = self.context.session, self._full_cost()
        if not (self._is_in_front and total) or session.budget is None:
            return  # `start` catches up
        share = tidy(min(session.budget / total, 1.0))
        if not math.isclose(share, self.state.share, rel_tol=1e-8):
            with self.context.undo_stack.quiet():
                self.state.share = share
        self._leads = False

    def _tell_budget(self) -> None:
        """Let other pages stand at the budget that was chosen here."""
        session, total = self.context.session, self._full_cost()
        spent = float(f"{self.state.share * total:.9g}")  # as a person would say it
        if not (self._is_in_front or self._leads) or not total:
            return
        self._leads = False
        if spent != session.budget:
            with self.context.undo_stack.quiet():
                session.budget = spent

    def _full_cost(self) -> float:
        """Return what all of the open problem costs; 0 where it is not asked about."""
        is_asked = self.state.source == "session"
        return self.context.session.dataset.hypergraph.total_cost if is_asked else 0.0

    def _data_changed(self) -> None:
        """Let the budget and the exclusions speak of the table that is there."""
        data: ProofData | None = self.state.data
        if data is None:
            return
        self.methods.cancel()
        self._trained = None
        graph = data.hypergraph
        self._budget.format = CustomJSTickFormatter(
            args={"full": graph.total_cost, "unit": unit_text(graph.unit)}, code=_COST
        )
        names = data.known(tuple(self.state.without))
        self._without.param.update(options=list(graph.component_names), value=names)

    def _offered(self, names: list[str]) -> list[str]:
        """Return names, or what is shown: their table may still be read."""
        is_known = set(names) <= set(self._without.options)
        return list(names) if is_known else list(self._without.value)

    # ----------------------------------------------------------------------- laying out

    def _main(self) -> Any:
        views, state = self._views, self.state
        methods = wide_column(
            progress_row(self.methods, "Training the methods"), views["methods"]
        )
        nearly = wide_column(
            progress_row(self.answers, "Answering the budget"),
            _search_on(
                self.answers,
                [getattr(state.param, name) for name in ANSWERED],
                lambda: listed_text(state),
                lambda: state.is_answer_open,
                self.list_on,
                "List on",
            ),
            views["matrix"],
        )
        ruled = Fold("Rule something out", views["components"], state, RULED)
        details = pictures(
            (framed(methods, "Methods above the floor"), 7), (framed(ruled), 5)
        )
        return staged(
            question_row(self.question, ABOUT),
            strip((self._budget, 3, 240), self._share_of_all("within")),
            (views["floor"], "The proven floor"),
            (nearly, "All that is nearly as good"),
            answer=[
                ProofSummary(state=state),
                _search_on(
                    self.floors,
                    [state.param.floors],
                    lambda: searched_text(state),
                    lambda: state.is_open,
                    self.go_on,
                ),
            ],
            working=[(self.floors, "Proving floors")],
            messages=messages(self.floors, self.answers, self.methods),
            below=drawers(
                state,
                {"details": (RULED, "Rule something out", "Methods above the floor")},
                details=details,
                words=lambda: ProofText(state=state),
                away=lambda: take_away(state, self.packing),
            ),
            line=pn.bind(_data_line, state.param.data),
        )

    def _share_of_all(self, name: str) -> Any:
        """Return the slider of a share, which the words below it say in per cent."""
        knob = KNOBS[name]
        share = "Math.pow(10, tick)" if knob.scale == "log" else "tick"
        code = f"return Number((100 * {share}).toPrecision(2)) + ' %'"
        return slider(self.state, name, knob, format=CustomJSTickFormatter(code=code))

    def _tuned(self) -> Any:
        state = self.state
        search = wide_column(
            self._share_of_all("tol"),
            slider(state, "seconds", KNOBS["seconds"]),
        )
        return wide_column(
            choice(state, "source", "Trained on", SOURCES),
            bind(self._without, state, "without", shown=self._offered, stored=list),
            slider(state, "ridge", KNOBS["ridge"]),
            Fold("How the search runs", search, state, SEARCH),
        )


def _data_line(data: ProofData | None) -> str:
    return "Data: none are read yet." if data is None else plain(data.line)


def _search_on(
    job: Job,
    found: Sequence[Any],
    told: Callable[[], str],
    is_open: Callable[[], bool],
    go_on: Callable[[], None],
    called: str = "Search on",
) -> Any:
    """Return a row for the search that a job runs.

    `found`: the parameters of the state on which it hangs how far that is.
    `told`: says it; `is_open`: whether more time could find more. `called`: what the
    button is called.
    """

    def may_go_on(busy: bool, *_: object) -> bool:
        return is_open() and not busy

    visible = pn.bind(may_go_on, job.param.busy, *found)
    look = {"variant": "text", "margin": 0, "visible": visible}
    on = button(called, go_on, small=True, **look)
    words = pn.bind(lambda *_: plain(told()), *found)
    return wide_row(markup(words, margin=(0, 12)), on, min_height=30)


PAGE = ProofPage.page("Proof", "verified", 55, ProofState)
