"""The picture of a lesson: one figure for all of them, patched in place."""

from __future__ import annotations

import panel as pn
import param
from bokeh.models import CustomJS, HoverTool

from ...figures.lesson import NOTHING, lesson_scene
from ...figures.live import SceneView
from ...figures.picture import Key, named_colour
from ...figures.scene import Layer, Scene
from ...widgets.glossary import explained
from ...widgets.markup import markup
from ...widgets.page_layout import HERO_SHARE, high
from ...widgets.parts import wide_column
from ...widgets.theme import PLOT_HEIGHT, palette
from .spoken import TELL, lit_by
from .state import LessonsState


class LessonPicture(SceneView):
    """Bars, lines, marks and words of what has been computed last."""

    state = param.ClassSelector(class_=LessonsState)

    called = "lesson"
    height = PLOT_HEIGHT
    # On a phone there is room left for the question and its answers.
    style = high(HERO_SHARE, 380, 300)
    legend = ""
    has_words = False
    follows = ("shown",)

    def __panel__(self) -> pn.viewable.Viewable:
        return wide_column(self._pane, self._key)

    def _build(self) -> None:
        super()._build()
        self._key = markup("", min_height=24)
        told = CustomJS(code=TELL)
        self._told = HoverTool(renderers=[], tooltips=None, callback=told)
        self.figure.add_tools(self._told)

    def _add(self, layer: Layer) -> None:
        super()._add(layer)
        if "keys" in layer.columns:
            drawn = self._renderers[layer.name]
            self._told.renderers = [*self._told.renderers, drawn]

    def scene(self) -> Scene:
        """Return the picture; its legend stands below, and lights what it names."""
        shown = self.state.shown
        picture = NOTHING if shown is None else shown.picture
        keys = "".join(self._entry(i, key) for i, key in enumerate(picture.key))
        self._key.object = f'<div class="legend">{keys}</div>'
        return lesson_scene(picture)

    def _use_theme(self) -> None:
        super()._use_theme()
        self._draw()  # Of the legend

    def _entry(self, place: int, key: Key) -> str:
        shown = f"{self._swatch(key)}{explained(key.name)}"
        return f"<span {lit_by([place])}>{shown}</span>"

    def _swatch(self, key: Key) -> str:
        colour, shapes = named_colour(key.colour, self.dark), ""
        if key.dash:
            dash = {"dashed": "6 4", "dotted": "2 4", "dashdot": "7 3 2 3"}
            pattern = dash.get(key.dash, "none")
            shapes += (
                f'<path d="M0 8h28" stroke="{colour}" stroke-width="2.5" '
                f'stroke-dasharray="{pattern}"/>'
            )
        if key.marker:
            fill = colour if key.filled else "none"
            shapes += (
                f'<path d="{_OUTLINES[key.marker]}" stroke="{colour}" '
                f'stroke-width="1.8" fill="{fill}"/>'
            )
        if not shapes:
            shapes = f'<rect x="4" y="2" width="20" height="12" fill="{colour}"/>'
            if key.hatch:
                ground = palette(self.dark).background
                shapes += f'<path d="M6 14l8-12M14 14l8-12" stroke="{ground}"/>'
        return f'<svg width="28" height="16" aria-hidden="true">{shapes}</svg>'


_OUTLINES = {
    "circle": "M14 3a5 5 0 1 0 .01 0z",
    "square": "M9.500 3.500h9v9h-9z",
    "triangle": "M14 3l5.500 9.500h-11z",
    "diamond": "M14 2.500l4.500 5.500-4.500 5.500-4.500-5.500z",
    "star": "M14 2l1.800 4h4.200l-3.300 2.700 1.300 4.300-4-2.600-4 2.600"
    " 1.300-4.300-3.300-2.700h4.200z",
    "x": "M10 4l8 8M18 4l-8 8",
}
