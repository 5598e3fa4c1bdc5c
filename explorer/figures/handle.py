"""What a hand takes hold of in a live figure."""

from __future__ import annotations

from collections.abc import Callable
from math import isclose, log
from typing import Any

from bokeh.models import BoxAnnotation, CustomJS, LogScale, Node, Span

from .live import SceneView

# What can be taken hold of, on each side of the line, as a share of the axis; and below
# the axis, in pixels, where the lower half of the knob is.
REACH, BELOW = 0.035, 14
# From this share of the axis on the word stands left of the line, and how far from it.
TURNS, ASIDE = 0.7, 10
# Line and knob stay under the hand, and the server hears of the line. What it has sent
# itself is there already.
_FOLLOW = """
const { left, right } = grip
const isLog = plot.x_scale.type === "LogScale"
const place = isLog ? Math.sqrt(left * right) : (left + right) / 2
if (Math.abs(place - line.location) <= 1e-9 * Math.abs(right)) return
line.location = place
for (const source of [knob, label]) {
  const columns = source.data.entries?.() ?? Object.entries(source.data)
  const data = { ...Object.fromEntries(columns), x: [place] }
  source.setv({ data }, { sync: false })
}
"""


class Handle:
    """A line across a figure that a hand drags along the x axis, with a grip on it.

    The grip is a box: Bokeh takes hold of a wide span beside its line, and at the axis
    not at all.
    """

    def __init__(self, view: SceneView, dragged: Callable[[float], None]) -> None:
        self._plot, self._dragged = view.figure, dragged
        self._put: Any = None
        self._place: float | None = None
        self.line = view._paint(
            Span(dimension="height", line_width=2.5, line_dash="dashed"),
            line_color="budget",
        )
        self.line.on_change("location", self._moved)
        self.grip = BoxAnnotation(
            top=Node(target="frame", symbol="top"),
            bottom=Node(target="frame", symbol="bottom", offset=BELOW),
            editable=True,
            resizable="none",
            movable="x",
            fill_alpha=0.0,
            line_alpha=0.0,
        )
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
            x_offset=ASIDE,
            y_offset=-10,
            level="overlay",
        )
        view._in_front += [self._knob, self._label]
        follow = CustomJS(
            args={
                **{"plot": self._plot, "grip": self.grip, "line": self.line},
                "knob": self._knob.data_source,
                "label": self._label.data_source,
            },
            code=_FOLLOW,
        )
        # It changes last of what is sent, and of what a hand moves.
        self.grip.js_on_change("right", follow)
        for end in ("start", "end"):
            self._plot.x_range.on_change(end, lambda attr, old, new: self._surround())

    def put(self, place: float, y: float, text: str) -> None:
        """Let the line stand at a place, its knob at a height, with a word beside."""
        # As a hand has put it, but for rounding, it is there already.
        if self._place is None or not isclose(self._place, place, rel_tol=1e-9):
            self._place = self.line.location = place
            self._surround()
        if self._put == (place, y, text):
            return
        self._put = place, y, text
        self._knob.data_source.data = {"x": [place], "y": [y]}
        self._label.data_source.data = {"x": [place], "y": [y], "text": [text]}

    def _surround(self) -> None:
        """Let the grip stand around the line, as wide as a finger."""
        place, share = self._place, self._share()
        if place is None or share is None:
            return
        x = self._plot.x_range
        if isinstance(self._plot.x_scale, LogScale):
            factor = (x.end / x.start) ** REACH
            self.grip.update(left=place / factor, right=place * factor)
        else:
            half = REACH * (x.end - x.start)
            self.grip.update(left=place - half, right=place + half)
        self._turn_word(share)

    def _share(self) -> float | None:
        """Return how much of the axis is left of the line; None before it has ends."""
        place, x = self._place, self._plot.x_range
        if place is None or x.start is None or x.end is None or x.start == x.end:
            return None
        if not isinstance(self._plot.x_scale, LogScale):
            return float((place - x.start) / (x.end - x.start))
        if min(place, x.start, x.end) <= 0:  # the axis is on its way
            return None
        return log(place / x.start) / log(x.end / x.start)

    def _turn_word(self, share: float | None) -> None:
        """Let the word stand where there is room for it."""
        is_left = share is not None and share > TURNS
        align, offset = ("right", -ASIDE) if is_left else ("left", ASIDE)
        self._label.glyph.update(text_align=align, x_offset=offset)

    def _moved(self, attr: str, old: Any, new: float) -> None:
        if new != self._place:
            # The grip is under the hand already, and may be further by now.
            self._place = new
            self._turn_word(self._share())
            # Knob and word have gone along: they are told even where they stood.
            self._put = None
            for drawn in (self._knob, self._label):
                dict.clear(drawn.data_source.data)
            self._dragged(new)
