"""What the page has of either method: training, views of its result, one prediction."""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import partial
from typing import Any

from ...compute.query import Asker
from ...session.context import Context
from ...session.take_away import script_view
from ...widgets.controls import button
from ...widgets.folds import Fold
from ...widgets.markup import Message
from ...widgets.page_layout import framed, progress_row
from ...widgets.parts import wide_column, wide_row
from .cascade_text import CascadeText
from .curves import CascadeTiming
from .journey import CascadeJourney, stepping_buttons
from .result import PredictionRun
from .row_bill import RowBill
from .running import missing_for_a_run, run_prediction
from .stages import CascadeStages
from .state import METHODS, CascadeState
from .summary import CascadeSummary
from .tables import CascadeStageTable
from .take_away import cascade_script

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
