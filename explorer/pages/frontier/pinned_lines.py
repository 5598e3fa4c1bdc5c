"""Pinned frontiers behind the frontier of now: muted, dashed, each with a mark."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bokeh.core.properties import value
from bokeh.models import ColumnDataSource
from bokeh.plotting import figure

from ...session.pins import MAX_PINS
from ...widgets.theme import palette
from .comparison import PinComparison
from .cost_axis import CostAxis

__all__ = ["PinnedLines"]

DASHES = ([7, 4], [2, 3], [10, 3, 2, 3])
MARKERS = ("square", "diamond", "inverted_triangle")
NOTHING: dict[str, list[float]] = {"x": [], "f1": []}


class PinnedLines:
    """The lines of the pins in a plot; made with the first pin, then only filled."""

    def __init__(self, plot: figure) -> None:
        self._plot = plot
        self._colour = palette(dark=False).quiet_text
        self._sources: list[ColumnDataSource] = []
        self._lines: list[Any] = []
        self._marks: list[Any] = []
        self._items: list[Any] = []

    def draw(self, comparisons: Sequence[PinComparison], axis: CostAxis) -> None:
        """Draw the pins that stand on the axis of now.

        `comparisons`: in the order of the pins; `axis`: where costs stand.
        """
        if comparisons and not self._items:
            self._build()
        for k, item in enumerate(self._items):
            found = comparisons[k] if k < len(comparisons) else None
            is_shown = found is not None and found.factor is not None
            if is_shown:
                item.label = value(f"pinned: {found.pin.name}")
                self._sources[k].data = _stairs(found, axis)
            for part in (item, self._lines[k], self._marks[k]):
                part.visible = is_shown

    def use_theme(self, *, dark: bool) -> None:
        """Take the colours of a theme."""
        self._colour = palette(dark).quiet_text
        for part in (*self._lines, *self._marks):
            part.glyph.line_color = self._colour

    def _build(self) -> None:
        self._sources = [ColumnDataSource(NOTHING) for _ in range(MAX_PINS)]
        self._lines = [self._line(k) for k in range(MAX_PINS)]
        self._marks = [self._mark(k) for k in range(MAX_PINS)]
        items = self._plot.legend[0].items
        self._items = [
            next(item for item in items if line in item.renderers)
            for line in self._lines
        ]

    def _line(self, k: int) -> Any:
        return self._plot.step(
            "x",
            "f1",
            source=self._sources[k],
            mode="after",
            line_width=2,
            line_dash=DASHES[k],
            line_color=self._colour,
            legend_label=f"pin {k + 1}",
            name=f"pin {k + 1}",
        )

    def _mark(self, k: int) -> Any:
        return self._plot.scatter(
            "x",
            "f1",
            source=self._sources[k],
            marker=MARKERS[k],
            size=6,
            fill_alpha=0,
            line_color=self._colour,
            legend_label=f"pin {k + 1}",
        )


def _stairs(found: PinComparison, axis: CostAxis) -> dict[str, list[float]]:
    """Return stairs: what is bought at a cost is still bought above it."""
    steps = found.pin.steps
    factor = 1.0 if found.factor is None else found.factor
    x = axis.places([step[1] * factor for step in steps]).tolist()
    f1 = [step[3] for step in steps]
    if x:
        x, f1 = [*x, max(axis.end, x[-1])], [*f1, f1[-1]]
    return {"x": x, "f1": f1}
