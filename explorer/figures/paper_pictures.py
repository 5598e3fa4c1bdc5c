"""The pictures of a paper's figure: which lines they have, and what lines look like."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import cycle
from typing import Any

from solvers import all_methods
from solvers.papers.cascades import Series
from solvers.papers.figures import Axes, Study
from solvers.papers.figures.gradients import ORDERS

from ..widgets.theme import MethodStyle, method_style

PROCEDURES = {order.title for order in ORDERS}
_DASHES = ("solid", "dashed", "dotdash", "dotted")
_MARKERS = ("circle", "square_cross", "circle_cross", "diamond_cross")
# What a series is drawn as when another already looks like its method.
OTHERS = ("forward_selection", "jit", "csdt", "csnb", "acafh")


@dataclass(frozen=True)
class PaperLine:
    """One line of a picture."""

    name: str  # What it stands for
    x: tuple[float, ...]  # Its points, by rising x
    y: tuple[float, ...]
    is_joined: bool = True  # Whether a line goes through them


@dataclass(frozen=True)
class PaperPicture:
    """What is drawn of a figure at a time."""

    figure: str  # Whose picture it is
    title: str  # What distinguishes it from the others of the figure
    x_label: str  # What the axes are called, with units
    y_label: str
    lines: tuple[PaperLine, ...]  # In the order in which they came
    is_x_log: bool = False  # Whether the axes go by powers of ten
    is_y_log: bool = False


def paper_pictures(figure: Study, rows: Sequence[Any]) -> dict[str, PaperPicture]:
    """Return the pictures that the rows suffice for, by title."""
    axes = figure.axes
    if axes is None:
        return {}
    panels: dict[tuple[Any, ...], list[Any]] = {}
    for row in rows:
        values = tuple(getattr(row, name) for name in axes.panels)
        panels.setdefault(values, []).append(row)
    pictures = [
        _picture(figure.name, axes, y, values, found)
        for y in axes.y
        for values, found in panels.items()
    ]
    return {picture.title: picture for picture in pictures}


def _picture(
    name: str, axes: Axes, y: str, values: tuple[Any, ...], rows: Iterable[Any]
) -> PaperPicture:
    said = [
        value if isinstance(value, str) else f"{axes.headings[column]} = {value:g}"
        for column, value in zip(axes.panels, values, strict=True)
    ]
    title = ", ".join([axes.headings[y], *said])
    return PaperPicture(
        name,
        title,
        axes.headings[axes.x],
        axes.headings[y],
        _lines(rows, axes.x, y, axes.series),
        axes.x in axes.logarithmic,
        y in axes.logarithmic,
    )


def _lines(rows: Iterable[Any], x: str, y: str, series: str) -> tuple[PaperLine, ...]:
    found: dict[str, list[tuple[float, float]]] = {}
    for row in rows:
        point = (float(getattr(row, x)), float(getattr(row, y)))
        found.setdefault(getattr(row, series), []).append(point)
    return tuple(
        PaperLine(
            name, *(tuple(values) for values in zip(*sorted(points), strict=True))
        )
        for name, points in found.items()
    )


def line_styles(names: Iterable[str]) -> dict[str, MethodStyle]:
    """Return each line's look; what comes later changes nothing of what came before."""
    # Orders of multiplication and problems are of no method: each has a colour.
    others = {method_style(key).light: method_style(key) for key in all_methods()}
    free = cycle(others.values())
    styles, variants = {}, Counter[str]()
    for name in dict.fromkeys(names):
        owner = _owner(name)
        if owner is None:
            styles[name] = next(free)
        else:
            styles[name] = _variant(method_style(owner), variants[owner])
            variants[owner] += 1
    return styles


def _variant(style: MethodStyle, place: int) -> MethodStyle:
    """Return a method's own look, or for its variants the same colour only."""
    if not place:
        return style
    dash = _DASHES[(_DASHES.index(style.dash) + place) % len(_DASHES)]
    return replace(style, dash=dash, marker=_MARKERS[place % len(_MARKERS)])


def _owner(name: str) -> str | None:
    """Return the method that a line is of."""
    if name in PROCEDURES:
        return None
    titles = {found.title: key for key, found in all_methods().items()}
    titles["CAFH"] = "acafh"  # the same class, told not to decompose
    prefixes = [title for title in titles if name.startswith(title)]
    return titles[max(prefixes, key=len)] if prefixes else None


def series_styles(series: Iterable[Series]) -> dict[str, MethodStyle]:
    """Return a look for each series: its method's, unless that is taken."""
    taken: set[str] = set()
    looks = {}
    for one in series:
        names = (one.method, *OTHERS)
        name = next((n for n in names if n not in taken), one.method)
        taken.add(name)
        looks[one.name] = method_style(name)
    return looks
