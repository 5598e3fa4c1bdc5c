"""Parts of the selectivity page: slider, answer, tables, and what is one click away."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import param
from bokeh.models import CustomJSTickFormatter

from solvers.methods.selective_ridge.chronometry import CONTENDERS
from solvers.values.knobs import Number, Switch
from solvers.values.rounding import rounded

from ...session.context import Context
from ...session.on_demand import OnDemandPart
from ...widgets.controls import log_slider
from ...widgets.figure_view import StateTable, TextView
from ...widgets.markup import markup, summary_markup
from ...widgets.text import plain
from .state import SelectivityState
from .streams import (
    PATH_POINTS,
    SMALLEST,
    TIMED_SIZES,
    GapPoint,
    counterexample,
    timings,
)
from .text import ALGORITHM_TITLES, answer_of, certificate_text, counterexample_text

PRICED = Switch("Price features by cost (μᵢ = μ √cost)")
MU = Number("Selectivity μ", SMALLEST, 1.0, scale="log")
_SHARE = CustomJSTickFormatter(
    code="return Math.pow(10, tick).toPrecision(3) + ' of μ₀'"
)
TIME_CLAIM = (
    "the dual is linear in the number of features, the primal polynomial and extremely "
    "slow (Fig. 1). Here all learn from the first columns of 196 generated rows of the "
    "paper's size, with the loss, γ and share of μ₀ chosen; a solver that takes over "
    "1 s is not asked for more."
)
EXAMPLE_CLAIM = (
    "the active features repeat, eq. (32), only at the optimum. Two rows are enough to "
    "see otherwise: x = (1, −1), y = (1, −1), γ = 1, μ = 0.9, squared loss."
)


def claimed(claim: str) -> str:
    """Return what the paper claims, as such."""
    return f"<strong>As published:</strong> {plain(claim)}"


def mu_slider(state: SelectivityState) -> Any:
    """Return the slider of μ up to μ₀, which is another for every question.

    `state`: holds μ as a share of μ₀, so that the handle stays where it is.
    """
    widget = log_slider(state, "share", MU)
    # One for all questions; the summary says which μ it is. A format that is replaced
    # twice while the browser paints comes back from it, and the server knows it not.
    widget.format = _SHARE.clone()

    def tell(*_: Any) -> None:
        """Say what μ stands for: how many features are kept."""
        answer = state.answer
        kept = "" if answer is None else f" ({answer.kept} kept)"
        widget.label = f"{MU.label}{kept}"

    state.param.watch(tell, "answer")
    tell()
    return widget


class _OneClick(OnDemandPart):
    """What the paper claims, and a button that computes it."""

    claim: str

    def __init__(
        self, context: Context, state: SelectivityState, view: Any, **params: Any
    ) -> None:
        super().__init__(context, **params)
        self.state = state
        self.words = markup("", visible=False)
        self.about.object = claimed(self.claim)
        self.result.objects = [self.words, view]

    def _submit(
        self,
        work: Callable[[], Any],
        name: str,
        n_expected: int,
        on_done: Callable[[], None] | None = None,
    ) -> None:
        found: list[Any] = []  # What was there stays until the first one

        def arrived(items: list[Any]) -> None:
            self.result.visible = True
            found.extend(items)
            self.state.param.update(**{name: tuple(found)})
            self.job.progress = min(0.99, len(found) / n_expected)

        self.job.submit(work, arrived, on_done)


class CounterexamplePart(_OneClick):
    """Both algorithms on two rows."""

    title = "Where the published algorithm goes wrong"
    label = "Compute the counterexample"
    icon = "calculate"
    doing = "Running both"
    claim = EXAMPLE_CLAIM

    def compute(self) -> None:
        """Compute."""
        self._submit(counterexample, "rows", 10, self._say)

    def _say(self) -> None:
        rows: tuple[GapPoint, ...] = self.state.rows
        self.words.object = plain(counterexample_text(rows))
        self.words.visible = True


class TimingPart(_OneClick):
    """Seconds of the dual, the primal and scikit-learn for growing tables."""

    title = "Time against the number of features"
    label = "Time them on this machine"
    icon = "timer"
    doing = "Timing"
    claim = TIME_CLAIM

    def compute(self) -> None:
        """Compute."""
        question, share = self.state.question(), self.state.share
        n_expected = len(TIMED_SIZES) * len(CONTENDERS)
        self._submit(lambda: timings(question, share), "timings", n_expected)


class SelectivitySummary(TextView):
    """The answer in one line, as a live region."""

    state = param.ClassSelector(class_=SelectivityState)
    follows = ("answer", "path")
    margin, min_height = (4, 10), 28

    def _markup(self) -> str:
        lead, rest = answer_of(self.state.answer, self.state.path)
        return summary_markup(rest, lead=lead)


class GapSummary(TextView):
    """Primal, dual and gap, one sentence each."""

    state = param.ClassSelector(class_=SelectivityState)
    follows = ("answer",)
    min_height = 150

    def _markup(self) -> str:
        said = certificate_text(self.state.answer)
        return "".join(f"<p>{plain(sentence)}</p>" for sentence in said)


class PathTable(StateTable):
    """Every answer along the selectivity."""

    state = param.ClassSelector(class_=SelectivityState)
    caption, height = "Table of the path", 280
    columns = (
        "μ",
        "μ / μ₀",
        "Zero",
        "Boundary",
        "Ridge",
        "Balanced accuracy (training)",
        "Balanced accuracy (validation)",
        "Criterion",
        "Relative gap",
    )
    numbers = (True,) * len(columns)
    follows = ("path",)

    def _fill(self) -> None:
        path = self.state.path
        if len(path) not in (0, PATH_POINTS):
            return  # a table that grows under the eye cannot be read
        self._table.rows = [
            [
                rounded(item.fit.mu, 4),
                rounded(item.share),
                *(item.counts[state] for state in ("zero", "boundary", "ridge")),
                *(round(item.scores[part], 3) for part in ("training", "validation")),
                float(f"{item.fit.objective:.6g}"),
                float(f"{max(item.fit.relative_gap, 0.0):.1e}"),
            ]
            for item in path
        ]


class CounterexampleTable(StateTable):
    """Every iteration of both algorithms on two rows."""

    state = param.ClassSelector(class_=SelectivityState)
    caption, height = "Iterations on the counterexample", 200
    columns = ("Algorithm", "Iteration", "a", "Criterion", "Gap")
    numbers = (False, True, True, True, True)
    follows = ("rows",)

    def _fill(self) -> None:
        self._table.rows = [
            [
                ALGORITHM_TITLES[item.algorithm],
                item.iteration,
                round(item.coef, 6),
                round(item.objective, 6),
                float(f"{item.gap:.2e}"),
            ]
            for item in self.state.rows
        ]
