"""What a lesson draws: bars, lines, marks and words, by what they stand for.

Colours are named by role: a field of `Palette`, or the name of a method, which has its
colour on every page.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from solvers import all_methods

from ..widgets.theme import Role, method_style, role_colour
from .scene import Axis


def named_role(name: str) -> Role:
    """Return what a picture calls so: a method's style, or a role of the theme."""
    return method_style(name) if name in all_methods() else name


def named_colour(name: str, dark: bool) -> str:
    """Return the colour that a picture calls so, in a theme."""
    return role_colour(named_role(name), dark)


@dataclass(frozen=True)
class Bar:
    """A filled rectangle; where hatched, it can be told apart without its colour."""

    left: float
    right: float
    bottom: float
    top: float
    colour: str
    alpha: float = 1.0
    hatch: str = " "


@dataclass(frozen=True)
class Line:
    """A line through points."""

    x: tuple[float, ...]
    y: tuple[float, ...]
    colour: str
    dash: str = "solid"
    width: float = 2.5


@dataclass(frozen=True)
class Mark:
    """A marker at a point, filled or hollow."""

    x: float
    y: float
    colour: str
    marker: str = "circle"
    size: float = 9.0
    filled: bool = True


@dataclass(frozen=True)
class Word:
    """A few words at a point; a lighter ground keeps them readable over lines."""

    x: float
    y: float
    text: str
    align: str = "center"
    baseline: str = "middle"
    colour: str = "text"


@dataclass(frozen=True)
class Key:
    """One entry of the legend: a line, a mark or a filled square, and its name."""

    name: str
    colour: str
    dash: str = ""
    marker: str = ""
    filled: bool = True
    hatch: bool = False

    def names(self, drawn: Bar | Line | Mark) -> bool:
        """Return whether this is the entry of something that is drawn."""
        if drawn.colour != self.colour:
            return False
        if isinstance(drawn, Line):
            return drawn.dash == self.dash
        if isinstance(drawn, Mark):
            return (drawn.marker, drawn.filled) == (self.marker, self.filled)
        is_area = not self.dash and not self.marker
        return is_area and self.hatch == (drawn.hatch != " ")


@dataclass(frozen=True)
class Picture:
    """Everything that is drawn at a time, from back to front."""

    x: Axis  # The axes
    y: Axis
    bars: tuple[Bar, ...] = ()  # What stands between them
    lines: tuple[Line, ...] = ()
    marks: tuple[Mark, ...] = ()
    words: tuple[Word, ...] = ()
    key: tuple[Key, ...] = ()  # The legend, below the picture


def labelled(values: tuple[float, ...], form: str = "g") -> dict[float, str]:
    """Return ticks at some values, labelled with them.

    `values`: where ticks stand.
    """
    return {float(value): format(value, form) for value in values}


def round_values(top: float) -> tuple[float, ...]:
    """Return three to six round values from 0 up to at most a positive number."""
    decade = 10.0 ** math.floor(math.log10(top))
    step = next(step for step in (0.2, 0.5, 1, 2) if top / (step * decade) < 6)
    return tuple(step * decade * k for k in range(int(top / (step * decade)) + 1))
