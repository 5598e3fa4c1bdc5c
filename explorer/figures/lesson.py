"""The picture of a lesson."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, TypeVar

import holoviews as hv
import numpy as np

from .backends import framed
from .elements import boxed, drawn_line, drawn_nodes, lettered
from .picture import Bar, Line, Mark, Picture, Word, named_colour
from .scene import Axis

_Shape = TypeVar("_Shape")
_Colours = Callable[[str], str]


def lesson(picture: Picture, *, title: str = "", dark: bool = False) -> hv.Overlay:
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

    Returns
    -------
    holoviews.Overlay
        The legend holds the marks and lines that the lesson names.
    """
    picture = getattr(picture, "picture", picture)
    colours = partial(named_colour, dark=dark)
    layers = [
        *(_bar(bar, colours) for bar in picture.bars),
        *(_line(line, colours) for line in picture.lines),
        *(_marks(marks, colours) for marks in _grouped(picture.marks, _kind)),
        *(_words(words, colours) for words in _grouped(picture.words, _place)),
        *_entries(picture, colours),
    ]
    bare = not (picture.x.label or picture.y.label)
    return framed(
        hv.Overlay(layers),
        title=title,
        dark=dark,
        bare=bare,
        legend="bottom" if picture.key else None,
        height=480,
        xlim=(picture.x.low, picture.x.high),
        ylim=(picture.y.low, picture.y.high),
        **_axis("x", picture.x, bare),
        **_axis("y", picture.y, bare),
    )


def _axis(name: str, axis: Axis, bare: bool) -> dict[str, Any]:
    if bare:
        return {}
    if not axis.label:
        return {f"{name}axis": None}
    found: dict[str, Any] = {f"{name}label": axis.label}
    if axis.ticks:
        found[f"{name}ticks"] = list(axis.ticks.items())
    return found


def _grouped(
    shapes: Iterable[_Shape], look: Callable[[_Shape], Any]
) -> list[list[_Shape]]:
    """Return shapes that look alike together: a layer each."""
    found = defaultdict(list)
    for shape in shapes:
        found[look(shape)].append(shape)
    return list(found.values())


def _bar(bar: Bar, colours: _Colours) -> Any:
    box = hv.Rectangles([(bar.left, bar.bottom, bar.right, bar.top)])
    return boxed(
        box,
        colours(bar.colour),
        colours("background"),
        alpha=bar.alpha,
        width=0.0,
        hatched=bool(bar.hatch.strip()),
    )


def _line(line: Line, colours: _Colours) -> Any:
    curve = hv.Curve((np.array(line.x), np.array(line.y)), "x", "y")
    return drawn_line(curve, colours(line.colour), line.dash, line.width)


def _kind(mark: Mark) -> tuple[Any, ...]:
    return mark.colour, mark.marker, mark.size, mark.filled


def _marks(marks: list[Mark], colours: _Colours, label: str = "") -> Any:
    one, colour = marks[0], colours(marks[0].colour)
    # A cross has no inside: what Matplotlib fills of it is its strokes.
    is_full = one.filled or one.marker == "x"
    fill = colour if is_full else colours("background")
    points = hv.Points([(mark.x, mark.y) for mark in marks], ["x", "y"], label=label)
    return drawn_nodes(points, one.marker, one.size, fill, colour, 1.8)


def _place(word: Word) -> tuple[str, ...]:
    return word.align, word.baseline, word.colour


def _words(words: list[Word], colours: _Colours) -> Any:
    one, rows = words[0], [(word.x, word.y, word.text) for word in words]
    return lettered(
        rows,
        ["x", "y"],
        colours(one.colour),
        align=one.align,
        baseline=one.baseline,
        size=12,
    )


def _entries(picture: Picture, colours: _Colours) -> list[Any]:
    """Return what stands for each entry of the legend, nowhere in the picture."""
    layers = []
    for key in picture.key:
        if key.dash:
            curve = hv.Curve([(np.nan, np.nan)], "x", "y", label=key.name)
            layers.append(drawn_line(curve, colours(key.colour), key.dash, 2.5))
        if key.marker or not key.dash:
            marker = key.marker or "square"
            mark = Mark(np.nan, np.nan, key.colour, marker, 11.0, key.filled)
            layers.append(_marks([mark], colours, key.name))
    return layers
