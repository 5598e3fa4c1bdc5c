"""The steps of cost-sensitive inference, their bounds, and what they prove."""

from __future__ import annotations

from typing import Any

import param
from bokeh.models import ColumnDataSource, DataRange1d

from solvers.markov import InferenceTrace

from ...figures.structured_style import structured_style
from ...widgets.figure_view import FigureView
from ...widgets.markup import markup
from ...widgets.still_figure import legend_below, still_figure
from ...widgets.text import plain
from .state import StructuredState

HEIGHT = 250


class TracePlot(FigureView):
    """Objective and lower bound of every step."""

    state = param.ClassSelector(class_=StructuredState)

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        self.figure = still_figure(
            height=HEIGHT,
            x_axis_label="step",
            y_axis_label="objective (nats)",
            y_range=DataRange1d(range_padding=0.25),
            name="trace",
        )
        self.figure.xaxis.ticker.update(min_interval=1, num_minor_ticks=0)
        self._steps = ColumnDataSource({"x": [0], "upper": [0.0], "lower": [0.0]})
        line = {"source": self._steps, "width": 2.5, "size": 9}
        self._marked_line(
            "x",
            "upper",
            structured_style("CSMN"),
            marker="circle",
            legend_label="objective G(y)",
            **line,
        )
        self._marked_line(
            "x",
            "lower",
            "quiet_text",
            marker="inverted_triangle",
            dash="dashed",
            legend_label="lower bound",
            **line,
        )
        legend_below(self.figure)
        self._drawn: Any = None
        self._text = markup("", min_height=92)
        self._watch_state(self._draw, ["run", "method", "shown"])
        self._draw()

    def _draw(self) -> None:
        state, run = self.state, self.state.run
        found = None if run is None else run.inference(state.method, state.shown)
        if found is None:
            if run is not None and run.is_complete:
                self._text.object = (
                    "<p>No ticked method infers in two steps: tick CSMN.</p>"
                )
            return
        method, trace = found
        if trace is self._drawn:
            return  # a result of another method has come
        self._drawn = trace
        self._steps.data = {
            "x": [step.index for step in trace.steps],
            "upper": [step.objective for step in trace.steps],
            "lower": [step.lower_bound for step in trace.steps],
        }
        badges = " ".join(
            f'<span class="badge {kind}">{plain(text)}</span>'
            for kind, text in trace_badges(trace)
        )
        self._text.object = (
            f'<div class="badges">{badges}</div>'
            f"<p>{plain(trace_text(state.title(method), trace))}</p>"
        )


def trace_badges(trace: InferenceTrace) -> list[tuple[str, str]]:
    """Return how an inference ended, as kinds and words."""
    ended = {None: ("bad", "no labelling came back"), 1: ("good", "fixed point")}
    cycle = ended.get(trace.period, ("bad", f"cycle of {trace.period}"))
    certificate = {
        "exact": ("good", "certified: no labelling has a smaller objective"),
        "bethe": ("good", "smallest Bethe objective"),
        "none": ("plain", f"gap of {trace.gap:.2f} nats"),
    }[trace.certificate]
    return [cycle, certificate]


def trace_text(method: str, trace: InferenceTrace) -> str:
    """Return the steps of an inference in words."""
    steps = "step" if len(trace.steps) == 1 else "steps"
    kind = "" if trace.exact else " (for the Bethe objective)"
    return (
        f"{method}: {len(trace.steps)} {steps}; the labels of step "
        f"{trace.best.index} are kept, {trace.objective:.2f} nats, at most "
        f"{trace.gap:.2f} above the least there is{kind}."
    )
