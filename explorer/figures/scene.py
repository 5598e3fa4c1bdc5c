"""A figure as a value: axes, named layers from back to front, and the same in words.

A scene knows of no backend. `explorer.figures.live` draws it on a page and sends what
has changed since the scene before; `explorer.figures.still` draws it in print and
notebooks. Colours are roles of the theme, so that both have both themes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..widgets.theme import MethodStyle, Role, role_colour

Columns = Mapping[str, Any]
# What the pointer is told: titles, and columns in the words of Bokeh's hover tool.
# A number as sentences write it is "@column{number}".
Hover = Sequence[tuple[str, str]]


@dataclass(frozen=True)
class Axis:
    """One axis: its words, its ends and, where they are not the backend's, its ticks.

    A label of "" is of an axis that is not drawn.
    """

    label: str
    low: float
    high: float
    # Where ticks stand, and what stands there; none but these
    ticks: Mapping[float, str] | None = None
    is_log: bool = False
    # Of a logarithmic axis: where 0 stands, before `edge`, where powers of ten begin
    nothing: float = 0.0
    edge: float = 0.0

    @property
    def is_shown(self) -> bool:
        """Whether the axis is drawn at all."""
        return bool(self.label) or self.ticks is not None


@dataclass(frozen=True, eq=False)
class Layer:
    """Marks of one kind. In the next scene a layer of this name is the same one, moved.

    `columns`: what `PLACES` says of the glyph, and what `look` and `hover` name.
    Shapes: (n_marks,) each, one entry a mark.

    `look`: properties of the glyph, as Bokeh calls them. A colour is a role of the
    theme, or the name of a column of roles; but text has one colour a layer, because
    Bokeh draws text of many colours before all of them have come.

    Of marks that show things of the problem the column "thing" says which, such as
    "feature:mean": a thing that is pointed at is alight wherever it is shown. Where
    that is more than itself, the column "lights" has all, in lines.
    """

    name: str
    glyph: str
    columns: Columns
    look: Mapping[str, Any] = field(default_factory=dict)
    key: str = ""  # Its entry in the legend
    hover: Hover = ()

    def __len__(self) -> int:
        return len(next(iter(self.columns.values()), ()))

    @property
    def has_things(self) -> bool:
        """Whether its marks show things that light."""
        return "thing" in self.columns


@dataclass(frozen=True)
class End:
    """What stands beside the end of a line, at the right edge of the figure."""

    text: str
    at: float  # On the y axis
    role: Role


@dataclass(frozen=True, eq=False)
class Scene:
    """Everything that a figure shows at a time, from back to front."""

    x: Axis
    y: Axis
    layers: Sequence[Layer]
    ends: Sequence[End] = ()
    said: str = ""  # The same in words


# The columns that say where the marks of a glyph are.
PLACES = {
    "line": ("x", "y"),
    "step": ("x", "y"),
    "scatter": ("x", "y"),
    "multi_line": ("xs", "ys"),
    "segment": ("x0", "y0", "x1", "y1"),
    "quad": ("left", "right", "bottom", "top"),
    "varea": ("x", "y1", "y2"),
    "vspan": ("x",),
    "hspan": ("y",),
    "text": ("x", "y", "text"),
    "image": ("image", "x", "y", "dw", "dh"),
}
# Colours between those of a scale that is not in steps.
SHADES = 101


def line(
    name: str,
    x: Any,
    y: Any,
    role: Role,
    *,
    key: str = "",
    dash: str = "solid",
    width: float = 2.0,
    hover: Hover = (),
    told: Columns | None = None,
    **look: Any,
) -> Layer:
    """Return a line through points, with further columns that the pointer is told."""
    drawn = {"line_color": role, "line_dash": dash, "line_width": width, **look}
    return Layer(name, "line", {"x": x, "y": y, **(told or {})}, drawn, key, hover)


def stairs(
    name: str,
    x: Any,
    y: Any,
    role: Role,
    *,
    key: str = "",
    dash: str = "solid",
    width: float = 2.5,
    mode: str = "after",
) -> Layer:
    """Return steps through points; `mode`: where between two of them the step is."""
    look = {"line_color": role, "line_dash": dash, "line_width": width, "mode": mode}
    return Layer(name, "step", {"x": x, "y": y}, look, key)


def dots(
    name: str,
    x: Any,
    y: Any,
    role: Role,
    *,
    key: str = "",
    marker: str = "circle",
    size: Any = 8,
    hover: Hover = (),
    told: Columns | None = None,
    **look: Any,
) -> Layer:
    """Return marks at points, of a role or of a column of roles."""
    drawn = {"fill_color": role, "line_color": role, "marker": marker, "size": size}
    columns = {"x": x, "y": y, **(told or {})}
    return Layer(name, "scatter", columns, drawn | look, key, hover)


def method_dots(
    name: str, x: Any, y: Any, style: MethodStyle, *, size: float = 8, **more: Any
) -> Layer:
    """Return a method's marks, half transparent where they lie on each other."""
    more.setdefault("fill_alpha", 0.35)
    return dots(name, x, y, style, marker=style.marker, size=size, **more)


def ring(
    x: Any,
    y: Any,
    *,
    name: str = "here",
    size: float = 21,
    key: str = "",
    role: Role = "ring",
) -> Layer:
    """Return a ring around what is chosen."""
    look = {"fill_color": None, "line_color": role, "line_width": 2.5, "size": size}
    return Layer(name, "scatter", {"x": x, "y": y}, look, key)


def boxes(
    name: str,
    left: Any,
    right: Any,
    bottom: Any,
    top: Any,
    role: Role,
    *,
    key: str = "",
    hover: Hover = (),
    told: Columns | None = None,
    **look: Any,
) -> Layer:
    """Return filled rectangles: bars, bands, cells."""
    columns = {"left": left, "right": right, "bottom": bottom, "top": top}
    drawn = {"fill_color": role, "line_color": None, **look}
    return Layer(name, "quad", columns | dict(told or {}), drawn, key, hover)


def links(
    name: str,
    starts: NDArray[Any],
    ends: NDArray[Any],
    role: Role,
    *,
    width: Any = 1.0,
    told: Columns | None = None,
    **more: Any,
) -> Layer:
    """Return straight links. Shapes: `starts`, `ends` (n_links, 2)."""
    starts, ends = np.reshape(starts, (-1, 2)), np.reshape(ends, (-1, 2))
    columns = dict(zip(PLACES["segment"], (*starts.T, *ends.T), strict=True))
    look = {"line_color": role, "line_width": width, **more}
    hover, key = look.pop("hover", ()), look.pop("key", "")
    return Layer(name, "segment", columns | dict(told or {}), look, key, hover)


def words(
    name: str, x: Any, y: Any, text: Any, role: Role = "text", **look: Any
) -> Layer:
    """Return text at points, of one role."""
    drawn = {
        "text_color": role,
        "text_align": "center",
        "text_baseline": "middle",
        "text_font_size": "12px",
        **look,
    }
    return Layer(name, "text", {"x": x, "y": y, "text": text}, drawn)


def heat(
    name: str,
    values: NDArray[np.float64],
    place: tuple[float, float, float, float],
    shades: Sequence[Role],
    ends: tuple[float, float],
    *,
    is_stepped: bool = False,
    hover: Hover = (),
) -> Layer:
    """Return values as the colours of cells.

    Shapes: `values` (n_rows, n_columns), lowest row first.
    `place`: left, bottom, width and height. `shades`: the colours from the lower of the
    `ends` to the upper, mixed between them unless they are steps.
    """
    columns = dict(
        zip(PLACES["image"], ([values], *([at] for at in place)), strict=True)
    )
    look = {"shades": tuple(shades), "ends": ends, "is_stepped": is_stepped}
    return Layer(name, "image", columns, look, hover=hover)


def shades_of(layer: Layer, dark: bool) -> list[str]:
    """Return the colours that a `heat` is drawn with, lowest first."""
    known = [role_colour(one, dark) for one in layer.look["shades"]]
    if layer.look["is_stepped"]:
        return known
    at, stops = np.linspace(0, len(known) - 1, SHADES), np.arange(len(known))
    parts = ([int(one[k : k + 2], 16) for one in known] for k in (1, 3, 5))
    mixed = [np.interp(at, stops, part).round().astype(int) for part in parts]
    return [f"#{r:02x}{g:02x}{b:02x}" for r, g, b in zip(*mixed, strict=True)]


def upright(
    at: float, role: Role = "budget", *, name: str = "upright", **look: Any
) -> Layer:
    """Return a dashed line across the figure, at a place of the x axis."""
    drawn = {"line_color": role, "line_dash": "dashed", "line_width": 2, **look}
    return Layer(name, "vspan", {"x": [at]}, drawn)


def level(
    at: float,
    role: Role = "quiet_text",
    *,
    name: str = "level",
    key: str = "",
    **look: Any,
) -> Layer:
    """Return a dotted line across the figure, at a place of the y axis."""
    drawn = {"line_color": role, "line_dash": "dotted", "line_width": 1, **look}
    return Layer(name, "hspan", {"y": [at]}, drawn, key)


def room_around(values: Any, share: float = 0.1) -> tuple[float, float]:
    """Return where an axis ends that holds all values that are finite."""
    known = np.asarray(values, dtype=float)
    known = known[np.isfinite(known)]
    if not known.size:
        return 0.0, 1.0
    low, high = float(known.min()), float(known.max())
    room = share * (high - low) or share * abs(high) or 1.0
    return low - room, high + room
