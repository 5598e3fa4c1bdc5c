"""A scene as a HoloViews overlay, for notebooks and print; it composes and is saved."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import holoviews as hv
import numpy as np

from ..widgets.theme import is_role, role_colour
from .backends import (
    DASHES,
    HEIGHT,
    MARKERS,
    WIDTH,
    drawn_nodes,
    framed,
    lettered,
    styled,
)
from .scene import PLACES, Axis, End, Layer, Scene, shades_of

# What cannot differ within a layer in print: marks that do are layers of their own.
_APART = (
    *("marker", "hatch_pattern", "line_dash", "text_align", "text_baseline"),
    *("fill_alpha", "line_alpha"),
)
_STEPS = {"after": "steps-post", "before": "steps-pre", "center": "steps-mid"}
# What a figure takes beside its frame, in pixels.
_AROUND = 90


def still(
    scene: Scene,
    *,
    title: str = "",
    dark: bool = False,
    legend: str = "bottom_right",
    width: int = WIDTH,
    height: int = HEIGHT,
) -> hv.Overlay:
    """Return a scene as a figure in the frame of a theme.

    `legend`: where the entries of layers stand, if any has one.
    """
    paper = _Paper(scene, dark, width, height)
    layers = [
        element
        for layer in scene.layers
        for one in _apart(layer)
        for element in paper.drawn(one)
    ]
    keys = {layer.key for layer in scene.layers if layer.key}
    layers += paper.named(scene.ends, keys)
    bare = not (scene.x.is_shown or scene.y.is_shown)
    return framed(
        hv.Overlay(layers),
        title=title,
        dark=dark,
        bare=bare,
        width=width,
        height=height,
        legend=legend if keys else None,
        xlim=(scene.x.low, scene.x.high),
        ylim=(scene.y.low, scene.y.high),
        **({} if bare else _axis("x", scene.x) | _axis("y", scene.y)),
    )


def _axis(name: str, axis: Axis) -> dict[str, Any]:
    if not axis.is_shown:
        return {f"{name}axis": None}
    found: dict[str, Any] = {f"{name}label": axis.label}
    if axis.is_log:
        found[f"log{name}"] = True
        first = np.ceil(np.log10(axis.edge or axis.low))
        powers = 10.0 ** np.arange(first, np.floor(np.log10(axis.high)) + 1)
        nothing = [(axis.nothing, "0")] if axis.nothing > 0 else []
        found[f"{name}ticks"] = [
            *nothing,
            *((float(power), f"{power:g}") for power in powers),
        ]
    elif axis.ticks:
        found[f"{name}ticks"] = [(float(k), said) for k, said in axis.ticks.items()]
    return found


def _apart(layer: Layer) -> Iterator[Layer]:
    """Return a layer as those whose marks differ in nothing that print cannot vary."""
    keys = (*_APART, "line_color", "line_width")
    keys = keys if layer.glyph == "multi_line" else _APART
    varied = [
        key
        for key in keys
        if isinstance(name := layer.look.get(key), str)
        and name in layer.columns
        and not (key == "marker" and name in MARKERS)
    ]
    if not varied:
        yield layer
        return
    groups = defaultdict(list)
    columns = [layer.columns[layer.look[key]] for key in varied]
    for i, look in enumerate(zip(*columns, strict=True)):
        groups[look].append(i)
    for look, rows in groups.items():
        chosen = {
            name: [column[i] for i in rows] for name, column in layer.columns.items()
        }
        looks = dict(layer.look) | dict(zip(varied, look, strict=True))
        yield replace(layer, columns=chosen, look=looks)


class _Paper:
    """What layers are drawn on: axes, theme, and how large a pixel is."""

    def __init__(self, scene: Scene, dark: bool, width: int, height: int) -> None:
        self._x = hv.Dimension("x", label=scene.x.label or "x")
        self._y = hv.Dimension("y", label=scene.y.label or "y")
        self._pixel = (scene.y.high - scene.y.low) / (height - _AROUND)
        self._across = (scene.x.high - scene.x.low) / (width - _AROUND)
        self._dark, self._right = dark, scene.x.high

    def drawn(self, layer: Layer) -> list[Any]:
        """Return a layer's elements: none where it has no marks."""
        draw: Mapping[str, Callable[[Layer], Any]] = {
            **{"line": self._line, "step": self._line, "multi_line": self._lines},
            **{"scatter": self._marks, "segment": self._links, "quad": self._boxes},
            **{"text": self._words, "image": self._map},
        }
        if not len(layer):
            return []
        if layer.glyph in ("vspan", "hspan"):
            return self._spans(layer)
        if layer.glyph == "varea":
            return self._area(layer)
        return [draw[layer.glyph](layer)]

    def named(self, ends: Sequence[End], keys: Collection[str]) -> list[Any]:
        """Return what stands at the ends of lines that no legend names."""
        return [
            lettered(
                ([self._right], [end.at], [end.text]),
                [self._x, self._y],
                role_colour(end.role, self._dark),
                align="right",
                baseline="bottom",
            )
            for end in ends
            if end.text not in keys
        ]

    def _colour(self, layer: Layer, *keys: str) -> Any:
        """Return the colour of the first of these that there is, or of each mark."""
        for key in keys:
            if (found := layer.look.get(key)) is None:
                continue
            if (
                isinstance(found, str)
                and found in layer.columns
                and not is_role(key, found)
            ):
                return [role_colour(one, self._dark) for one in layer.columns[found]]
            return role_colour(found, self._dark)
        return None

    def _line(self, layer: Layer) -> Any:
        columns, look = layer.columns, layer.look
        curve = hv.Curve(
            (np.asarray(columns["x"]), np.asarray(columns["y"])),
            self._x,
            self._y,
            label=layer.key,
        )
        more = {}
        if layer.glyph == "step":
            more["interpolation"] = _STEPS[look.get("mode", "before")]
        return self._stroked(curve, layer, **more)

    def _lines(self, layer: Layer) -> Any:
        paths = [
            {"x": np.asarray(x), "y": np.asarray(y)}
            for x, y in zip(layer.columns["xs"], layer.columns["ys"], strict=True)
        ]
        drawn = hv.Path(paths, [self._x, self._y], label=layer.key)
        return self._stroked(drawn, layer)

    def _stroked(self, element: Any, layer: Layer, **more: Any) -> Any:
        dash = layer.look.get("line_dash", "solid")
        dash = dash if isinstance(dash, str) else "dashed"
        width = layer.look.get("line_width", 2.0)
        alpha = layer.look.get("line_alpha", 1.0)
        return styled(
            element,
            bokeh={"line_dash": dash, "line_width": width},
            matplotlib={"linestyle": DASHES[dash], "linewidth": 0.8 * width},
            color=self._colour(layer, "line_color"),
            alpha=alpha,
            **more,
        )

    def _marks(self, layer: Layer) -> Any:
        columns, look = layer.columns, layer.look
        fill = self._colour(layer, "fill_color")
        rim = self._colour(layer, "line_color") or fill
        is_hollow = fill is None
        told = [name for _, name in self._told(layer)]
        vary: dict[str, Any] = {}
        for name, given in (
            ("fill", fill),
            ("rim", rim),
            ("size", look.get("size", 8)),
        ):
            if isinstance(given, list):
                vary[name] = given
            elif isinstance(given, str) and given in columns and name == "size":
                vary[name] = np.asarray(columns[given])
        points = hv.Points(
            (
                np.asarray(columns["x"]),
                np.asarray(columns["y"]),
                *vary.values(),
                *(list(columns[name]) for name in told),
            ),
            [self._x, self._y],
            [*vary, *told],
            label=layer.key,
        )
        marker, width = look.get("marker", "circle"), look.get("line_width", 1.0)
        size: Any = "size" if "size" in vary else look.get("size", 8)
        pixels: Any = hv.dim("size") if "size" in vary else size
        alpha = look.get("fill_alpha", 1.0)
        filled = "fill" if "fill" in vary else fill
        rimmed = "rim" if "rim" in vary else rim
        # A cross has no inside: what Matplotlib fills of it is its strokes.
        shown = rimmed if marker == "x" else filled
        if isinstance(fill, str) and alpha < 1 and shown == fill:
            shown = f"{fill}{round(255 * alpha):02x}"
        hover = self._told(layer)
        return styled(
            points,
            bokeh={
                **{"marker": marker, "size": size, "line_color": rimmed},
                "fill_color": rimmed if is_hollow else filled,
                "fill_alpha": 0.0 if is_hollow else alpha,
                "line_width": width,
                **(
                    {"tools": ["hover"], "hover_tooltips": _tips(hover)}
                    if hover
                    else {}
                ),
            },
            matplotlib={
                **{"marker": MARKERS[marker], "s": 0.5 * pixels**2},
                "facecolors": "none" if is_hollow else shown,
                "edgecolors": rimmed,
                "linewidth": 0.75 * width,
            },
        )

    def _told(self, layer: Layer) -> list[tuple[str, str]]:
        """Return titles, and the columns that the pointer is told."""
        pairs = [
            (title, name.removeprefix("@").split("{")[0]) for title, name in layer.hover
        ]
        return [(title, name) for title, name in pairs if name in layer.columns]

    def _links(self, layer: Layer) -> Any:
        columns, look = layer.columns, layer.look
        ends = [np.asarray(columns[key]) for key in ("x0", "y0", "x1", "y1")]
        width, colour = look.get("line_width", 1.0), self._colour(layer, "line_color")
        vary: dict[str, Any] = {}
        if isinstance(width, str):
            vary["width"] = np.asarray(columns[width])
        if isinstance(colour, list):
            vary["colour"] = colour
        names = [self._x, self._y, "x1", "y1"]
        drawn = hv.Segments((*ends, *vary.values()), names, [*vary], label=layer.key)
        is_wide = "width" in vary
        return styled(
            drawn,
            bokeh={
                "line_width": "width" if is_wide else width,
                "line_dash": look.get("line_dash", "solid"),
            },
            matplotlib={
                "linewidth": 0.8 * (hv.dim("width") if is_wide else width),
                "linestyle": DASHES[look.get("line_dash", "solid")],
            },
            color="colour" if "colour" in vary else colour,
            alpha=look.get("line_alpha", 1.0),
        )

    def _boxes(self, layer: Layer) -> Any:
        columns, look = layer.columns, layer.look
        sides = [np.asarray(columns[k]) for k in ("left", "bottom", "right", "top")]
        fill, rim = self._colour(layer, "fill_color"), self._colour(layer, "line_color")
        vary = {"fill": fill} if isinstance(fill, list) else {}
        boxes = hv.Rectangles((*sides, *vary.values()), vdims=[*vary], label=layer.key)
        hatch = str(look.get("hatch_pattern", " ")).strip()
        ink = self._colour(layer, "hatch_color") or rim
        filled = "fill" if vary else fill
        alpha = look.get("fill_alpha", 1.0)
        edge = rim or (ink if hatch else filled)
        # HoloViews hatches nothing by Bokeh: what is only hatched is shaded there.
        shade = max(alpha, 0.15) if hatch else alpha
        return styled(
            boxes,
            bokeh={
                **{"fill_color": filled, "fill_alpha": shade, "line_color": edge},
                "line_width": look.get("line_width", 1.0) if rim else 0.0,
            },
            matplotlib={
                "facecolor": "none" if hatch and not alpha else filled,
                "edgecolor": edge,
                "alpha": 1.0 if hatch else alpha,
                # Hatched boxes are told apart without colour.
                "hatch": "//" if hatch else "",
                "linewidth": look.get("line_width", 1.0) if rim else 0.0,
            },
        )

    def _area(self, layer: Layer) -> list[Any]:
        x, low, high = (np.asarray(layer.columns[key]) for key in ("x", "y1", "y2"))
        area = hv.Area((x, high, low), self._x, [self._y, "y2"])
        colour = self._colour(layer, "fill_color")
        alpha = layer.look.get("fill_alpha", 1.0)
        drawn = styled(
            area,
            bokeh={"fill_color": colour, "fill_alpha": alpha, "line_alpha": 0.0},
            matplotlib={"facecolor": colour, "alpha": alpha, "linewidth": 0.0},
        )
        if not layer.key:
            return [drawn]
        # HoloViews has no entry for an area: what stands for it is nowhere else.
        nowhere = hv.Points([(np.nan, np.nan)], [self._x, self._y], label=layer.key)
        return [drawn, drawn_nodes(nowhere, "square", 11, colour, colour)]

    def _spans(self, layer: Layer) -> list[Any]:
        is_upright = layer.glyph == "vspan"
        drawn = hv.VLine if is_upright else hv.HLine
        places = layer.columns["x" if is_upright else "y"]
        return [self._stroked(drawn(float(at)), layer) for at in places]

    def _map(self, layer: Layer) -> Any:
        (values,), *places = (layer.columns[key] for key in PLACES["image"])
        left, bottom, width, height = (float(one[0]) for one in places)
        drawn = hv.Image(
            np.asarray(values)[::-1],
            [self._x, self._y],
            bounds=(left, bottom, left + width, bottom + height),
        )
        shades, ends = shades_of(layer, self._dark), layer.look["ends"]
        return styled(drawn, cmap=shades, clim=ends)

    def _words(self, layer: Layer) -> Any:
        columns, look = layer.columns, layer.look
        # Below is further down on the screen, and less on the axis.
        down = self._pixel * look.get("y_offset", 0)
        aside = self._across * look.get("x_offset", 0)
        x, y = (np.asarray(columns[key], float) for key in ("x", "y"))
        rows = (x + aside, y - down, columns["text"])
        return lettered(
            rows,
            [self._x, self._y],
            self._colour(layer, "text_color"),
            align=look.get("text_align", "left"),
            baseline=look.get("text_baseline", "alphabetic"),
            size=int(str(look.get("text_font_size", "12px")).removesuffix("px")),
        )


def _tips(hover: list[tuple[str, str]]) -> list[tuple[str, str]]:
    return [(title, f"@{name}") for title, name in hover]
