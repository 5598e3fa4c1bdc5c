"""What a lesson shows: its picture, its texts, and what they light in each other."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import panel as pn
import param
from bokeh.models import CustomJS, HoverTool
from panel.custom import JSComponent

from ...figures.lesson import DASHES, NOTHING, lesson_scene
from ...figures.live import SceneView
from ...figures.picture import Key, named_colour
from ...figures.scene import Layer, Scene
from ...stage.presenting import LARGER
from ...widgets.assets import asset
from ...widgets.figure_view import TextView
from ...widgets.markup import explained, markup
from ...widgets.page_layout import HERO_SHARE, high
from ...widgets.parts import wide_column
from ...widgets.tables import plain_table, table_markup
from ...widgets.text import plain
from ...widgets.theme import PLOT_HEIGHT, palette
from .state import LessonsState

TABLE_HEIGHT = 250
RECALLED = "This is what was answered first; Try again asks anew."


class _LessonPart(TextView):
    """A pane that is written anew whenever what it says may have changed."""

    state = param.ClassSelector(class_=LessonsState)

    def _spoken(self, text: str) -> str:
        """Return text as HTML whose clauses light what the picture shows of them."""
        lesson = self.state.now
        return spoken(text, self.state.keys, lesson.said, lesson.names)


class LessonQuestion(_LessonPart):
    """What the lesson is about, its world and its question: nothing that answers it."""

    follows = ("lesson", "shown")

    def _markup(self) -> str:
        lesson = self.state.now
        return (
            f'<p class="world">{self._spoken(lesson.world)}</p>'
            f'<p class="question">{self._spoken(lesson.question)}</p>'
        )


class LessonClaim(_LessonPart):
    """Claim, idea and limit; nothing before the answer is revealed."""

    follows = ("verdict", "shown")

    def _markup(self) -> str:
        lesson = self.state.now
        if self.state.verdict is None:
            return ""
        return (
            f'<h2 class="claim">{explained(lesson.title)}</h2><div class="claimed">'
            f"<p>{self._spoken(lesson.text)}</p>"
            f"<p><strong>Its limit.</strong> {self._spoken(lesson.limit)}</p></div>"
        )


class LessonSummary(_LessonPart):
    """The picture in words, for those who cannot see it and for all others."""

    follows = ("shown",)
    min_height = 48

    def _markup(self) -> str:
        shown = self.state.shown
        said = self._spoken(shown.summary) if shown else "Computing."
        return f'<p role="status">{said}</p>'


class LessonVerdict(_LessonPart):
    """Whether the guess was right, and why."""

    follows = ("verdict", "guess", "shown")

    def _markup(self) -> str:
        state = self.state
        if state.verdict is None:
            hint = (
                "Pick an answer, then reveal what is computed."
                if state.guess < 0
                else "Reveal computes the answer and shows where to see it."
            )
            return f'<div role="status"><p>{hint}</p></div>'
        lesson, right = state.now, state.verdict.right
        answer = plain(lesson.answers[right])
        if state.is_right:
            told = '<p><span class="badge good">Right</span> '
        else:
            told = '<p><span class="badge bad">Not so</span> '
            if state.guess >= 0:
                told += f"{self._spoken(lesson.supposes[state.guess])} "
        told += f"The answer is: <strong>{answer}</strong>."
        told += f" {RECALLED}</p>" if state.is_recalled else "</p>"
        why = self._spoken(state.verdict.why)
        return f'<div role="status" class="verdict">{told}<p>{why}</p></div>'


class LessonTable(_LessonPart):
    """The numbers behind the picture."""

    follows = ("shown",)

    def _empty_pane(self) -> pn.pane.HTML:
        return plain_table(TABLE_HEIGHT)

    def _markup(self) -> str:
        shown = self.state.shown
        if shown is None:
            return ""
        numbers = [False, *([True] * (len(shown.columns) - 1))]
        return table_markup(
            "Numbers behind the picture", shown.columns, shown.rows, numbers
        )


class LessonPicture(SceneView):
    """Bars, lines, marks and words of what has been computed last."""

    state = param.ClassSelector(class_=LessonsState)

    called = "lesson"
    height = PLOT_HEIGHT
    # On a phone there is room left for the question and its answers.
    style = high(f"var(--lesson-height, {HERO_SHARE})", 380, 300)
    legend = ""
    has_words = False
    follows = ("shown",)

    def __panel__(self) -> pn.viewable.Viewable:
        return wide_column(self._pane, wide_column(self._key, stylesheets=[LARGER]))

    def _build(self) -> None:
        super()._build()
        self._key = markup("", min_height=24)
        told = CustomJS(code=TELL)
        self._told = HoverTool(renderers=[], tooltips=None, callback=told)
        self.figure.add_tools(self._told)

    def _add(self, layer: Layer) -> None:
        super()._add(layer)
        drawn = self._renderers[layer.name]
        if layer.name in DASHES:
            drawn.glyph.line_dash = DASHES[layer.name]
        if "keys" in layer.columns:
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
            pattern = " ".join(map(str, DASHES[key.dash])) or "none"
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


#: How clauses call an entry of the legend, by its name, beside that name itself.
Phrases = Mapping[str, Sequence[str]]

#: Of a hover tool: what the mouse is on in the picture. The browser keeps all of it.
TELL = """
const data = cb_data.renderer.data_source.data
const keys = data.get ? data.get("keys") : data.keys
const { indices, line_indices } = cb_data.index
const places = [...new Set([...indices, ...(line_indices ?? [])])]
const detail = { from: cb_data.renderer.id, keys: places.flatMap(i => keys[i] ?? []) }
document.dispatchEvent(new CustomEvent("lesson-picture", { detail }))
"""
# Clauses, rather than sentences: many set one mark against another. Not after "Fig.".
_CLAUSE = re.compile(r"(?<=[.;:?])(?<!Fig\.)\s+")


class LessonLights(JSComponent):
    """An invisible part of the page that sees what the mouse or the focus is on."""

    _esm = asset("lesson_lights.js")


def keys_of(clause: str, keys: Sequence[Key], phrases: Phrases) -> list[int]:
    """Return the places in the legend of what a clause speaks of.

    Of phrases that overlap the longest counts: "selective ridge" is not "ridge".
    """
    meant: dict[str, set[int]] = {}
    for place, key in enumerate(keys):
        for phrase in (key.name, *phrases.get(key.name, ())):
            meant.setdefault(phrase.lower(), set()).add(place)
    found = re.findall(
        "|".join(rf"(?<!\w){re.escape(p)}(?!\w)" for p in sorted(meant, key=len)[::-1]),
        clause.lower(),
    )
    return sorted({place for phrase in found if phrase for place in meant[phrase]})


def lit_by(places: Sequence[int]) -> str:
    """Return the attributes of what lights these entries of the legend.

    Tab stops there: what the mouse lights the keyboard lights, too.
    """
    return f'class="says" tabindex="0" data-keys="{" ".join(map(str, places))}"'


def spoken(
    text: str, keys: Sequence[Key], phrases: Phrases, names: Sequence[str] = ()
) -> str:
    """Return text as HTML whose clauses light what they speak of.

    `names`: of features, which are no terms of ours.
    """
    told: set[str] = set()
    parts = []
    for clause in _CLAUSE.split(text):
        shown, places = explained(clause, told, names), keys_of(clause, keys, phrases)
        parts.append(f"<span {lit_by(places)}>{shown}</span>" if places else shown)
    return " ".join(parts)
