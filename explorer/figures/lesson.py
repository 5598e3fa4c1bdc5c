"""The picture of a lesson."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from .picture import Bar, Line, Mark, Picture, Word, named_role
from .scene import Axis, Layer, Scene, boxes, dots, line, words

if TYPE_CHECKING:
    import holoviews as hv

# A dash cannot vary within a glyph: each has one of its own. In pixels, drawn and not:
# Bokeh's own are so short that with many lines at a time dashed looks dotted.
DASHES: dict[str, list[int]] = {
    "solid": [],
    "dashed": [6, 4],
    "dotted": [2, 4],
    "dashdot": [7, 3, 2, 3],
}
NOTHING = Picture(Axis("", 0, 1), Axis("", 0, 1))


def lesson(
    picture: Picture, *, title: str = "", dark: bool = False, height: int = 480
) -> hv.Overlay:
    """Draw bars, lines, marks and words as a lesson has them.

    Parameters
    ----------
    picture : Picture
        What a lesson shows at one place of its slider, or anything that has its
        `picture`.
    title : str, default=""
        Above the figure.
    dark : bool, default=False
        For a dark page.
    height : int, default=480
        In pixels.

    Returns
    -------
    holoviews.Overlay
        The legend holds the marks and lines that the lesson names.
    """
    from .still import still

    picture = getattr(picture, "picture", picture)
    scene = lesson_scene(picture)
    drawn = Scene(scene.x, scene.y, [*scene.layers, *_entries(picture)])
    return still(drawn, title=title, dark=dark, legend="bottom", height=height)


def lesson_scene(picture: Picture) -> Scene:
    """Return bars, lines, marks and words of a picture.

    Of each mark "alpha" is how opaque it is, "seen" the same until something else is
    lit, and "keys" the places of its entries in the legend.
    """

    def light(drawn: Sequence[Bar | Line | Mark], alphas: Sequence[float]) -> Any:
        keys = [
            [i for i, key in enumerate(picture.key) if key.names(one)] for one in drawn
        ]
        return {"alpha": [*alphas], "seen": [*alphas], "keys": keys}

    lines = [
        _lines(dash, found, light(found, [1.0] * len(found)))
        for dash in DASHES
        for found in [[one for one in picture.lines if one.dash == dash]]
    ]
    spoken: dict[str, list[Word]] = defaultdict(list, text=[])
    for word in picture.words:
        spoken[word.colour].append(word)
    layers = [
        _bars(picture.bars, light(picture.bars, [bar.alpha for bar in picture.bars])),
        *lines,
        _marks(picture.marks, light(picture.marks, [1.0] * len(picture.marks))),
        # Text of many colours Bokeh draws before all have come: a layer a colour.
        *(_words(colour, found) for colour, found in spoken.items()),
    ]
    return Scene(_axis(picture.x), _axis(picture.y), layers)


def _axis(axis: Axis) -> Axis:
    """Return an axis with the ticks that it names, and no others."""
    ticks = dict(axis.ticks or {}) if axis.label else None
    return Axis(axis.label, axis.low, axis.high, ticks)


def _bars(bars: Sequence[Bar], light: dict[str, Any]) -> Layer:
    sides = ([getattr(b, s) for b in bars] for s in ("left", "right", "bottom", "top"))
    left, right, bottom, top = sides
    told = {
        "colour": [named_role(bar.colour) for bar in bars],
        "hatch": [bar.hatch for bar in bars],
        **light,
    }
    look: dict[str, Any] = {"fill_alpha": "seen", "hatch_pattern": "hatch"}
    look |= {"hatch_color": "background", "hatch_alpha": 0.8}
    return boxes("bars", left, right, bottom, top, "colour", told=told, **look)


def _lines(dash: str, lines: Sequence[Line], light: dict[str, Any]) -> Layer:
    columns = {
        "xs": [list(one.x) for one in lines],
        "ys": [list(one.y) for one in lines],
        "colour": [named_role(one.colour) for one in lines],
        "width": [one.width for one in lines],
        **light,
    }
    look = {"line_color": "colour", "line_alpha": "seen", "line_width": "width"}
    return Layer(dash, "multi_line", columns, {**look, "line_dash": dash})


def _marks(marks: Sequence[Mark], light: dict[str, Any]) -> Layer:
    roles = [named_role(mark.colour) for mark in marks]
    filled = [mark.filled for mark in marks]
    told = {
        "colour": roles,
        "fill": [
            role if is_filled else "background"
            for role, is_filled in zip(roles, filled, strict=True)
        ],
        "marker": [mark.marker for mark in marks],
        "size": [mark.size for mark in marks],
        **light,
    }
    x, y = [mark.x for mark in marks], [mark.y for mark in marks]
    look = {"fill_alpha": "seen", "line_alpha": "seen", "line_width": 1.8}
    shape = {"marker": "marker", "size": "size", "fill_color": "fill"}
    return dots("marks", x, y, "colour", told=told, **shape, **look)


def _words(colour: str, found: Sequence[Word]) -> Layer:
    layer = words(
        f"words {colour}",
        [word.x for word in found],
        [word.y for word in found],
        [word.text for word in found],
        named_role(colour),
        **{"text_align": "align", "text_baseline": "baseline"},
        text_font_size="13px",
    )
    told = {
        "align": [word.align for word in found],
        "baseline": [word.baseline for word in found],
    }
    return Layer(layer.name, layer.glyph, {**layer.columns, **told}, layer.look)


def _entries(picture: Picture) -> list[Layer]:
    """Return what stands for each entry of the legend, nowhere in the picture."""
    layers, nowhere = [], [np.nan]
    for place, key in enumerate(picture.key):
        role, name = named_role(key.colour), f"key {place}"
        if key.dash:
            look: dict[str, Any] = {"dash": key.dash, "width": 2.5, "key": key.name}
            layers.append(line(f"{name}: line", nowhere, nowhere, role, **look))
        if key.marker or not key.dash:
            look = {"marker": key.marker or "square", "size": 11.0, "key": key.name}
            look["fill_color"] = role if key.filled else "background"
            layers.append(dots(name, nowhere, nowhere, role, line_width=1.8, **look))
    return layers
