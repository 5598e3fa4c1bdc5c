"""The frontier page: what accuracy a budget can buy."""

from __future__ import annotations

from typing import Any

import numpy as np
import panel as pn
from numpy.typing import NDArray

from solvers import FrontierPoint, all_methods
from solvers.papers.figures import all_figures

from ...session.context import Context
from ...session.footprint import FootprintPart
from ...session.page import SessionPage
from ...session.state import opening_budget
from ...session.study_part import StudyPart
from ...session.verification import Selections, VerificationPart
from ...stage.frame import drawers, question_row, staged, strip
from ...widgets.controls import (
    bind_both,
    budget_field,
    budget_slider,
    rename_budget,
    rescale_budget,
)
from ...widgets.folds import Fold, unfold
from ...widgets.markup import Message
from ...widgets.page_layout import framed, messages, pictures
from ...widgets.parts import wide_column
from ...widgets.text import budget_label, cost_text, counted, plain, score_text
from . import QUESTION
from .answer import AccountingNote, FrontierSummary, PlainText, traced_text, tracing_row
from .compare_part import BROUGHT, BroughtPart, ComparePart
from .controls import frontier_controls, trade_off_sliders
from .decisions import CHOSEN_BY, INSIDE, TITLE, DecisionPart
from .frontier_plot import FrontierPlot, PointsTable
from .hypergraph_view import HypergraphView
from .queries import MARKS, RUNS, TRACES
from .state import FrontierState
from .take_away import deployable, take_away

ABOUT = (
    "Each line is a method; each of its marks is a model, placed by what one "
    "prediction costs and by its F1 (or another score) on rows that neither training "
    "nor selection has seen. A line joins the models that no other of the same method "
    "beats on validation rows. Drag the dashed line, or the budget slider: the best "
    "model that the budget pays for is ringed, and the hypergraph shows what it "
    "computes, shared components once. A margin asks that other rows stay within the "
    "budget too. Trade-off λ solves again at exactly that λ and marks the model with a "
    "cross."
)
VERIFY = (
    "Runs the extractor cut down to the chosen point, and to every other point of the "
    "frontier, on samples; shows predicted beside measured time. Deciding is not in "
    "it: where that is charged, the budget is what it leaves."
)
# What the table of points is called among the open panels.
POINTS, POINTS_TITLE = "points", "All points in a table"
HOLDS = {
    "details": (POINTS, POINTS_TITLE, INSIDE, TITLE, VerificationPart.title),
    "compare": (BROUGHT,),
}


class FrontierPage(SessionPage):
    """The page of one session: lays out the views and starts the computations."""

    name = "frontier"
    question = QUESTION

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        session = context.session
        self.state = FrontierState(dataset=session.dataset)
        self.state.settle_by(context.settle())
        self.state.budget = opening_budget(session.dataset)
        self.figures = StudyPart(context, all_figures())
        for name in ("figure", "is_figure_asked"):
            bind_both(self.state, self.figures.state, name)
        self.traces, self.marks = self._asks(TRACES), self._asks(MARKS)
        # The first split before all others.
        self.runs = self._asks(RUNS, is_turn=lambda: not self.traces.busy)
        self.traces.param.watch(lambda *_: self.runs.ask(), "busy")
        self._views = self._build_views()
        full_cost, unit = session.dataset.hypergraph.total_cost, session.dataset.unit
        by_hand = {"reason": "budget"}
        self._budget = budget_slider(
            self.state, budget_label(unit), full_cost, unit, also=by_hand
        )
        self._typed_budget = budget_field(self.state, full_cost, unit, also=by_hand)
        self._tell_budget()
        self.state.param.watch(lambda *_: self._tell_budget(), ["budget", "dataset"])
        session.param.watch(self._budget_moved, "budget")
        session.param.watch(self._dataset_changed, "dataset")
        self.state.param.watch(
            lambda event: self._offer_budget(event.new.hypergraph.total_cost), "dataset"
        )
        self.state.param.watch(
            lambda _: self._offer_budget(self.state.full_cost()), "full"
        )

    # ------------------------------------------------------------------------ reacting

    def _dataset_changed(self, event: Any) -> None:
        with pn.io.hold(policy="collect"):
            self.state.open_dataset(event.new)

    def _tell_budget(self) -> None:
        """Let other pages stand at the budget, where it is one of the data's price."""
        session, graph = self.context.session, self.state.dataset.hypergraph
        if graph.charged == session.dataset.hypergraph.charged:
            session.budget = self.state.budget

    def _budget_moved(self, event: Any) -> None:
        """Stand where another page has moved the budget to."""
        if event.new is not None and event.new != self.state.budget:
            self.state.param.update(budget=event.new, reason="budget")

    def _offer_budget(self, full_cost: float) -> None:
        """Let the budget end at what there is to pay, in its unit."""
        unit = self.state.dataset.unit
        rescale_budget(self._budget, full_cost, unit)
        rename_budget(self._typed_budget, full_cost, unit)
        self._budget.label = budget_label(unit)

    def _selections(self) -> Selections:
        chosen, axes = self.state.chosen(), self.state.axes()
        found = {} if chosen is None else {"Chosen point": self._of_table(chosen.point)}
        for point in self.state.frontier().undominated():
            title = all_methods()[point.method].title
            price = cost_text(axes.cost(point), self.state.dataset.unit)
            name = f"{title}, {score_text(point, axes.score)} at {price}"
            found[name] = self._of_table(point)
        return found

    def _for_features(self) -> float:
        """Return what the budget leaves for features, where deciding is charged too."""
        chosen, axes = self.state.chosen(), self.state.axes()
        return self.state.budget - (axes.deciding(chosen.point) if chosen else 0.0)

    def _of_table(self, point: FrontierPoint) -> NDArray[np.bool_]:
        """Return a point's features among those of the table, limits or not."""
        names = set(np.array(self.state.dataset.feature_names)[point.features])
        table = self.context.session.dataset.feature_names
        return np.array([name in names for name in table])

    # ----------------------------------------------------------------------- laying out

    def _build_views(self) -> dict[str, Any]:
        return {
            **self._made(plot=FrontierPlot, hypergraph=HypergraphView),
            "summary": FrontierSummary(state=self.state),
        }

    def _main(self) -> Any:
        views = self._views
        self.state.param.watch(
            lambda event: unfold(self.state, "figures") if event.new else None,
            "is_figure_asked",
        )
        return staged(
            question_row(self.question, ABOUT),
            strip(
                (self._budget, 3, 240),
                (self._typed_budget, 0, 174),
                *trade_off_sliders(self.state),
            ),
            (views["plot"], ""),
            (views["hypergraph"], ""),
            answer=[
                views["summary"],
                AccountingNote(state=self.state),
                tracing_row(self.traces, self._traced()),
            ],
            working=[(self.traces, "Tracing frontiers"), (self.runs, "Other splits")],
            messages=messages(
                *(self.traces, self.marks, self.runs),
                Message(text=self.state.param.lost, kind="warning"),
            ),
            below=drawers(
                self.state,
                HOLDS,
                details=self._details,
                words=lambda: PlainText(state=self.state),
                compare=lambda: wide_column(
                    *(
                        part(self.context, self.state, views["plot"])
                        for part in (ComparePart, BroughtPart)
                    )
                ),
                figures=self.figures,
                away=self._away,
            ),
            line=pn.bind(self._data_line, self.state.param.dataset),
        )

    def _traced(self) -> Any:
        on = self.state.param

        def told(goes_on: bool, *_: Any) -> str:
            return plain(traced_text(self.state, goes_on=goes_on))

        return pn.bind(told, self.traces.param.busy, on.traces, on.methods)

    def _details(self) -> Any:
        views = self._made(inside=DecisionPart, table=PointsTable)
        verification = VerificationPart(
            self.context, self._selections, VERIFY, self._for_features
        )
        self.state.param.watch(verification.follow, CHOSEN_BY)
        table = Fold(POINTS_TITLE, views["table"], self.state, POINTS)
        parts = (table, views["inside"], verification)
        return pictures(*((framed(part), 12) for part in parts))

    def _away(self) -> Any:
        footprint = FootprintPart(self.context, lambda: deployable(self.state))
        self.state.param.watch(footprint.forget, CHOSEN_BY)
        away = take_away(self.state, self.context)
        return wide_column(away, footprint)

    def _data_line(self, data: Any) -> str:
        hypergraph = data.hypergraph
        blocks = len(set(hypergraph.connected_components()[1].tolist()))
        # Without kinds of columns the parts of the rows have nothing to tell.
        of_parts = () if data.schema is None else self.state.split().notes
        return plain(
            f"Data: {data.name}, {data.n_samples} rows, "
            f"{counted(data.n_features, 'feature')} in {counted(blocks, 'block')}, "
            f"{counted(hypergraph.n_components, 'component')}, "
            f"{cost_text(hypergraph.total_cost, data.unit)} for all. "
            + " ".join([data.costs_note, *data.notes, *of_parts])
        )

    def _tuned(self) -> Any:
        return frontier_controls(self.state, self.runs)


PAGE = FrontierPage.page("Frontier", "show_chart", 20, FrontierState)
