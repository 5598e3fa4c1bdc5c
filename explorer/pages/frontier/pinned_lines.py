"""Pinned frontiers behind the frontier of now: muted, dashed, each with a mark."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from bokeh.core.properties import value
from bokeh.models import GlyphRenderer, Legend, LegendItem

from ...session.pins import MAX_PINS
from .comparison import PinComparison
from .cost_axis import CostAxis

DASHES = ([7, 4], [2, 3], [10, 3, 2, 3])
MARKERS = ("square", "diamond", "inverted_triangle")
MUTED = {"line_color": "quiet_text"}


class PinnedLines:
    """The lines of the pins in a plot; made with the first pin, then only filled.

    `layer`: adds one to the plot; `legend`: says which is which.
    """

    def __init__(self, layer: Callable[..., GlyphRenderer], legend: Legend) -> None:
        self._layer, self._legend = layer, legend
        self._pins: list[tuple[GlyphRenderer, GlyphRenderer, LegendItem]] = []

    def draw(self, comparisons: Sequence[PinComparison], axis: CostAxis) -> None:
        """Draw the pins that stand on the axis of now.

        `comparisons`: in the order of the pins; `axis`: where costs stand.
        """
        if comparisons and not self._pins:
            self._pins = [self._pin(k) for k in range(MAX_PINS)]
        for k, (line, mark, item) in enumerate(self._pins):
            found = comparisons[k] if k < len(comparisons) else None
            factor = None if found is None else found.factor
            if found is not None and factor is not None:
                steps = found.pin.steps
                item.label = value(f"pinned: {found.pin.name}")
                line.data_source.data = axis.stairs(
                    [factor * step[1] for step in steps], [step[3] for step in steps]
                )
            for part in (line, mark, item):
                part.visible = factor is not None

    def _pin(self, k: int) -> tuple[GlyphRenderer, GlyphRenderer, LegendItem]:
        dash, name = DASHES[k], f"pin {k + 1}"
        steps = {"mode": "after", "line_width": 2, "line_dash": dash, "name": name}
        line = self._layer("step", "x", "f1", **steps, **MUTED)
        marks = {"marker": MARKERS[k], "size": 6, "fill_alpha": 0}
        source = line.data_source
        mark = self._layer("scatter", "x", "f1", source=source, **marks, **MUTED)
        item = LegendItem(label=name, renderers=[line, mark])
        self._legend.items = [*self._legend.items, item]
        return line, mark, item
