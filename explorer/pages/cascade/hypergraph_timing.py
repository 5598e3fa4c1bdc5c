"""Predictions of the hypergraph cascade that stop early: measured against charged."""

from __future__ import annotations

from typing import Any

import panel as pn
import param
from panel.viewable import Viewer

from ...widgets.markup import markup
from ...widgets.text import cost_text, plain
from .hypergraph_training import HypergraphRun
from .state import CascadeState
from .timing_plot import TimingPlot

__all__ = ["HypergraphTiming", "timing_text"]


class HypergraphTiming(Viewer):
    """One mark a prediction, beside the line on which charged is measured."""

    state = param.ClassSelector(class_=CascadeState)
    dark = param.Boolean(default=False, doc="Whether the page is dark.")

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        self._plot = TimingPlot("hypergraph_timing", "charged by the hypergraph")
        self._words = markup("", min_height=64)
        self.state.param.watch(lambda *_: self._draw(), "hyper_runs")
        self.param.watch(lambda event: self._plot.use_theme(dark=event.new), "dark")
        self._draw()
        self._plot.use_theme(dark=self.dark)

    def __panel__(self) -> pn.viewable.Viewable:
        return pn.Column(self._words, self._plot.pane, sizing_mode="stretch_width")

    def _draw(self) -> None:
        runs: list[HypergraphRun] = self.state.hyper_runs
        self._plot.draw(
            {
                "charged": [run.charged for run in runs],
                "measured": [run.measured for run in runs],
                "row": [run.row for run in runs],
                "stage": [run.journey.stops[-1].stage for run in runs],
                "label": [str(run.journey.label) for run in runs],
            }
        )
        self._words.object = f"<p>{plain(timing_text(self.state))}</p>"


def timing_text(state: CascadeState) -> str:
    """Return what the last prediction took, in words."""
    if not state.hyper_runs:
        return (
            "A prediction computes one stage's features after the other from the raw "
            "sample, and stops when its score leaves the interval. Run one to see what "
            "it takes here, beside what it is charged."
        )
    run = state.hyper_runs[-1]
    return (
        f"Row {run.row}, {run.truth}: {run.journey.label} at stage "
        f"{run.journey.stops[-1].stage}. Charged {cost_text(run.charged, 'us')}, "
        f"measured {cost_text(run.measured, 'us')}, of which the decisions take "
        f"{cost_text(run.deciding, 'us')}; median of nine. "
        f"{state.hyper.dataset.costs_note}"
    )
