"""Predictions that really stop early: measured against predicted time."""

from __future__ import annotations

from typing import Any

import panel as pn
import param
from panel.viewable import Viewer

from ...widgets.markup import markup
from ...widgets.text import cost_text, plain
from .running import PredictionRun
from .state import CascadeState
from .timing_plot import TimingPlot

__all__ = ["CascadeTiming"]


class CascadeTiming(Viewer):
    """One mark a prediction, and the same rows when nobody stops them."""

    state = param.ClassSelector(class_=CascadeState)
    dark = param.Boolean(default=False, doc="Whether the page is dark.")

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        self._plot = TimingPlot(
            "timing",
            "predicted: what the hypergraph charges",
            ("stops when sure", "goes to the end"),
        )
        self._words = markup("", min_height=64)
        self.state.param.watch(lambda *_: self._draw(), "runs")
        self.param.watch(lambda event: self._plot.use_theme(dark=event.new), "dark")
        self._draw()
        self._plot.use_theme(dark=self.dark)

    def __panel__(self) -> pn.viewable.Viewable:
        return pn.Column(self._words, self._plot.pane, sizing_mode="stretch_width")

    def _draw(self) -> None:
        runs: list[PredictionRun] = self.state.runs
        told: dict[str, list[Any]] = {
            "row": [run.row for run in runs],
            "stage": [run.journey.stage + 1 for run in runs],
            "label": [str(run.journey.label) for run in runs],
        }
        early = {
            "charged": [run.predicted for run in runs],
            "measured": [run.measured for run in runs],
        }
        whole = {
            "charged": [run.full_predicted for run in runs],
            "measured": [run.full_measured for run in runs],
        }
        self._plot.draw({**early, **told}, {**whole, **told})
        self._words.object = f"<p>{plain(_sentence(self.state, runs))}</p>"


def _sentence(state: CascadeState, runs: list[PredictionRun]) -> str:
    if not runs:
        return (
            "A prediction computes one group of features after the other from the raw "
            "sample, and stops when it is sure. Run one to see what it takes here."
        )
    run = runs[-1]
    return (
        f"Row {run.row}, {run.truth}: {run.journey.label} at stage "
        f"{run.journey.stage + 1}. Predicted {cost_text(run.predicted, 'us')} "
        f"({100 * run.predicted / run.full_predicted:.0f} % of the whole way), "
        f"measured {cost_text(run.measured, 'us')} "
        f"({100 * run.measured / run.full_measured:.0f} % of the whole way, "
        f"{cost_text(run.full_measured, 'us')}), decisions included; median of nine. "
        f"{state.cascade.dataset.costs_note}"
    )
