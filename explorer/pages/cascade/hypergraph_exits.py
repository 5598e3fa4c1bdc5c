"""Where rows leave the hypergraph cascade: right, wrong, or on to the next stage."""

from __future__ import annotations

from typing import Any

import panel as pn
import param
from panel.viewable import Viewer

from ...widgets.text import cost_text
from ...widgets.theme import PLOT_HEIGHT
from .exit_bars import ExitBars
from .state import CascadeState

__all__ = ["HypergraphExits"]


class HypergraphExits(Viewer):
    """One bar a stage, of the rows that reach it; stage 0 is the free answer."""

    state = param.ClassSelector(class_=CascadeState)
    dark = param.Boolean(default=False, doc="Whether the page is dark.")

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        self._bars = ExitBars("exits", first=0)
        self.state.param.watch(lambda *_: self._draw(), ["hyper", "policy"])
        self.param.watch(lambda event: self._bars.use_theme(dark=event.new), "dark")
        self._draw()
        self._bars.use_theme(dark=self.dark)

    def __panel__(self) -> pn.viewable.Viewable:
        return pn.pane.Bokeh(
            self._bars.figure, sizing_mode="stretch_width", height=PLOT_HEIGHT
        )

    def _draw(self) -> None:
        picture = self.state.hyper_picture
        if picture is None:
            return
        unit = picture.trained.dataset.unit
        self._bars.draw(
            {"right": picture.right, "wrong": picture.wrong, "on": picture.on},
            picture.n_rows,
            [picture.name(place) for place in range(picture.n_stages)],
            [cost_text(cost, unit) for cost in picture.costs],
        )
