"""The figures of TEFE's paper, each one click away."""

from __future__ import annotations

from functools import partial
from typing import Any

import panel as pn

from solvers.papers.cascades import FIGURES, Figure, trace_figure

from ...session.context import Context
from ...session.on_demand import OnDemandPart
from ...widgets.controls import button
from .images import figure_6, paint
from .paper_figure import CascadeFigure
from .state import CascadeState

ABOUT = (
    "<p>Each is computed here, on our scenes at the paper's costs; what the paper "
    "states in numbers stands beside. Its photographs are not free to copy.</p>"
)


class TEFEFiguresPart(OnDemandPart):
    """A button for each figure; one that a link asks for is shown as well."""

    title = "The paper's figures"
    doing = "Computing the figure"

    def __init__(
        self, context: Context, state: CascadeState, view: CascadeFigure, **params: Any
    ) -> None:
        super().__init__(context, **params)
        self.state, self._post, self._painting = state, context.post, context.job()
        self._done: dict[str, Figure] = {}
        self.about.object = ABOUT
        self.result.param.update(objects=[view], visible=True)
        state.param.watch(lambda *_: self.compute(), "asked")

    def controls(self) -> Any:
        """Return a button for each figure."""
        # All that it changes is drawn in one message.
        buttons = [
            button(
                title.split(":")[0],
                partial(self._post, partial(self._ask, name)),
                small=True,
            )
            for name, title in FIGURES.items()
        ]
        return pn.FlexBox(*buttons)

    def _ask(self, name: str) -> None:
        if self.state.asked == name:
            self.compute()
        self.state.asked = name

    def compute(self) -> None:
        """Show the figure that is asked for, computed once."""
        name = self.state.asked
        if name in self._done:
            self.job.cancel()
            self._draw(self._done[name])
        elif name:
            self.job.submit(lambda: trace_figure(name), self._arrived)

    def _arrived(self, figures: list[Figure]) -> None:
        last = figures[-1]
        self._draw(last)
        self.job.progress = last.share
        if last.findings:
            self._done[last.name] = last

    def _draw(self, found: Figure) -> None:
        self.state.figure = found
        rows = [row for column in figure_6(found.rounds).values() for row in column]
        missing = [row for row in rows if row not in self.state.images]
        if missing:
            self._painting.submit(lambda: paint(missing), self.state.take_images)
