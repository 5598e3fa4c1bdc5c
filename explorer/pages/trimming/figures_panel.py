"""Figures of the trimming page that take a while: one click, with progress."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from solvers.bayes import LearnedClassifier
from solvers.values.rounding import number

from ...session.context import Context
from ...session.on_demand import OnDemandPart
from ...widgets.markup import markup
from ...widgets.parts import wide_row
from ...widgets.text import plain
from .figures import compare, measure_efforts, scatter
from .log import TrimmingQuestion
from .scenes import ScatterView, ThresholdsView
from .state import TrimmingState
from .tables import EffortsTable

Work = Callable[
    [TrimmingQuestion, LearnedClassifier | None], Iterator[tuple[float, Any]]
]


class FigurePart(OnDemandPart):
    """A figure with the button that computes it.

    `work`: takes question and rows; yields shares and partial results.
    `gathers`: whether results are gathered in a list, or the last one counts.
    """

    def __init__(
        self,
        context: Context,
        state: TrimmingState,
        *,
        title: str,
        label: str,
        view: Any,
        work: Work,
        gathers: bool,
        **params: Any,
    ) -> None:
        self.title, self.label, self.doing = title, label, label
        super().__init__(context, **params)
        self._state, self._work, self._gathers = state, work, gathers
        self.view = view
        # Hidden while it is empty: a frame of nothing says less than the button.
        self.result.objects = [view]
        self._of: TrimmingQuestion | None = None
        self._note = markup("<p>Not computed yet.</p>", min_height=24)
        state.param.watch(lambda *_: self._date(), "log")

    def controls(self) -> Any:
        """Return the button, and what the figure was computed for."""
        return wide_row(self.start, self._note)

    def compute(self) -> None:
        """Compute the figure for what is asked now."""
        question = self._state.question()
        if question is None:
            return
        learned, found = self._state.opened.learned, []

        def arrived(items: list[tuple[float, Any]]) -> None:
            self.job.progress = items[-1][0]
            found.extend(result for _, result in items if result is not None)
            if found:
                self._of = question
                self.view.result = list(found) if self._gathers else found[-1]
                self.result.visible = True
                self._date()

        self.job.submit(lambda: self._work(question, learned), arrived)

    def _date(self) -> None:
        """Say what the figure was computed for, and whether that is still asked."""
        if self._of is None:
            return
        log, of = self._state.log, self._of
        now = log.question if log is not None else of
        is_old = of.original is not now.original or (
            (of.threshold, of.budget) != (now.threshold, now.budget)
        )
        old = " An earlier question: compute again." if is_old else ""
        self._note.object = plain(
            f"At T = {number(of.threshold)}, B = {number(of.budget)}.{old}"
        )


def figure_parts(context: Context, state: TrimmingState) -> dict[str, FigurePart]:
    """Return the figures that are computed on demand, by name."""
    return {
        "scatter": FigurePart(
            context,
            state,
            title="Does agreeing mean being accurate? (Fig. 5)",
            label="Score every affordable set",
            view=ScatterView(dark=context.session.param.dark),
            work=scatter,
            gathers=False,
        ),
        "thresholds": FigurePart(
            context,
            state,
            title="Against FS-SDD and information gain (Fig. 7)",
            label="Compare over thresholds",
            view=ThresholdsView(dark=context.session.param.dark),
            work=lambda question, _: compare(question),
            gathers=True,
        ),
        "efforts": FigurePart(
            context,
            state,
            title="How much is searched (Table 6)",
            label="Measure against exhaustive search",
            view=EffortsTable(),
            work=lambda question, _: measure_efforts(question),
            gathers=True,
        ),
    }
