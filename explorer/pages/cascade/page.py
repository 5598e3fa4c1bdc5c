"""The cascade page: when a prediction is sure enough to stop."""

from __future__ import annotations

from typing import Any

import panel as pn
import panel_material_ui as pmui
from bokeh.models import CustomJSTickFormatter

from solvers.methods.tefe import TEFEClassifier

from ...session.context import Context
from ...session.page import Page, PageParts
from ...widgets.controls import bind, choice, slider
from ...widgets.message import Message
from ...widgets.page_layout import framed, head, pictures, progress_row
from ...widgets.text import cost_text, plain
from .examples import CascadeExamples
from .hypergraph_page import HYPERGRAPH_LINK, RETRAIN_HYPERGRAPH, HypergraphPart
from .hypergraph_state import WAYS
from .journey import CascadeJourney
from .line import CascadeLine
from .paper_figure import CascadeFigure
from .parts import (
    count_stops,
    figures_part,
    journey_part,
    paint_images,
    rows_left_wrong,
    timing_part,
)
from .rounds import CascadeRounds, CascadeStageTable
from .running import PredictionRun, run_prediction
from .stages import CascadeStages
from .state import CONFIDENCES, ORDERS, CascadeState
from .summary import CascadeSummary
from .timing import CascadeTiming
from .tradeoff import CascadeTradeoff
from .training import SOURCES, TrainedCascade, trace_rivals, train_cascade
from .verdict import CascadeVerdict

__all__ = ["PAGE", "CascadePage"]

RETRAIN = ["source", "session_dataset", "C", "order", "confidence"]
ABOUT = (
    "A cascade computes features group by group, the next group only if the stage's "
    "classifier is not sure enough: a linear support vector machine (SVM) on all "
    "features so far. The exit threshold says how sure is enough: moving it trains "
    "nothing, since one sort of the confidences gives cost and accuracy at every "
    "threshold. The slider counts in quantiles of the confidences of validation rows; "
    "all numbers are of test rows. The static prefix is the honest yardstick: the same "
    "SVMs, one of them for every row. Columns are centred and scaled by the "
    "training rows first."
)
LINK = {
    "source": "table",
    "share": "exit",
    "C": "C",
    "order": "order",
    "confidence": "confidence",
    "cap": "cap",
    **HYPERGRAPH_LINK,
    "asked": "figure",
}
_QUANTILE = CustomJSTickFormatter(
    code="return 'quantile ' + tick.toFixed(3) + ' of confidence'"
)
_PERCENT = CustomJSTickFormatter(code="return (100 * tick).toFixed(0) + ' % of all'")


class CascadePage:
    """The page of one session: lays out the views and starts the computations."""

    def __init__(self, context: Context) -> None:
        self.context = context
        session = context.session
        self.state = CascadeState(session_dataset=session.dataset)
        self.state.settle_by(context.settle())
        self.training, self.rivals = context.job(), context.job()
        self.painting, self.timing = context.job(), context.job()
        self.figures = context.job()
        self.hypergraph = HypergraphPart(context, self.state)
        self._views = self._build_views()
        session.param.watch(self._dataset_changed, "dataset")
        session.param.watch(self._theme_changed, "dark")
        watch = self.state.param.watch
        watch(lambda *_: self.retrain(), RETRAIN)
        watch(lambda *_: self._retrain_hypergraph(), ["way", *RETRAIN_HYPERGRAPH])
        watch(lambda *_: self._paint(), ["cascade", "rests", "cap", "row"])

    def parts(self) -> PageParts:
        """Return the page, its controls, what starts it and what a link restores."""
        return PageParts(self._main(), self._controls(), self.start, self.state, LINK)

    # ----------------------------------------------------------------------- computing

    def start(self) -> None:
        """Compute what is not there yet."""
        self.retrain()
        self._retrain_hypergraph()

    def retrain(self) -> None:
        """Train the cascade that is asked for, unless it is at hand."""
        if self.context.session.page != PAGE.name:
            return  # `start` catches up
        request = self.state.training_request()
        if request is None:
            self.training.cancel()
            self._trace_rivals()
            return

        def arrived(items: list[float | TrainedCascade]) -> None:
            for item in items:
                if isinstance(item, TrainedCascade):
                    self.state.take_cascade(item)
                else:
                    self.training.progress = item

        self.training.submit(
            lambda: train_cascade(request), arrived, self._trace_rivals
        )

    def _retrain_hypergraph(self) -> None:
        """Train the hypergraph cascade; behind the rivals where it is one of them."""
        state = self.state
        has_turn = state.way == "hypergraph" or (
            state.cascade is not None and not state.wants_rivals()
        )
        if self.context.session.page == PAGE.name and has_turn:
            self.hypergraph.retrain()

    def _trace_rivals(self) -> None:
        """Trace the rivals of the cascade that is shown, unless they are there."""
        cascade = self.state.cascade
        if cascade is None or not self.state.wants_rivals():
            return

        def end() -> None:
            self.state.end_rivals()
            self._retrain_hypergraph()

        self.rivals.submit(lambda: trace_rivals(cascade), self.state.take_rivals, end)

    def run_one(self) -> None:
        """Run one prediction on a raw sample."""
        picture = self.state.picture
        if picture is None:
            return
        model = picture.model(picture.threshold(self.state.share))
        cascade, count = picture.cascade, len(self.state.runs)

        def arrived(items: list[float | PredictionRun]) -> None:
            runs = [item for item in items if isinstance(item, PredictionRun)]
            self.state.take_runs(runs)
            self.timing.progress = 1.0 if runs else items[-1]

        self.timing.submit(lambda: run_prediction(cascade, model, count), arrived)

    def _paint(self) -> None:
        paint_images(self.state, self.painting)

    # ------------------------------------------------------------------------ reacting

    def _dataset_changed(self, event: Any) -> None:
        self.state.session_dataset = event.new

    def _theme_changed(self, event: Any) -> None:
        for view in (*self._views.values(), *self.hypergraph.views.values()):
            if "dark" in view.param:
                view.dark = event.new

    # ----------------------------------------------------------------------- laying out

    def _build_views(self) -> dict[str, Any]:
        both = {"state": self.state, "dark": self.context.session.dark}
        return {
            "tradeoff": CascadeTradeoff(**both),
            "stages": CascadeStages(**both),
            "line": CascadeLine(**both),
            "verdict": CascadeVerdict(**both),
            "journey": CascadeJourney(**both),
            "rounds": CascadeRounds(**both),
            "table": CascadeStageTable(**both),
            "timing": CascadeTiming(**both),
            "figure": CascadeFigure(**both),
            "summary": CascadeSummary(state=self.state),
            "examples": CascadeExamples(state=self.state),
        }

    def _main(self) -> Any:
        views, state = self._views, self.state
        post = self.context.post
        journey = journey_part(
            state,
            views["journey"],
            post,
            lambda: count_stops(state),
            lambda: rows_left_wrong(state),
        )
        figures = figures_part(
            state, self.figures, self.context.job(), views["figure"], post
        )
        timing = timing_part(self.run_one, self.timing, views["timing"], post)
        part = self.hypergraph
        leave = self._by_way(views["stages"], part.views["exits"])
        common = pictures(
            (framed(views["tradeoff"], "Accuracy against cost, all thresholds"), 7),
            (framed(leave, "Where rows leave"), 5),
        )
        grid = pictures(
            (framed(views["verdict"], "Does the cascade beat a fixed prefix?"), 7),
            (framed(views["line"], "What a threshold costs"), 5),
            (framed(journey, "One row's journey"), 7),
            (framed(timing, "Run one prediction"), 5),
            (framed(views["rounds"], "Table 2 of the paper, for these test rows"), 12),
            (framed(views["examples"], "Images of each exit"), 12),
            (framed(views["table"], "Stages"), 12),
            (framed(figures, "The paper's figures"), 12),
        )
        threshold = pn.Column(
            self._threshold_slider(), views["summary"], sizing_mode="stretch_width"
        )
        return pn.Column(
            self._head(),
            self._by_way(threshold, part.head()),
            progress_row(self.training, "Training the stages"),
            part.progress(),
            Message(text=self.training.param.message),
            Message(text=self.rivals.param.message),
            common,
            self._by_way(grid, part.grid()),
            sizing_mode="stretch_width",
            margin=(0, 8),
        )

    def _by_way(self, threshold: Any, hypergraph: Any) -> Any:
        """Return both of two parts, of which one is seen: that of the exit rule."""
        parts = {
            "tefe": pn.Column(threshold, sizing_mode="stretch_width"),
            "hypergraph": pn.Column(hypergraph, sizing_mode="stretch_width"),
        }

        def show(*_: Any) -> None:
            for way, part in parts.items():
                part.visible = way == self.state.way

        self.state.param.watch(show, "way")
        show()
        return pn.Column(*parts.values(), sizing_mode="stretch_width")

    def _head(self) -> Any:
        question = "Cascade: when is a prediction sure enough to stop?"
        line = pn.bind(_data_line, self.state.param.cascade)
        return head(question, ABOUT, line)

    def _threshold_slider(self) -> Any:
        widget = pmui.FloatSlider(
            label="Exit threshold",
            start=0.0,
            end=1.0,
            step=0.005,
            value=0.5,
            format=_QUANTILE.clone(),
            sizing_mode="stretch_width",
            margin=(4, 12),
        )
        return bind(widget, self.state, "share")

    def _controls(self) -> Any:
        state, knobs = self.state, TEFEClassifier.knobs
        cap = pmui.FloatSlider(
            label="Time cap",
            start=0.0,
            end=1.0,
            step=0.01,
            value=1.0,
            format=_PERCENT.clone(),
            sizing_mode="stretch_width",
            margin=(4, 12),
        )
        sources = {title: name for name, title in SOURCES.items()}
        thresholds = pn.Column(
            choice(state, "order", "Feature order", ORDERS),
            choice(state, "confidence", "Confidence", CONFIDENCES),
            slider(state, "C", knobs["C"]),
            bind(cap, state, "cap"),
            sizing_mode="stretch_width",
        )
        return pn.Column(
            choice(state, "way", "Exit rule", WAYS),
            choice(state, "source", "Data", sources),
            self._by_way(thresholds, self.hypergraph.controls()),
            sizing_mode="stretch_width",
        )


def _data_line(cascade: TrainedCascade | None) -> str:
    if cascade is None:
        return "Data: being read."
    data, rows = cascade.dataset, cascade.split.rows
    counts = ", ".join(f"{len(rows[part])} {part}" for part in rows)
    return plain(
        f"Data: {data.name}, {len(data.classes)} classes, {data.n_features} features "
        f"in {len(cascade.stage_names)} stages, "
        f"{cost_text(cascade.full_cost, data.unit)} for all; rows: {counts}. Stages "
        f"trained in {cascade.seconds:.2f} s. {data.costs_note}"
    )


PAGE = Page(
    "cascade",
    "Cascade",
    "stairs",
    30,
    lambda context: CascadePage(context).parts(),
    CascadeState,
    tuple(LINK),
)
