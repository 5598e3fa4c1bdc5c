"""What a hand takes hold of in a live figure."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bokeh.models import Span

from .live import SceneView

# How wide the hand may miss a line that it can drag, in pixels.
GRIP = 44


class Handle:
    """A line across a figure that a hand drags along the x axis, with a grip on it."""

    def __init__(self, view: SceneView, dragged: Callable[[float], None]) -> None:
        self._plot, self._dragged = view.figure, dragged
        self._put: Any = None
        self.line = view._paint(
            Span(dimension="height", line_width=2.5, line_dash="dashed"),
            line_color="budget",
        )
        # What is drawn is thin; what can be taken hold of is as wide as a finger.
        self.grip = Span(
            dimension="height", editable=True, line_width=GRIP, line_alpha=0.0
        )
        self.grip.js_link("location", self.line, "location")
        self.grip.on_change("location", self._moved)
        for part in (self.line, self.grip):
            self._plot.add_layout(part)
        self._knob = view._layer(
            "scatter",
            *("x", "y"),
            marker="circle",
            size=18,
            fill_color="budget",
            line_color="background",
            line_width=1.5,
            level="overlay",
            name="budget",
        )
        self._label = view._layer(
            "text",
            *("x", "y"),
            told=["text"],
            text="text",
            text_color="text",
            text_font_size="14px",
            text_font_style="bold",
            text_baseline="bottom",
            background_fill_color="background",
            background_fill_alpha=0.8,
            x_offset=10,
            y_offset=-10,
            level="overlay",
        )
        view._in_front += [self._knob, self._label]

    def put(self, place: float, y: float, text: str) -> None:
        """Let the line stand at a place, its knob at a height, with a word beside."""
        if self.grip.location != place:
            self.line.location = self.grip.location = place
        if self._put == (place, y, text):
            return
        self._put = place, y, text
        self._knob.data_source.data = {"x": [place], "y": [y]}
        self._label.data_source.data = {"x": [place], "y": [y], "text": [text]}

    def _moved(self, attr: str, old: Any, new: float) -> None:
        if new != self.line.location:
            self.line.location = new
            self._dragged(new)
