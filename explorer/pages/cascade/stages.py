"""Where rows leave the cascade: right, wrong, or on to the next stage."""

from __future__ import annotations

from typing import Any

import panel as pn
import param
from panel.viewable import Viewer

from ...widgets.text import cost_text
from ...widgets.theme import PLOT_HEIGHT
from .exit_bars import ExitBars
from .state import CascadeState

__all__ = ["CascadeStages"]


class CascadeStages(Viewer):
    """One bar a stage, of the rows that reach it."""

    state = param.ClassSelector(class_=CascadeState)
    dark = param.Boolean(default=False, doc="Whether the page is dark.")

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        self._bars = ExitBars("stages", first=1)
        self.state.param.watch(
            lambda *_: self._draw(), ["cascade", "confidence", "cap", "share"]
        )
        self.param.watch(lambda event: self._bars.use_theme(dark=event.new), "dark")
        self._draw()
        self._bars.use_theme(dark=self.dark)

    def __panel__(self) -> pn.viewable.Viewable:
        return pn.pane.Bokeh(
            self._bars.figure, sizing_mode="stretch_width", height=PLOT_HEIGHT
        )

    def _draw(self) -> None:
        outcome, picture = self.state.outcome(), self.state.picture
        if outcome is None or picture is None:
            return
        test, cascade = picture.test, picture.cascade
        self._bars.draw(
            {"right": outcome.right, "wrong": outcome.wrong, "on": outcome.on},
            test.n_rows,
            cascade.stage_names[: test.n_stages],
            [cost_text(cost, cascade.dataset.unit) for cost in test.stage_costs],
        )
