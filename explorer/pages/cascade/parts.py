"""The parts of the cascade page: what both methods have, and each of the two."""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import partial
from typing import Any

import panel as pn
from bokeh.models import CustomJSTickFormatter

from solvers.methods.tefe import TEFEClassifier
from solvers.papers.cascades import figure_studies

from ...compute.query import Asker
from ...figures.live import SceneView
from ...session.context import Context
from ...session.study_part import StudyPart
from ...session.take_away import script_view
from ...stage.frame import side_by_side
from ...widgets.controls import button, choice, share_slider, slider
from ...widgets.folds import Fold, unfold
from ...widgets.markup import Message, markup
from ...widgets.page_layout import framed, pictures, progress_row
from ...widgets.painted import paint
from ...widgets.parts import wide_column, wide_row
from ...widgets.text import cost_text, plain
from .all_exits import STEP, AllExits
from .curves import CascadeLine, CascadeTiming
from .journey import CascadeJourney, RowBill, stepping_buttons
from .result import PredictionRun
from .stages import CascadeExamples, CascadeStages, HypergraphBands, examples_of
from .state import (
    BUYING,
    CONFIDENCES,
    METHODS,
    MODELS,
    OBJECTIVES,
    ORDERS,
    ROUTINGS,
    CascadeState,
)
from .tables import CascadeRounds, CascadeStageTable, CascadeVerdict
from .take_away import cascade_script
from .text import CascadeSummary, CascadeText
from .training import TrainedHypergraph, missing_for_a_run, run_prediction

# What the table of stages is called among the open panels.
STAGES = "stages"


class MethodPart(ABC):
    """Computations and pictures of one method."""

    method: str  # As the state's `way`
    training_label: str  # What the progress says

    def __init__(self, context: Context, state: CascadeState, training: Asker) -> None:
        self.state, self.post = state, context.post
        self.training, self.timing = training, context.job()
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
        """Run one prediction on a raw sample."""
        result = self.state.result(self.method)
        if result is None:
            return
        count = len(self.state.runs_of(self.method))

        def arrived(items: list[float | PredictionRun]) -> None:
            runs = [item for item in items if isinstance(item, PredictionRun)]
            self.state.take_runs(self.method, runs)
            last = items[-1]
            self.timing.progress = last if isinstance(last, float) else 1.0

        self.timing.submit(lambda: run_prediction(result, count), arrived)

    # ---------------------------------------------------------------------- laying out

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


ABOUT = (
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
        self.views["bands"] = HypergraphBands(**self.both)

    def strip(self) -> Any:
        """Return the budget, which is played with."""
        return share_slider(self.state, "budget", "Runtime budget", 0.005, _OF_ALL)

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
        about = markup(f"<p>{ABOUT}</p>"), markup(line)
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
        self.exits = AllExits(state, context.job(), context.settle())
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

    def drag(self, tradeoff: SceneView) -> None:
        """Let dragging stay in the browser: in this part's views, and a common one."""
        stages, answer = self.views["stages"], self.views["summary"].__panel__()
        self.exits.wire(self.slider, stages, tradeoff, answer)

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
