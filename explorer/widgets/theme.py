"""Colours, marks and sizes by name; safe for colour-blind eyes, in light and dark.

A method keeps its colour, marker and dash on every page. Colours are those of Okabe and
Ito (2008); in the dark their darkest blue and black give way to lighter ones.
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
    """Colours of one theme, by what they stand for."""

    background: str
    text: str
    quiet_text: str
    grid: str
    faded: str
    lit: str
    shared: str
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
    budget="#59636e",
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
    budget="#aab4bf",
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
)
_COLOURS = (
    ("#0072B2", "#56B4E9"),
    ("#D55E00", "#E69F00"),
    ("#008060", "#2fbf98"),
    ("#8f4a78", "#CC79A7"),
    ("#8a6d00", "#F0E442"),
    ("#1f2328", "#eceff3"),
    ("#3f51b5", "#9fa8ff"),
    # The same hues again, darker on white and paler on black, then between.
    ("#003f66", "#9bd3f5"),
    ("#8a3c00", "#ffc36b"),
    ("#004d39", "#8fe3c8"),
    ("#5a2a4b", "#e8b5d3"),
    ("#574500", "#faf6a8"),
    ("#59636e", "#aab4bf"),
    ("#1f2b6b", "#ccd1ff"),
    ("#3b8fc4", "#2a86c0"),
    ("#b5632a", "#c77a1e"),
    ("#3c8a70", "#1f8f70"),
    ("#a8608f", "#a85a88"),
    ("#9c7c1c", "#b8a92e"),
    ("#767f89", "#7d8791"),
    ("#6673c9", "#7480e0"),
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
