"""The part of the cascade page where rows leave by one threshold (TEFE)."""

from __future__ import annotations

from typing import Any

from bokeh.models import CustomJSTickFormatter

from solvers.methods.tefe import TEFEClassifier
from solvers.papers.cascades import figure_studies

from ...compute.query import Asker
from ...figures.live import SceneView
from ...session.context import Context
from ...session.study_part import StudyPart
from ...stage.frame import side_by_side
from ...widgets.controls import choice, share_slider, slider
from ...widgets.folds import Fold, unfold
from ...widgets.page_layout import framed, pictures
from ...widgets.painted import paint
from ...widgets.parts import wide_column
from .all_exits import STEP, AllExits
from .curves import CascadeLine
from .images import CascadeExamples, examples_of
from .method_part import MethodPart
from .state import CONFIDENCES, ORDERS, CascadeState
from .tables import CascadeRounds, CascadeVerdict

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
            (self.slider, 2, 200),
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
