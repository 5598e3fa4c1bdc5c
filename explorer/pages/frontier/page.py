"""The frontier page: what accuracy a budget can buy."""

from __future__ import annotations

from typing import Any

import panel as pn
import panel_material_ui as pmui

from solvers import all_methods
from solvers.methods.acafh import ACAFHClassifier

from ...session.autosave import OPENING_BUDGET
from ...session.context import Context
from ...session.data_dialog import DataDialog
from ...session.declared import kept_names, link_names
from ...session.page import Page, SessionPage
from ...session.verification import Selections, VerificationPart
from ...widgets.controls import (
    bind,
    bind_both,
    budget_slider,
    choice,
    knob_widget,
    rescale_budget,
    slider,
)
from ...widgets.markup import markup
from ...widgets.page_layout import (
    framed,
    head,
    messages,
    page_body,
    pictures,
    progress_row,
)
from ...widgets.text import cost_text, plain
from .accounting_note import AccountingNote
from .budget_bars import BudgetBars
from .frontier_plot import FrontierPlot
from .hypergraph_view import HypergraphView
from .marking import mark_methods
from .menus import menu_of
from .paper_figures import PaperFiguresPart
from .pinning import ComparePart
from .points_table import PointsTable
from .runs import RunItem, trace_runs
from .settings_part import SettingsPart
from .state import FrontierState
from .summary import FrontierSummary
from .take_away import take_away
from .tracing import Tracing

__all__ = ["PAGE", "FrontierPage"]

RETRACE = ["dataset", "methods", "p", "penalty", "refit", "threshold", "settings"]
REMARK = [*RETRACE, "alpha"]
ABOUT = (
    "Each line is a method; each of its marks is a model, placed by what one "
    "prediction costs and by its F1 on rows that neither training nor selection has "
    "seen. A line joins the models that no other of the same method beats on "
    "validation rows. Drag the dashed line, or the budget slider: the best model "
    "that the budget pays for is ringed, and the hypergraph shows what it computes, "
    "shared components once. Trade-off λ solves again at exactly that λ and marks "
    "the model with a cross."
)
VERIFY = (
    "Runs the extractor cut down to the chosen point, and to every other point of the "
    "frontier, on samples; shows predicted beside measured time."
)
# The other scalars of this page stand in every link.
LINK = link_names(FrontierState)
PENALTIES = {"l_p quasi-norm": "lp", "MCP": "mcp", "SCAD": "scad"}
ACCOUNTINGS = {"mean over rows": "mean", "95th percentile": "p95", "worst row": "max"}
SPLITS = {"one": 1, "three: mean and spread": 3, "five: mean and spread": 5}
THRESHOLDS = {"best F1 on validation": "tuned", "the method's own": "default"}


class FrontierPage(SessionPage):
    """The page of one session: lays out the views and starts the computations."""

    name = "frontier"
    link = LINK

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        session = context.session
        self.state = FrontierState(dataset=session.dataset)
        self.state.settle_by(context.settle())
        self.state.budget = self._opening_budget()
        self.traces = Tracing(context)
        self.marks = context.job()
        self.figures = PaperFiguresPart(context)
        bind_both(self.state, self.figures.state, "figure")
        self.runs = context.job()
        self._views = self._build_views()
        self._budget = budget_slider(
            self.state,
            "Runtime budget",
            session.dataset.hypergraph.total_cost,
            session.dataset.unit,
            also={"reason": "budget"},
        )
        session.param.watch(self._dataset_changed, "dataset")
        self.state.param.watch(lambda *_: self.retrace(), RETRACE)
        self.state.param.watch(lambda *_: self.remark(), REMARK)
        self.state.param.watch(lambda *_: self.rerun(), [*RETRACE, "n_runs"])
        self.traces.param.watch(lambda *_: self.rerun(), "busy")

    # ----------------------------------------------------------------------- computing

    def start(self) -> None:
        """Compute what is not there yet."""
        if not self.state.traces:
            self.retrace()
            self.remark()

    def retrace(self) -> None:
        """Trace the ticked methods whose frontier is not at hand."""
        if not self._is_in_front:
            return  # `start` catches up: edits elsewhere must not wait for this
        request = self.state.missing_traces()
        if request is None:
            self.traces.cancel()
            return
        self.traces.submit(request, self.state.collector())

    def remark(self) -> None:
        """Solve at exactly λ."""
        if not self._is_in_front:
            return
        request = self.state.missing_marks()
        if request is None:
            self.marks.cancel()
            return
        collect = self.state.mark_collector()
        self.marks.submit(lambda: mark_methods(request), collect)

    def rerun(self) -> None:
        """Trace on the other splits what has been traced on the first."""
        if not self._is_in_front or self.traces.busy:
            self.runs.cancel()
            return
        request = self.state.run_request()
        if request is None:
            self.runs.cancel()
            return
        collect, n_done = self.state.run_collector(), 0

        def arrived(items: list[RunItem | None]) -> None:
            nonlocal n_done
            collect(items)
            n_done += sum(item is not None for item in items)
            self.runs.progress = n_done / len(request.runs)

        self.runs.submit(lambda: trace_runs(request), arrived, is_long=True)

    # ------------------------------------------------------------------------ reacting

    def _dataset_changed(self, event: Any) -> None:
        self.traces.cancel()
        self.marks.cancel()
        self.runs.cancel()
        # The same rows at other prices: the budget is still what can be spent.
        is_same_table = event.old is not None and event.new.y is event.old.y
        budget = self.state.budget if is_same_table else self._opening_budget()
        with pn.io.hold(policy="collect"):
            full_cost = event.new.hypergraph.total_cost
            self.state.open_dataset(event.new, min(budget, full_cost))
            rescale_budget(self._budget, full_cost, event.new.unit)

    def _selections(self) -> Selections:
        chosen = self.state.chosen()
        found = {} if chosen is None else {"Chosen point": chosen.point.features}
        for point in self.state.frontier().undominated():
            title = all_methods()[point.method].title
            price = cost_text(point.cost["mean"], self.state.dataset.unit)
            name = f"{title}, F1 {point.scores['test']['f1']:.3f} at {price}"
            found[name] = point.features
        return found

    def _opening_budget(self) -> float:
        return OPENING_BUDGET * self.context.session.dataset.hypergraph.total_cost

    # ----------------------------------------------------------------------- laying out

    def _build_views(self) -> dict[str, Any]:
        dark = self.context.session.dark
        return {
            "plot": FrontierPlot(state=self.state, dark=dark),
            "hypergraph": HypergraphView(state=self.state, dark=dark),
            "bars": BudgetBars(state=self.state, dark=dark),
            "table": PointsTable(state=self.state),
            "summary": FrontierSummary(state=self.state),
        }

    def _main(self) -> Any:
        views = self._views
        verification = VerificationPart(self.context, self._selections, VERIFY)
        grid = pictures(
            (framed(views["plot"]), 7),
            (framed(views["hypergraph"]), 5),
            (framed(views["bars"]), 7),
            (framed(take_away(self.state, self.context)), 5),
            (framed(ComparePart(self.context, self.state, views["plot"].figure)), 12),
            (framed(views["table"]), 12),
            (framed(verification), 12),
            (framed(self.figures), 12),
        )
        return page_body(
            self._head(),
            pn.Column(self._budget, sizing_mode="stretch_width", min_height=64),
            views["summary"],
            AccountingNote(state=self.state),
            self.traces.row(),
            *messages(self.traces, self.marks, self.runs),
            grid,
        )

    def _head(self) -> Any:
        dialog = DataDialog(self.context)
        change = pmui.Button(
            label="Change data",
            variant="outlined",
            icon="table_chart",
            on_click=lambda _: dialog.open(),
            margin=(4, 4),
        )
        line = pn.bind(_data_line, self.context.session.param.dataset)
        question = "Frontier: what accuracy can this budget buy?"
        return pn.Column(
            head(question, ABOUT, line, change), dialog, sizing_mode="stretch_width"
        )

    def _menu(self) -> Any:
        state = self.state
        group = pmui.CheckBoxGroup(
            label="Methods",
            options=_titles(state.dataset),
            value=state.methods,
            margin=(4, 12),
        )
        bind(group, state, "methods")
        note = markup(_menu_note(state.dataset), margin=(0, 12))

        def follow(event: Any) -> None:
            if menu_of(event.new) != list(group.options.values()):
                group.param.update(options=_titles(event.new), value=state.methods)
            note.object = _menu_note(event.new)

        state.param.watch(follow, "dataset")
        return pn.Column(group, note, sizing_mode="stretch_width")

    def _controls(self) -> Any:
        state, knobs = self.state, ACAFHClassifier.knobs
        return pn.Column(
            slider(state, "alpha", knobs["alpha"], also={"reason": "alpha"}),
            slider(state, "p", knobs["p"]),
            self._menu(),
            SettingsPart(state),
            choice(state, "accounting", "Accounting", ACCOUNTINGS),
            choice(state, "penalty", "Penalty", PENALTIES),
            choice(state, "threshold", "Decision threshold", THRESHOLDS),
            choice(state, "n_runs", "Splits", SPLITS),
            progress_row(self.runs, "Splits"),
            knob_widget(state, "refit", knobs["refit"]),
            sizing_mode="stretch_width",
        )


def _titles(data: Any) -> dict[str, str]:
    return {all_methods()[name].title: name for name in menu_of(data)}


def _menu_note(data: Any) -> str:
    """Return which methods are missing where there are more than two classes."""
    left_out = len(all_methods()) - len(menu_of(data))
    if not left_out:
        return ""
    return (
        f"<p>{len(data.classes)} classes: the {left_out} methods that tell only two "
        "apart are not listed. F1 is the mean over the classes.</p>"
    )


def _data_line(data: Any) -> str:
    hypergraph = data.hypergraph
    blocks = len(set(hypergraph.connected_components()[1].tolist()))
    return plain(
        f"Data: {data.name}, {data.n_samples} rows, {data.n_features} features in "
        f"{blocks} blocks, {hypergraph.n_components} components, "
        f"{cost_text(hypergraph.total_cost, data.unit)} for all. "
        + " ".join([data.costs_note, *data.notes])
    )


PAGE = Page(
    FrontierPage.name,
    "Frontier",
    "show_chart",
    20,
    lambda context: FrontierPage(context).parts(),
    FrontierState,
    kept_names(FrontierState),
)
