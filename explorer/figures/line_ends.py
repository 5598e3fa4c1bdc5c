"""Names at the ends of lines, beside the frame of a figure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from bokeh.models import CustomJS, GlyphRenderer, Legend
from bokeh.plotting import figure
from numpy.typing import NDArray

from ..widgets.theme import Role
from .scene import Axis, End

# Room at the right for what stands at the ends of lines; a figure that is not much
# wider has a legend below instead.
ENDS_WIDTH, NARROW = 150, 560
# Names at the ends of lines keep this distance, in pixels.
LINE_HEIGHT = 15
# What a figure takes beside its frame, in pixels: tools above, axis below.
AROUND = 70

_FIT_ENDS = """
const is_narrow = plot.outer_width < narrow
for (const one of plot.renderers) if (one.name === "end") one.visible = !is_narrow
legend.visible = is_narrow
plot.min_border_right = is_narrow ? 5 : wide
"""
# What stands at the ends of lines stands there in a range that is moved by hand, too.
_FOLLOW_ENDS = """
for (const one of plot.renderers) {
  if (one.name !== "end") continue
  const source = one.data_source, data = source.data
  const [y, text] = data.get ? [data.get("y"), data.get("text")] : [data.y, data.text]
  source.data = { x: Array.from(y, () => cb_obj.end), y, text }
}
"""


class LineEnds:
    """What stands at the ends of lines; a narrow figure has a legend instead.

    `layer`: adds a glyph to the figure; `paint` colours it by roles of the theme.
    """

    def __init__(
        self, layer: Callable[..., GlyphRenderer], paint: Callable[..., Any]
    ) -> None:
        self._layer, self._paint = layer, paint
        self._ends: tuple[End, ...] = ()
        self._axes: Any = None  # That they stand at
        self.texts: list[GlyphRenderer] = []

    def draw(self, ends: Sequence[End], x: Axis, y: Axis, height: int) -> bool:
        """Draw names at the right end of `x`; return whether a glyph was added.

        `height`: of the figure, in pixels.
        """
        if (*ends,) == self._ends and (not ends or (x, y) == self._axes):
            return False
        self._ends, self._axes = (*ends,), (x, y)
        frame = (height - AROUND) / (y.high - y.low)
        places = spread([end.at for end in ends], LINE_HEIGHT / frame)
        # Text has one colour a layer.
        rows: dict[Role, list[tuple[float, str]]] = {}
        for end, at in zip(ends, places.tolist(), strict=True):
            rows.setdefault(end.role, []).append((at, end.text))
        n_before = len(self.texts)
        while len(self.texts) < len(rows):
            self.texts.append(self._text())
        told = [*rows.items(), *[("text", [])] * (len(self.texts) - len(rows))]
        for text, (role, said) in zip(self.texts, told, strict=True):
            self._paint(text, text_color=role)
            text.data_source.data = {
                "x": [x.high] * len(said),
                "y": [at for at, _ in said],
                "text": [word for _, word in said],
            }
        return len(self.texts) > n_before

    def _text(self) -> GlyphRenderer:
        return self._layer(
            "text",
            *("x", "y"),
            told=["text"],
            text="text",
            text_color="text",
            text_font_size="12px",
            text_baseline="middle",
            x_offset=6,
            # Beside the frame, where glyphs are cut off.
            level="overlay",
            name="end",
        )


def leave_room(plot: figure, legend: Legend) -> None:
    """Leave room for names at the right edge; a narrow figure has a legend."""
    plot.min_border_right, legend.visible = ENDS_WIDTH, False
    fit = {"plot": plot, "legend": legend, "narrow": NARROW}
    fits = CustomJS(args={**fit, "wide": ENDS_WIDTH}, code=_FIT_ENDS)
    plot.js_on_change("outer_width", fits)
    follow = CustomJS(args={"plot": plot}, code=_FOLLOW_ENDS)
    plot.x_range.js_on_change("end", follow)


def spread(places: Sequence[float], gap: float) -> NDArray[np.float64]:
    """Return places as near as can be to these, no two nearer than a gap.

    Where they crowd, a group is centred on the mean of what it stands for.
    """
    order = np.argsort(places, kind="stable")
    groups: list[tuple[float, int]] = []  # Mean of the wanted first places, count
    for at in order:
        mean, count = float(places[at]), 1
        while groups and mean - (count - 1) * gap / 2 < (
            groups[-1][0] + (groups[-1][1] - 1) * gap / 2 + gap
        ):
            other, many = groups.pop()
            mean = (mean * count + other * many) / (count + many)
            count += many
        groups.append((mean, count))
    placed = np.empty(len(order))
    placed[order] = [
        mean + (k - (count - 1) / 2) * gap
        for mean, count in groups
        for k in range(count)
    ]
    return placed
