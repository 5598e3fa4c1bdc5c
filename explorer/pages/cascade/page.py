"""The cascade page: when a prediction is sure enough to stop, by either exit rule."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import panel as pn
from bokeh.models import ColumnDataSource, CustomJSTickFormatter

from solvers.methods.tefe import TEFEClassifier
from solvers.papers.cascades import figure_studies

from ...compute.query import Asker
from ...session.context import Context
from ...session.footprint import FootprintPart
from ...session.page import SessionPage, is_another_table
from ...session.study_part import StudyPart
from ...session.take_away import script_view
from ...stage.frame import drawers, question_row, side_by_side, staged, strip
from ...widgets.controls import button, choice, share_slider, slider
from ...widgets.folds import Fold, unfold
from ...widgets.markup import Message, markup
from ...widgets.page_layout import framed, messages, pictures, progress_row
from ...widgets.painted import paint
from ...widgets.parts import wide_column, wide_row
from ...widgets.text import cost_text, plain
from . import QUESTION
from .all_exits import CHOSEN, STEP, AllExits
from .curves import CascadeLine, CascadeTiming, CascadeTradeoff
from .queries import HYPERGRAPH, RIVALS, THRESHOLD
from .result import PredictionRun
from .stages import (
    CascadeExamples,
    CascadeJourney,
    CascadeStages,
    HypergraphBands,
    RowBill,
    examples_of,
    stepping_buttons,
)
from .state import (
    BUYING,
    CONFIDENCES,
    METHODS,
    MODELS,
    OBJECTIVES,
    ORDERS,
    ROUTINGS,
    WAYS,
    CascadeState,
)
from .take_away import cascade_script, deployable, take_away
from .text import (
    CascadeRounds,
    CascadeStageTable,
    CascadeSummary,
    CascadeText,
    CascadeVerdict,
)
from .training import (
    SOURCES,
    TrainedCascade,
    TrainedHypergraph,
    missing_for_a_run,
    run_prediction,
)

# What the table of stages is called among the open panels.
STAGES = "stages"


class MethodPart(ABC):
    """Computations and pictures of one method."""

    method: str  # As the state's `way`
    training_label: str  # What the progress says
    slider: Any  # Moves rows

    def __init__(self, context: Context, state: CascadeState, training: Asker) -> None:
        self.state, self.post = state, context.post
        self.training, self.timing = training, context.job()
        self.exits = AllExits(state, self.method, context.job(), context.settle())
        self.both = {"state": state, "dark": context.session.param.dark}
        own = {**self.both, "method": self.method}
        self.views: dict[str, Any] = {
            "stages": CascadeStages(**own),
            "journey": CascadeJourney(**own),
            "bill": RowBill(state=state, method=self.method),
            "words": CascadeText(state=state, method=self.method),
            "table": CascadeStageTable(**own),
            "timing": CascadeTiming(**own),
            "summary": CascadeSummary(state=state, method=self.method),
        }

    # ----------------------------------------------------------------------- computing

    def run_one(self) -> None:
        """Run one prediction on a raw sample: of the row that is followed, at first."""
        result = self.state.result(self.method)
        if result is None:
            return
        first = self.state.followed(self.method)
        done = {run.row for run in self.state.runs_of(self.method)}

        def arrived(items: list[float | PredictionRun]) -> None:
            runs = [item for item in items if isinstance(item, PredictionRun)]
            self.state.take_runs(self.method, runs)
            last = items[-1]
            self.timing.progress = last if isinstance(last, float) else 1.0

        self.timing.submit(lambda: run_prediction(result, first, done), arrived)

    # ---------------------------------------------------------------------- laying out

    def drag(self, chosen: ColumnDataSource) -> None:
        """Let dragging stay in the browser: in this part's views, and a common ring."""
        stages, answer = self.views["stages"], self.views["summary"].__panel__()
        self.exits.wire(self.slider, stages, chosen, answer)

    def journey(self) -> Any:
        """Return one row's journey, with the buttons that step through it."""
        buttons = stepping_buttons(self.state, self.method, self.post)
        return wide_column(buttons, self.views["journey"])

    def bill(self) -> tuple[Any, int]:
        """Return what was bought for that row, and how wide it stands."""
        return framed(self.views["bill"], "The row's bill, feature by feature"), 12

    @abstractmethod
    def strip(self) -> Any:
        """Return what is played with."""

    @abstractmethod
    def tuned(self) -> Any:
        """Return what is set once."""

    @abstractmethod
    def details(self) -> Any:
        """Return pictures that say more."""

    def stages(self) -> Any:
        """Return the stages in numbers, folded."""
        return framed(Fold("Stages", self.views["table"], self.state, STAGES))

    def script(self) -> Any:
        """Return the script that computes what is on screen again."""
        return script_view("thriftscope_cascade.py", lambda: cascade_script(self.state))

    def prediction(self) -> Any:
        """Return the predictions that really stop early."""
        trained = self.state.param[METHODS[self.method].trained]
        need = trained.rx.pipe(missing_for_a_run, self.state.param.source)
        press = partial(self.post, self.run_one)
        run = button("Run one prediction", press, icon="speed", small=True)
        run.disabled = need != ""
        return wide_column(
            wide_row(run, progress_row(self.timing, "Running")),
            Message(text=need, kind="info"),
            Message(text=self.timing.param.message),
            self.views["timing"],
        )


HYPERGRAPH_ABOUT = (
    "Features are bought in the order of what they explain per cost that they add. "
    "After each stage one score u says how sure the answer is. Rows whose "
    "score lies in the band go on; all others leave. The bands are solved backwards "
    "from the last stage, so that expected errors plus a price of time are least. One "
    "training gives a set of such policies; the budget looks one up and trains nothing."
)
_OF_ALL = CustomJSTickFormatter(
    code="return (100 * tick).toFixed(1) + ' % of what all features cost'"
)


class HypergraphCascadePart(MethodPart):
    """Controls, computations and pictures of the hypergraph cascade."""

    method = "hypergraph"
    training_label = "Training the hypergraph cascade"

    def __init__(self, context: Context, state: CascadeState, training: Asker) -> None:
        super().__init__(context, state, training)
        label = "Runtime budget"
        self.slider = share_slider(state, "budget", label, STEP, _OF_ALL)
        self.views["bands"] = HypergraphBands(**self.both)

    def strip(self) -> Any:
        """Return the budget, which is played with."""
        return self.slider

    def tuned(self) -> Any:
        """Return the knobs, each of which trains again."""
        state = self.state
        return wide_column(
            choice(state, "buying", "Feature order", BUYING),
            choice(state, "model", "Model of a stage", MODELS),
            choice(state, "routing", "Routing before the first stage", ROUTINGS),
            choice(state, "objective", "Objective", OBJECTIVES),
        )

    def details(self) -> Any:
        """Return the pictures that the threshold's cascade does not have."""
        line = pn.bind(_training_line, self.state.param.hyper)
        about = markup(f"<p>{HYPERGRAPH_ABOUT}</p>"), markup(line)
        bands = wide_column(*about, self.views["bands"])
        return pictures(
            (framed(bands, "Between which scores rows go on"), 12),
            (framed(self.journey(), "One row's way"), 7),
            (framed(self.prediction(), "Run one prediction"), 5),
            self.bill(),
            (self.stages(), 12),
        )


def _training_line(trained: TrainedHypergraph | None) -> str:
    if trained is None:
        return "<p>The first cascade is being trained.</p>"
    model, unit = trained.model, trained.dataset.unit
    leaves = max(member.tree.n_leaves for member in model.members_)
    split = "" if leaves == 1 else f" One of them has {leaves} leaves."
    words = (
        f"Trained in {trained.seconds:.1f} s: {model.n_policies_} policies of "
        f"{len(model.members_)} cascades were compared on held-out training rows; "
        f"{len(model.policies_)} are left.{split} All features: "
        f"{cost_text(trained.full_cost, unit)}. Bars of a stage are scaled to its own "
        "longest; right answers lie to the right of its middle, wrong ones to the "
        "left; scores beyond the picture count at its ends."
    )
    return f"<p>{plain(words)}</p>"


TABLE_2 = "Table 2 of the paper, for these test rows"
# What panels are called among those that are open.
ROUNDS, FIGURES = "rounds", "figures"
_QUANTILE = CustomJSTickFormatter(code="return 'quantile ' + tick.toFixed(3)")
_PERCENT = CustomJSTickFormatter(code="return (100 * tick).toFixed(0) + ' % of all'")


class ThresholdPart(MethodPart):
    """Controls, computations and pictures of the cascade of one threshold."""

    method = "tefe"
    training_label = "Training the stages"

    def __init__(self, context: Context, state: CascadeState, training: Asker) -> None:
        super().__init__(context, state, training)
        self.painting = context.job()
        label = "Exit threshold"
        self.slider = share_slider(state, "share", label, STEP, _QUANTILE)
        self.views |= {
            "line": CascadeLine(**self.both),
            "verdict": CascadeVerdict(**self.both),
            "rounds": CascadeRounds(**self.both),
            "examples": CascadeExamples(state=state),
        }
        self.figures = StudyPart(context, figure_studies())
        # A link that asks for a figure shows it, and so says the link to the page.
        state.param.watch(self._figure_asked, "asked")
        self.figures.state.param.watch(self._figure_told, "is_figure_asked")
        state.param.watch(
            lambda *_: self._paint_images(), ["cascade", "rests", "cap", "row"]
        )

    def _figure_asked(self, event: Any) -> None:
        if event.new:
            unfold(self.state, FIGURES)
            self.figures.state.figure = event.new
            self.figures.state.is_figure_asked = True

    def _figure_told(self, event: Any) -> None:
        if event.new:
            self.state.asked = self.figures.state.figure

    def _paint_images(self) -> None:
        """Paint the pictures that are on the page and not there yet."""
        state, picture = self.state, self.state.picture
        if picture is None or not state.has_images:
            return
        threshold = picture.threshold(state.share)
        shown = [
            example.row
            for found in state.rounds()
            for example in examples_of(picture.cascade, picture.test, found, threshold)
        ]
        shown.append(int(picture.cascade.split.rows["test"][state.followed("tefe")]))
        missing = [row for row in dict.fromkeys(shown) if row not in state.images]
        if missing:
            self.painting.submit(lambda: paint(missing), state.take_images)

    def strip(self) -> Any:
        """Return the threshold, C and the cap, which are played with."""
        state = self.state
        return side_by_side(
            (self.slider, 2, 220),
            slider(state, "C", TEFEClassifier.knobs["C"]),
            share_slider(state, "cap", "Time cap", 0.01, _PERCENT),
        )

    def tuned(self) -> Any:
        """Return the knobs."""
        state = self.state
        return wide_column(
            choice(state, "order", "Feature order", ORDERS),
            choice(state, "confidence", "Confidence", CONFIDENCES),
        )

    def details(self) -> Any:
        """Return the pictures below the common ones."""
        views = self.views
        return pictures(
            (framed(views["verdict"], "Does the cascade beat a fixed prefix?"), 7),
            (framed(views["line"], "What a threshold costs"), 5),
            (framed(self.journey(), "One row's journey"), 7),
            (framed(self.prediction(), "Run one prediction"), 5),
            self.bill(),
            (framed(views["examples"], "Images of each exit"), 12),
            (self.stages(), 12),
            (framed(Fold(TABLE_2, views["rounds"], self.state, ROUNDS)), 12),
        )


ABOUT = (
    "A cascade computes features group by group, the next group only if the stage's "
    "classifier is not sure enough: a linear support vector machine (SVM) on all "
    "features so far (this is TEFE). The exit threshold says how sure is enough: "
    "moving it trains nothing, since one sort of the confidences gives cost and "
    "accuracy at every threshold. The slider counts in quantiles of the confidences of "
    "validation rows; all numbers are of test rows. The static prefix is the honest "
    "yardstick: the same SVMs, one of them for every row. Columns are centred and "
    "scaled by the training rows first."
)
# Names and headings of what stands in the drawers.
HOLDS = {
    "details": (STAGES, "Stages", ROUNDS, TABLE_2, "Run one prediction"),
}


class CascadePage(SessionPage):
    """The page of one session: lays out the views and starts the computations."""

    name = "cascade"
    question = QUESTION

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        session = context.session
        self.state = CascadeState(session_dataset=session.dataset)
        self.state.settle_by(context.settle())
        training = self._asks(THRESHOLD)
        self.rivals = self._asks(RIVALS)
        behind = self._asks(HYPERGRAPH, is_turn=self._may_train_hypergraph)
        for job in (training, self.rivals):
            job.param.watch(lambda *_: behind.ask(), "busy")
        self.threshold = ThresholdPart(context, self.state, training)
        self.hypergraph = HypergraphCascadePart(context, self.state, behind)
        self.parts_by_way = {"tefe": self.threshold, "hypergraph": self.hypergraph}
        self.tradeoff = CascadeTradeoff(state=self.state, dark=session.param.dark)
        chosen = self.tradeoff.hand_over([CHOSEN], self._is_drawn)[CHOSEN]
        for part in self.parts_by_way.values():
            part.drag(chosen)
        session.param.watch(self._dataset_changed, "dataset")
        self.state.param.watch(lambda event: self._name(event.new), "source")

    def _is_drawn(self) -> bool:
        """Return whether a browser moves what is chosen by itself."""
        # All are asked: each takes from the browser what is true no more.
        return any([part.exits.is_drawn() for part in self.parts_by_way.values()])

    def _may_train_hypergraph(self) -> bool:
        """Return whether it is looked at, or is a rival and all others have come."""
        state, others = self.state, (self.threshold.training, self.rivals)
        is_last = state.cascade is not None and not any(job.busy for job in others)
        return bool(state.way == "hypergraph" or is_last)

    # ------------------------------------------------------------------------ reacting

    def _dataset_changed(self, event: Any) -> None:
        self.state.session_dataset = event.new
        if is_another_table(event):
            self.state.source = "session"

    def _name(self, source: str) -> None:
        """Let the bar say what is learned from, where that is not the open problem."""
        self._asks_about("" if source == "session" else SOURCES[source])

    # ----------------------------------------------------------------------- laying out

    def _main(self) -> Any:
        exits = {way: p.views["stages"] for way, p in self.parts_by_way.items()}
        parts = self.parts_by_way
        return staged(
            question_row(self.question, ABOUT),
            strip(
                (self._by_way({way: p.strip() for way, p in parts.items()}), 6, 420),
                # Narrow, so that names of sliders stand on one line.
                (
                    choice(
                        self.state,
                        "way",
                        "Exit rule",
                        WAYS,
                        size="small",
                        min_height=44,
                    ),
                    *(0, 165),
                ),
            ),
            (self._by_way(exits), "Where each test row leaves"),
            (self.tradeoff, "Accuracy against cost, all thresholds"),
            answer=[self._of_each(lambda part: part.views["summary"])],
            working=[(p.training, p.training_label) for p in parts.values()],
            messages=messages(*(p.training for p in parts.values()), self.rivals),
            below=drawers(
                self.state,
                HOLDS,
                details=lambda: self._of_each(lambda part: part.details()),
                words=lambda: self._of_each(lambda part: part.views["words"]),
                figures=self._figures,
                away=self._away,
            ),
            line=pn.bind(_data_line, self.state.param.cascade),
        )

    def _away(self) -> Any:
        footprint = FootprintPart(self.context, lambda: deployable(self.state))
        self.state.param.watch(footprint.forget, "way")
        for method in METHODS:
            self.state.watch_rests(method, footprint.forget)
        script = self._of_each(lambda part: part.script())
        return wide_column(take_away(self.state), footprint, script)

    def _figures(self) -> Any:
        """Return the figures of the paper, which is on the cascade of one threshold."""
        way = self.state.param.way
        return wide_column(self.threshold.figures, visible=way.rx() == "tefe")

    def _of_each(self, content: Callable[[MethodPart], Any]) -> Any:
        """Return what both exit rules have, of which one is seen."""
        return self._by_way(
            {way: content(part) for way, part in self.parts_by_way.items()}
        )

    def _by_way(self, contents: Mapping[str, Any]) -> Any:
        """Return all of some parts, of which one is seen: that of the exit rule."""
        shown = {way: wide_column(content) for way, content in contents.items()}

        def show(*_: Any) -> None:
            for way, part in shown.items():
                part.visible = way == self.state.way

        self.state.param.watch(show, "way")
        show()
        return wide_column(*shown.values())

    def _tuned(self) -> Any:
        sources = {title: name for name, title in SOURCES.items()}
        return wide_column(
            choice(self.state, "source", "Data", sources),
            self._of_each(lambda part: part.tuned()),
        )


def _data_line(cascade: TrainedCascade | None) -> str:
    if cascade is None:
        return "Data: none are read yet."
    data, rows = cascade.dataset, cascade.split.rows
    features, n_columns = f"{data.n_features} features", cascade.n_columns
    if n_columns != data.n_features:
        features += f", learned from as {n_columns} columns,"
    counts = ", ".join(f"{len(rows[part])} {part}" for part in rows)
    return plain(
        f"Data: {data.name}, {len(data.classes)} classes, {features} "
        f"in {len(cascade.stage_names)} stages, "
        f"{cost_text(cascade.full_cost, data.unit)} for all; rows: {counts}. Stages "
        f"trained in {cascade.seconds:.2f} s. {data.costs_note}"
    )


PAGE = CascadePage.page("Early exit", "stairs", 30, CascadeState)
