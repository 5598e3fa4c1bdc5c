"""The selectivity page: which of many features an answer needs, and the proof."""

from __future__ import annotations

from typing import Any

import panel as pn

from solvers.frontier.selectivity import trace_selectivity
from solvers.methods.selective_ridge.training import GAMMA

from ...export.call import Call, script
from ...export.loading import bundled_data, loading
from ...session.context import Context
from ...session.page import SessionPage, is_another_table
from ...session.take_away import script_view
from ...stage.frame import drawers, question_row, staged, strip
from ...widgets.controls import choice, knob_widget, slider
from ...widgets.folds import Fold
from ...widgets.markup import markup
from ...widgets.page_layout import framed, messages, pictures, progress_row
from ...widgets.parts import wide_column
from ...widgets.text import plain
from . import QUESTION
from .coefficient_map import CoefficientMap
from .curves import CoefficientPath, GapPlot, PathCounts, PathScores, TimingPlot
from .parts import (
    PRICED,
    CounterexamplePart,
    CounterexampleTable,
    GapSummary,
    PathTable,
    SelectivitySummary,
    TimingPart,
    claimed,
    mu_slider,
)
from .state import ANSWER, GAPS, LOSSES, PATH, SelectivityState
from .streams import PATH_POINTS, SMALLEST, SOURCES, TOLERANCE, evoked_options
from .text import ENCODED

SHOWN = {"coefficients": "coefficients", "states": "states"}
ABOUT = (
    "A linear model of many more features than rows. Below μ a coefficient is drawn to "
    "zero by a constant force: it is zero, or on the boundary. Above μ it is shrunk as "
    "in ridge regression, by γ. The solver works with one unknown a row, so that time "
    "grows linearly with the number of features, and every answer carries a proof: no "
    "model whatever can be better by more than the duality gap. A first answer is "
    "drawn at a gap of a thousandth and refined to a millionth while you look at it."
)
ITERATION_CLAIM = (
    "the iteration (27) to (32) ends at the optimum after finitely many steps. Here "
    "both algorithms start from nothing at the μ chosen; each gap is proven."
)
ITERATIONS, PATH_TABLE = "Gap over iterations", "The path as a table"
# Names and headings of what stands in the drawers.
HOLDS = {
    "details": ("path", PATH_TABLE, "The proof"),
    "figures": (
        *("gaps", "example", "times"),
        *(ITERATIONS, CounterexamplePart.title, TimingPart.title),
    ),
}


class SelectivityPage(SessionPage):
    """The page of one session: lays out the views and starts the computations."""

    name = "selectivity"
    question = QUESTION

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        session = context.session
        self.state = SelectivityState(dataset=session.dataset)
        self.answers, self.paths = self._asks(ANSWER), self._asks(PATH)
        # Once there is an answer: both algorithms are run where it is.
        self.gaps = self._asks(GAPS, is_turn=lambda: not self.answers.busy)
        self.answers.param.watch(lambda *_: self.gaps.ask(), "busy")
        self._views = self._made(map=CoefficientMap, scores=PathScores, gaps=GapPlot)
        session.param.watch(self._dataset_changed, "dataset")
        self.state.param.watch(lambda event: self._name(event.new), "source")

    # ------------------------------------------------------------------------ reacting

    def _dataset_changed(self, event: Any) -> None:
        self.state.dataset = event.new
        if is_another_table(event):
            self.state.source = "session"

    def _name(self, source: str) -> None:
        """Let the bar say what is learned from, where that is not the open problem."""
        (title,) = [title for title, name in SOURCES.items() if name == source]
        self._asks_about("" if source == "session" else title)

    # ----------------------------------------------------------------------- laying out

    def _main(self) -> Any:
        views, state = self._views, self.state
        return staged(
            question_row(self.question, ABOUT),
            strip(mu_slider(state)),
            (views["map"], "Where the features are"),
            (views["scores"], "Right answers by features kept"),
            answer=[SelectivitySummary(state=state)],
            working=[(self.answers, "Answering"), (self.paths, "Tracing the path")],
            messages=messages(self.answers, self.paths, self.gaps),
            below=drawers(
                state,
                HOLDS,
                details=self._details,
                figures=self._printed,
                away=lambda: script_view(
                    "thriftscope_selectivity.py", lambda: selectivity_script(state)
                ),
            ),
            line=pn.bind(data_line, state.param.bench),
        )

    def _details(self) -> Any:
        state = self.state
        views = self._made(path=CoefficientPath, counts=PathCounts, table=PathTable)
        table = Fold(PATH_TABLE, views["table"], state, "path")
        return pictures(
            (framed(views["path"], "Coefficients along μ, by state"), 6),
            (framed(views["counts"], "Features used along μ"), 6),
            (framed(GapSummary(state=state), "The proof"), 12),
            (framed(table), 12),
        )

    def _printed(self) -> Any:
        """Return what the paper claims, and what of it is computed here."""
        state = self.state
        views = self._made(timings=TimingPlot, steps=CounterexampleTable)
        example = CounterexamplePart(self.context, state, views["steps"])
        timing = TimingPart(self.context, state, views["timings"])
        iterations = wide_column(
            markup(claimed(ITERATION_CLAIM)),
            progress_row(self.gaps, "Running both algorithms"),
            self._views["gaps"],
        )
        parts = (
            Fold(ITERATIONS, iterations, state, "gaps"),
            example.folded(state, "example"),
            timing.folded(state, "times"),
        )
        return pictures(*((framed(part), 12) for part in parts))

    def _tuned(self) -> Any:
        state = self.state
        return wide_column(
            choice(state, "source", "Learn from", SOURCES),
            choice(state, "loss", "Loss", LOSSES),
            slider(state, "gamma", GAMMA),
            knob_widget(state, "is_priced", PRICED),
            choice(state, "shown", "Map shows", SHOWN),
        )


def data_line(bench: Any) -> str:
    """Return what is learned from, and what one coefficient of it stands for."""
    if bench is None:
        return "No data are prepared yet."
    data = bench.data
    return plain(f"{data.line} {ENCODED}" if data.is_encoded else data.line)


def selectivity_script(state: SelectivityState) -> str:
    """Return a script that prints the model on screen and its path."""
    is_own = state.source == "session"
    if is_own:
        given = loading(state.dataset)
    else:
        given = bundled_data("evoked", evoked_options(state.source))
    trace = Call(
        trace_selectivity,
        given,
        share=float(state.share),
        gamma=float(state.gamma),
        loss=state.loss,
        is_priced=state.is_priced,
        is_scaled=is_own,
        n_points=PATH_POINTS,
        smallest=SMALLEST,
        tol=TOLERANCE,
    )
    return script("Compute a selective ridge of Thriftscope again.", trace=trace)


PAGE = SelectivityPage.page("Selection", "grain", 50, SelectivityState)
