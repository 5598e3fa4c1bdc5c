"""Parts of the selectivity page: its slider, and what is one click away."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bokeh.models import CustomJSTickFormatter

from solvers.methods.selective_ridge.chronometry import CONTENDERS
from solvers.values.knobs import Number, Switch

from ...session.context import Context
from ...session.on_demand import OnDemandPart
from ...widgets.controls import log_slider
from ...widgets.markup import markup
from ...widgets.text import plain
from .state import SelectivityState
from .streams import SMALLEST, TIMED_SIZES, GapPoint, counterexample, timings
from .text import counterexample_text

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
