"""The frontier page: what accuracy a budget can buy."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import panel as pn
from numpy.typing import NDArray

from solvers import FrontierPoint, Switch, all_methods
from solvers.methods.acafh import PENALTIES, ACAFHClassifier
from solvers.units import is_time

from ...session.autosave import opening_budget
from ...session.context import Context
from ...session.data_dialog import DataDialog
from ...session.footprint import FootprintPart
from ...session.gallery import DataGallery
from ...session.page import SessionPage
from ...session.verification import Selections, VerificationPart
from ...widgets.below_fold import BelowFold
from ...widgets.controls import (
    bind,
    bind_both,
    box_group,
    budget_field,
    budget_slider,
    button,
    choice,
    group_height,
    knob_widget,
    rename_budget,
    rescale_budget,
    slider,
)
from ...widgets.folds import Fold
from ...widgets.markup import markup
from ...widgets.page_layout import (
    framed,
    head,
    messages,
    page_body,
    pictures,
    progress_row,
)
from ...widgets.parts import wide_column, wide_row
from ...widgets.text import SCORES, budget_label, cost_text, counted, plain, score_text
from .budget_bars import BudgetBars
from .decision_part import CHOSEN_BY, DecisionPart
from .frontier_plot import FrontierPlot
from .hypergraph_view import HypergraphView
from .marking import mark_methods
from .offering import left_out, menu_of, scores_of
from .paper_figures import PaperFiguresPart
from .pinning import ComparePart
from .plain_text import PlainText
from .points_table import PointsTable
from .prices_part import PricesPart
from .settings_part import SettingsPart
from .state import FrontierState
from .streams import TraceItem, trace_methods
from .summary import AccountingNote, FrontierSummary, traced_text
from .take_away import deployable, take_away
from .tracing import Tracing

__all__ = ["PAGE", "FrontierPage"]

RETRACE = ["dataset", "methods", "p", "penalty", "refit", "threshold", "settings"]
REMARK = [*RETRACE, "alpha"]
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
    "frontier, on samples; shows predicted beside measured time."
)
# What the table of points is called among the open panels.
POINTS = "points"
PENALTY_TITLES = {penalty.title: name for name, penalty in PENALTIES.items()}
ACCOUNTINGS = {"mean over rows": "mean", "95th percentile": "p95", "worst row": "max"}
CHARGES = {
    "features": "features",
    "features and decision (a row alone)": "one_row",
    "features and decision (a row of many)": "batch_row",
}
MARGINS = {
    "none: validation rows decide": 0.0,
    "80 % of samples stay within": 0.8,
    "95 % of samples stay within": 0.95,
}
SPLITS = {"one": 1, "three: mean and spread": 3, "five: mean and spread": 5}
THRESHOLDS = {"best F1 on validation": "tuned", "the method's own": "default"}


class FrontierPage(SessionPage):
    """The page of one session: lays out the views and starts the computations."""

    name = "frontier"

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        session = context.session
        self.state = FrontierState(dataset=session.dataset)
        self.state.settle_by(context.settle())
        self.state.budget = self._opening_budget()
        self.traces = Tracing(context)
        self.marks = context.job()
        self.figures = PaperFiguresPart(context)
        for name in ("figure", "is_figure_asked"):
            bind_both(self.state, self.figures.state, name)
        self.runs = context.job()
        self._is_behind = False  # whether something was asked for while it was not seen
        self._views = self._build_views()
        full_cost, unit = session.dataset.hypergraph.total_cost, session.dataset.unit
        by_hand = {"reason": "budget"}
        self._budget = budget_slider(
            self.state, budget_label(unit), full_cost, unit, also=by_hand
        )
        self._typed_budget = budget_field(self.state, full_cost, unit, also=by_hand)
        session.param.watch(self._dataset_changed, "dataset")
        self.state.param.watch(
            lambda event: self._offer_budget(event.new.hypergraph.total_cost), "dataset"
        )
        self.state.param.watch(lambda *_: self.retrace(), RETRACE)
        self.state.param.watch(lambda *_: self.remark(), REMARK)
        self.state.param.watch(lambda *_: self.rerun(), [*RETRACE, "n_runs"])
        self.traces.param.watch(lambda *_: self.rerun(), "busy")
        self.state.param.watch(
            lambda _: self._offer_budget(self.state.full_cost()), "full"
        )

    # ----------------------------------------------------------------------- computing

    def start(self) -> None:
        """Compute what is not there yet, or was asked for while it was not seen."""
        if self._is_behind or not self.state.traces:
            self._is_behind = False
            self.retrace()
            self.remark()
            self.rerun()

    def _can_compute(self) -> bool:
        """Return whether it is seen; else `start` catches up: edits must not wait."""
        self._is_behind |= not self._is_in_front
        return self._is_in_front

    def retrace(self) -> None:
        """Trace the ticked methods whose frontier is not at hand."""
        if not self._can_compute():
            self.traces.cancel()
            return
        request = self.state.missing_traces()
        if request is None:
            self.traces.cancel()
            return
        self.traces.submit(request, self.state.collector())

    def remark(self) -> None:
        """Solve at exactly λ."""
        if not self._can_compute():
            self.marks.cancel()
            return
        request = self.state.missing_marks()
        if request is None:
            self.marks.cancel()
            return
        collect = self.state.mark_collector()
        self.marks.submit(lambda: mark_methods(request), collect)

    def rerun(self) -> None:
        """Trace on the other splits what has been traced on the first."""
        if not self._can_compute() or self.traces.busy:
            self.runs.cancel()
            return
        requests = self.state.missing_runs()
        if not requests:
            self.runs.cancel()
            return
        n_runs = sum(len(request.methods) for request in requests)
        collect, n_done = self.state.collector(), 0

        def arrived(items: list[TraceItem]) -> None:
            nonlocal n_done
            collect(items)
            n_done += sum(item.is_end for item in items)
            self.runs.progress = n_done / n_runs

        def work() -> Iterator[TraceItem]:
            for request in requests:
                yield from trace_methods(request)

        self.runs.submit(work, arrived, is_long=True)

    # ------------------------------------------------------------------------ reacting

    def _dataset_changed(self, event: Any) -> None:
        self.traces.cancel()
        self.marks.cancel()
        self.runs.cancel()
        # The same rows at other prices: the budget is still what can be spent.
        is_same_table = event.old is not None and event.new.y is event.old.y
        budget = self.state.budget if is_same_table else self._opening_budget()
        with pn.io.hold(policy="collect"):
            self.state.open_dataset(event.new, budget)

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

    def _of_table(self, point: FrontierPoint) -> NDArray[np.bool_]:
        """Return a point's features among those of the table, limits or not."""
        names = set(np.array(self.state.dataset.feature_names)[point.features])
        table = self.context.session.dataset.feature_names
        return np.array([name in names for name in table])

    def _opening_budget(self) -> float:
        return opening_budget(self.context.session.dataset.hypergraph)

    # ----------------------------------------------------------------------- laying out

    def _build_views(self) -> dict[str, Any]:
        return {
            **self._made(
                plot=FrontierPlot,
                hypergraph=HypergraphView,
                bars=BudgetBars,
                inside=DecisionPart,
                table=PointsTable,
            ),
            "words": PlainText(state=self.state),
            "summary": FrontierSummary(state=self.state),
        }

    def _main(self) -> Any:
        views, fold = self._views, BelowFold(self.context.post)
        verification = VerificationPart(
            self.context, self._selections, VERIFY, lambda: self.state.budget
        )
        comparing = ComparePart(self.context, self.state, views["plot"].pins)
        table = Fold("All points in a table", views["table"], self.state, POINTS)
        grid = pictures(
            (framed(views["plot"]), 7),
            (framed(views["hypergraph"]), 5),
            (fold, 12),
            (framed(views["bars"], post=fold.post), 7),
            (framed(self._away, post=fold.post), 5),
            (framed(views["words"], post=fold.post), 12),
            (framed(comparing, post=fold.post), 12),
            (framed(views["inside"], post=fold.post), 12),
            (framed(table, post=fold.post), 12),
            (framed(verification, post=fold.post), 12),
            (framed(self.figures, post=fold.post), 12),
        )
        return page_body(
            self._head(),
            wide_row(
                self._budget,
                self._typed_budget,
                min_height=64,
            ),
            views["summary"],
            AccountingNote(state=self.state),
            self.traces.row(self._traced()),
            *messages(self.traces, self.marks, self.runs),
            grid,
        )

    def _traced(self) -> Any:
        on = self.state.param
        return pn.bind(lambda *_: traced_text(self.state), on.traces, on.methods)

    def _away(self) -> Any:
        footprint = FootprintPart(self.context, lambda: deployable(self.state))
        self.state.param.watch(footprint.forget, CHOSEN_BY)
        away = take_away(self.state, self.context)
        return wide_column(away, footprint)

    def _head(self) -> Any:
        dialog = DataDialog(self.context)
        gallery = DataGallery(
            self.context, dialog.open, visible=self.context.session.is_first_visit
        )
        self.context.session.param.watch(
            lambda event: gallery.cards.param.update(visible=event.new),
            "is_first_visit",
        )
        change = button("Change data", dialog.open, icon="table_chart", margin=(4, 4))
        line = pn.bind(self._data_line, self.state.param.dataset)
        question = "Frontier: what accuracy can this budget buy?"
        return wide_column(head(question, ABOUT, line, change), dialog, gallery)

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

    def _menu(self) -> Any:
        state = self.state
        group = box_group(
            "Methods",
            options=_titles(state.dataset),
            value=state.methods,
            min_height=group_height(len(menu_of(state.dataset))),
        )
        bind(group, state, "methods")
        note = markup(_menu_note(state.dataset), margin=(0, 12))

        def follow(event: Any) -> None:
            if menu_of(event.new) != list(group.options.values()):
                group.param.update(
                    options=_titles(event.new),
                    value=state.methods,
                    min_height=group_height(len(menu_of(event.new))),
                )
            note.object = _menu_note(event.new)

        state.param.watch(follow, "dataset")
        return wide_column(group, note)

    def _axes(self) -> list[Any]:
        """Return the controls of both axes, with what the data have."""
        state = self.state
        score = choice(state, "score", "Score", _scores(state.dataset))
        charge = choice(state, "charge", "Charged", _charges(state.dataset))

        def follow(event: Any) -> None:
            for box, offered in (
                (score, _scores(event.new)),
                (charge, _charges(event.new)),
            ):
                if box.value not in offered.values():
                    box.value = next(iter(offered.values()))
                box.options = offered

        state.param.watch(follow, "dataset")
        return [
            score,
            charge,
            choice(state, "confidence", "Margin", MARGINS),
            knob_widget(state, "log_cost", Switch("Logarithmic cost")),
        ]

    def _controls(self) -> Any:
        state, knobs = self.state, ACAFHClassifier.knobs
        has_no_alpha = pn.bind(_solves_no_alpha, state.param.methods)
        has_no_p = pn.bind(_knows_no_p, state.param.methods, state.param.penalty)
        also = {"reason": "alpha"}
        return wide_column(
            slider(state, "alpha", knobs["alpha"], also=also, disabled=has_no_alpha),
            slider(state, "p", knobs["p"], disabled=has_no_p),
            self._menu(),
            SettingsPart(state),
            PricesPart(state=state),
            choice(state, "accounting", "Accounting", ACCOUNTINGS),
            *self._axes(),
            choice(state, "penalty", "Penalty", PENALTY_TITLES),
            choice(state, "threshold", "Decision threshold", THRESHOLDS),
            choice(state, "n_runs", "Splits", SPLITS),
            progress_row(self.runs, "Splits"),
            knob_widget(state, "refit", knobs["refit"]),
        )


def _solves_no_alpha(methods: list[str]) -> bool:
    return all(all_methods()[name].path_knob != "alpha" for name in methods)


def _knows_no_p(methods: list[str], penalty: str) -> bool:
    return penalty != "lp" or all(
        "p" not in all_methods()[name].knobs for name in methods
    )


def _scores(data: Any) -> dict[str, str]:
    known = scores_of(data)
    return {title: name for name, title in SCORES.items() if name in known}


def _charges(data: Any) -> dict[str, str]:
    return CHARGES if is_time(data.unit) else dict([next(iter(CHARGES.items()))])


def _titles(data: Any) -> dict[str, str]:
    return {all_methods()[name].title: name for name in menu_of(data)}


def _menu_note(data: Any) -> str:
    """Return which methods are missing where there are more than two classes."""
    missing = left_out(data)
    if not missing:
        return ""
    scored = "the mean over the classes"
    if data.positive is not None:
        scored = f"that of {data.positive} against the others"
    return (
        f"<p>{len(data.classes)} classes: methods that tell only two apart are left "
        f"out: {plain(', '.join(missing))}. F1 is {plain(scored)}.</p>"
    )


PAGE = FrontierPage.page("Frontier", "show_chart", 20, FrontierState)
