"""Colours, marks and sizes by name; safe for colour-blind eyes, in light and dark.

A colour means one thing: grey is not bought, blue bought, orange shared, red (and a
cross) wrong, a dashed line of ink the budget, and what is impossible is hatched.
Methods take the hues that are left, and each keeps its colour, marker and dash on every
page. Hues are those of Okabe and Ito (2008), with violet and teal between them.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass, fields
from functools import cache
from typing import Any, Protocol

from .assets import asset

STYLES = asset("thriftscope.css")
PLOT_HEIGHT = 430
SIDE_HEIGHT = 330


@dataclass(frozen=True)
class Palette:
    """Colours of one theme, by what they stand for.

    Of features: `faded`, not bought; `lit`, bought; `shared`, computed for several.
    """

    background: str
    text: str
    quiet_text: str
    grid: str
    faded: str
    lit: str
    shared: str
    wrong: str
    budget: str
    ring: str


LIGHT = Palette(
    background="#ffffff",
    text="#1f2328",
    quiet_text="#59636e",
    grid="#e4e7eb",
    faded="#c3cad2",
    lit="#0072B2",
    shared="#D55E00",
    wrong="#b3261e",
    budget="#1f2328",
    ring="#1f2328",
)
DARK = Palette(
    background="#121212",
    text="#eceff3",
    quiet_text="#aab4bf",
    grid="#33383e",
    faded="#4c545d",
    lit="#56B4E9",
    shared="#E69F00",
    wrong="#ff8a80",
    budget="#eceff3",
    ring="#ffffff",
)


def palette(dark: bool) -> Palette:
    """Return the colours of a theme."""
    return DARK if dark else LIGHT


@dataclass(frozen=True)
class MethodStyle:
    """How a method is drawn: three channels, so that none has to be seen."""

    light: str  # Colour in each theme
    dark: str
    marker: str  # Bokeh marker
    dash: str  # Bokeh line dash

    def colour(self, dark: bool) -> str:
        """Return the colour in a theme."""
        return self.dark if dark else self.light


class Style(Protocol):
    """How something is drawn in each theme."""

    def colour(self, dark: bool) -> str:
        """Return the colour in a theme."""


# What a colour stands for: a field of `Palette`, or what has a style of its own.
Role = str | Style
_ROLES = {field.name for field in fields(Palette)}


def is_role(key: str, value: Any) -> bool:
    """Return whether a property of a glyph is a role: not a column, nor a colour."""
    is_named = isinstance(value, str) and value in _ROLES
    return key.endswith("_color") and (is_named or hasattr(value, "colour"))


def role_colour(role: Role, dark: bool) -> str:
    """Return the colour of a role in a theme."""
    if isinstance(role, str):
        return str(getattr(palette(dark), role))
    return role.colour(dark)


# A method keeps its place, whatever else is installed; those that are nearly always
# on screen together are furthest apart.
_PLACES = (
    "acafh",
    "forward_selection",
    "reweighted_l1",
    "l1",
    "cegb",
    "csdt",
    "csnb",
    "cstc",
    "dag",
    "greedy_miser",
    "hypergraph_cascade",
    "jit",
    "neural_network",
    "random_forest",
    "relief_svm",
    "selective_ridge",
    "static_prefix",
    "tefe",
    "trimmed_naive_bayes",
    "look_ahead",
)
_COLOURS = (
    ("#008060", "#2fbf98"),
    ("#8f4a78", "#CC79A7"),
    ("#7a6200", "#F0E442"),
    ("#5d3fb5", "#b7a2ff"),
    ("#1f2328", "#eceff3"),
    ("#00707a", "#4fd0d9"),
    ("#4d7c0f", "#a3d977"),
    # The same hues again, darker on white and paler on black, then between.
    ("#004d39", "#8fe3c8"),
    ("#5a2a4b", "#e8b5d3"),
    ("#574500", "#faf6a8"),
    ("#35208a", "#d6ccff"),
    ("#004a52", "#a5ecf1"),
    ("#4a525b", "#c7ced6"),
    ("#767f89", "#7d8791"),
    ("#3c8a70", "#1f8f70"),
    ("#1f8a94", "#2b98a1"),
    ("#8f7420", "#b8a92e"),
    ("#7d62cf", "#8a74e6"),
    ("#a8608f", "#a85a88"),
    ("#3a5f52", "#69a894"),
    ("#6e5a7f", "#9f86b5"),
)
_MARKERS = (
    "circle",
    "triangle",
    "square",
    "diamond",
    "inverted_triangle",
    "hex",
    "star",
)
# Beside TEFE, whose colour would come round, it is one of the two main curves.
_SET_APART = {"hypergraph_cascade": ("#b00058", "#ff7fb0")}
_DASHES = ("solid", "dashed", "dotdash", "dotted")


@cache
def method_style(name: str) -> MethodStyle:
    """Return how a method is drawn."""
    # A method of another package: by its name alone, after those that have a place.
    others = len(_PLACES) + zlib.crc32(name.encode()) % 997
    i = _PLACES.index(name) if name in _PLACES else others
    # Where a colour comes round again, marker and dash are others.
    light, dark = _SET_APART.get(name, _COLOURS[i % len(_COLOURS)])
    marker = _MARKERS[(i + i // len(_MARKERS)) % len(_MARKERS)]
    return MethodStyle(light, dark, marker, _DASHES[i % len(_DASHES)])
