"""The picture of a lesson: one figure for all of them, patched in place."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import panel as pn
import param
from bokeh.models import (
    CustomJS,
    CustomJSTickFormatter,
    FixedTicker,
    HoverTool,
    Range1d,
)

from ...figures.picture import Bar, Key, Line, Mark, Picture, named_colour, named_role
from ...figures.scene import Axis
from ...widgets.figure_view import FigureView, figure_pane
from ...widgets.glossary import explained
from ...widgets.markup import markup
from ...widgets.page_layout import HERO_SHARE, high
from ...widgets.parts import wide_column
from ...widgets.still_figure import still_figure
from ...widgets.theme import PLOT_HEIGHT, palette
from .spoken import TELL, lit_by
from .state import LessonsState

# On a phone there is room left for the question and its answers.
_HIGH = high(HERO_SHARE, 380, 300)
# A dash cannot vary within a glyph: each has one of its own.
DASHES = ("solid", "dashed", "dotted", "dashdot")
# Opacity, as drawn and as seen while something else is lit; entries of the legend.
LIGHT = ("alpha", "seen", "keys")
COLUMNS = {
    "bars": ("left", "right", "bottom", "top", "colour", "hatch", *LIGHT),
    **{dash: ("x", "y", "colour", "width", *LIGHT) for dash in DASHES},
    "marks": ("x", "y", "colour", "fill", "marker", "size", *LIGHT),
    "words": ("x", "y", "text", "align", "baseline"),
}
NOTHING = Picture(Axis("", 0, 1), Axis("", 0, 1))
# Ticks that a picture names; where it names none, the numbers themselves.
_LABELS = "return Object.hasOwn(labels, tick) ? labels[tick] : tick.toString()"


class LessonPicture(FigureView):
    """Bars, lines, marks and words of what has been computed last."""

    draws_colours = True
    state = param.ClassSelector(class_=LessonsState)

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        self._build()
        self._pane = figure_pane(self.figure)
        self._key = markup("", min_height=24)
        self._watch_state(self._draw, "shown")
        self._draw()

    def __panel__(self) -> pn.viewable.Viewable:
        return wide_column(self._pane, self._key)

    # -------------------------------------------------------------------------- making

    def _build(self) -> None:
        plot = self.figure = still_figure(
            height=PLOT_HEIGHT,
            x_range=Range1d(0, 1),
            y_range=Range1d(0, 1),
            name="lesson",
        )
        plot.stylesheets = [_HIGH]
        for axis, grid in ((plot.xaxis, plot.xgrid), (plot.yaxis, plot.ygrid)):
            axis.minor_tick_line_color = None
            axis.axis_label_text_font_size = "13px"
            axis.major_label_text_font_size = "12px"
            axis.formatter = CustomJSTickFormatter(args={"labels": {}}, code=_LABELS)
            axis.ticker = grid.ticker = FixedTicker(ticks=[])
        drawn = {
            "bars": self._layer(
                "quad",
                told=COLUMNS["bars"],
                left="left",
                right="right",
                bottom="bottom",
                top="top",
                fill_color="colour",
                fill_alpha="seen",
                hatch_pattern="hatch",
                hatch_color="background",
                hatch_alpha=0.8,
                line_color=None,
            )
        }
        for dash in DASHES:
            drawn[dash] = self._layer(
                "multi_line",
                "x",
                "y",
                told=COLUMNS[dash],
                line_color="colour",
                line_alpha="seen",
                line_dash=dash,
                line_width="width",
            )
        drawn["marks"] = self._layer(
            "scatter",
            "x",
            "y",
            told=COLUMNS["marks"],
            line_color="colour",
            fill_color="fill",
            alpha="seen",
            marker="marker",
            size="size",
            line_width=1.8,
        )
        told = HoverTool(
            renderers=[*drawn.values()], tooltips=None, callback=CustomJS(code=TELL)
        )
        plot.add_tools(told)
        # Text of many colours Bokeh draws before all have come: a layer a colour.
        self._words = {"text": self._word_layer("text")}
        self._layers = drawn

    def _word_layer(self, role: str) -> Any:
        return self._layer(
            "text",
            "x",
            "y",
            told=COLUMNS["words"],
            text="text",
            text_align="align",
            text_baseline="baseline",
            text_color=named_role(role),
            text_font_size="13px",
        )

    # ------------------------------------------------------------------------- drawing

    def _draw(self) -> None:
        shown, plot = self.state.shown, self.figure
        picture = NOTHING if shown is None else shown.picture
        with pn.io.hold(policy="collect"):
            _scale(plot.xaxis[0], plot.xgrid[0], plot.x_range, picture.x)
            _scale(plot.yaxis[0], plot.ygrid[0], plot.y_range, picture.y)
            for name, rows in self._rows(picture).items():
                _fill(self._layers[name], COLUMNS[name], rows)
            for role in {word.colour for word in picture.words} - self._words.keys():
                self._words[role] = self._word_layer(role)
            for role, drawn in self._words.items():
                words = [
                    (word.x, word.y, word.text, word.align, word.baseline)
                    for word in picture.words
                    if word.colour == role
                ]
                _fill(drawn, COLUMNS["words"], words)
        keys = "".join(self._entry(i, key) for i, key in enumerate(picture.key))
        self._key.object = f'<div class="legend">{keys}</div>'

    def _rows(self, picture: Picture) -> dict[str, list[tuple[Any, ...]]]:
        """Return what is drawn, in the order of `COLUMNS`."""
        colour = self._colour

        def light(drawn: Bar | Line | Mark, alpha: float = 1.0) -> tuple[Any, ...]:
            keys = [i for i, key in enumerate(picture.key) if key.names(drawn)]
            return alpha, alpha, keys

        bars = [
            (
                *(b.left, b.right, b.bottom, b.top, colour(b.colour), b.hatch),
                *light(b, b.alpha),
            )
            for b in picture.bars
        ]
        lines = {
            dash: [
                (list(a.x), list(a.y), colour(a.colour), a.width, *light(a))
                for a in picture.lines
                if a.dash == dash
            ]
            for dash in DASHES
        }
        empty = palette(self.dark).background
        marks = [
            (
                m.x,
                m.y,
                colour(m.colour),
                colour(m.colour) if m.filled else empty,
                m.marker,
                m.size,
                *light(m),
            )
            for m in picture.marks
        ]
        return {"bars": bars, **lines, "marks": marks}

    def _colour(self, role: str) -> str:
        return named_colour(role, self.dark)

    def _entry(self, place: int, key: Key) -> str:
        shown = f"{self._swatch(key)}{explained(key.name)}"
        return f"<span {lit_by([place])}>{shown}</span>"

    def _swatch(self, key: Key) -> str:
        colour, shapes = self._colour(key.colour), ""
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


def _fill(drawn: Any, names: Sequence[str], rows: Sequence[tuple[Any, ...]]) -> None:
    """Let a layer have these rows."""
    columns = zip(*rows, strict=True) if rows else ([] for _ in names)
    drawn.data_source.data = {
        key: [*column] for key, column in zip(names, columns, strict=True)
    }


def _scale(drawn: Any, grid: Any, spread: Range1d, axis: Axis) -> None:
    """Let an axis of the figure be this one."""
    spread.update(start=axis.low, end=axis.high)
    ticks = axis.ticks or {}
    drawn.ticker.ticks = list(ticks)
    drawn.formatter.args = {"labels": {_js(k): v for k, v in ticks.items()}}
    is_drawn = bool(axis.label)
    drawn.update(axis_label=axis.label or None, visible=is_drawn)
    grid.visible = is_drawn


def _js(value: float) -> str:
    """Return a number as JavaScript writes it as a key."""
    return f"{int(value)}" if float(value).is_integer() else repr(float(value))
