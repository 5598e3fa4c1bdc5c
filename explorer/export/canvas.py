"""A small picture of lines, marks and words, written as SVG and as PNG.

Made on the server, without a browser: what is drawn once is written twice.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from io import BytesIO
from itertools import pairwise
from typing import Literal, TypeAlias

from PIL import Image, ImageColor, ImageDraw, ImageFont

__all__ = ["Canvas", "Marker"]

Spot: TypeAlias = tuple[float, float]
Marker: TypeAlias = Literal["circle", "square", "triangle", "inverted", "diamond", "x"]
Anchor: TypeAlias = Literal["start", "middle", "end"]
SCALE = 2  # pixels of the PNG for one of the picture
FONT = "Helvetica, Arial, sans-serif"
# The font that comes with Pillow has no Greek letters.
SPELLED = str.maketrans({"μ": "u", "µ": "u", "λ": "lambda", "−": "-", "…": "..."})


@dataclass(frozen=True)
class _Line:
    spots: tuple[Spot, ...]
    colour: str
    width: float
    dash: tuple[float, ...]
    fill: str | None = None
    closed: bool = False


@dataclass(frozen=True)
class _Circle:
    centre: Spot
    radius: float
    colour: str
    width: float
    fill: str | None


@dataclass(frozen=True)
class _Words:
    at: Spot
    text: str
    colour: str
    size: float
    anchor: Anchor
    is_upright: bool


class Canvas:
    """A picture.

    `width, height`: in pixels; y runs downwards.
    """

    def __init__(
        self, width: int, height: int, title: str, background: str = "#ffffff"
    ) -> None:
        self.width, self.height = width, height
        self._title, self._background = title, background
        self._shapes: list[_Line | _Circle | _Words] = []

    # ------------------------------------------------------------------------- drawing

    def line(
        self,
        spots: Sequence[Spot],
        colour: str,
        width: float = 1.0,
        dash: Sequence[float] = (),
    ) -> None:
        """Draw a line through some places.

        `spots`: where it goes.
        `width`: in pixels.
        """
        if len(spots) > 1:
            self._shapes.append(_Line(tuple(spots), colour, width, tuple(dash)))

    def polygon(
        self, spots: Sequence[Spot], colour: str, width: float, fill: str | None
    ) -> None:
        """Draw a closed shape."""
        self._shapes.append(_Line(tuple(spots), colour, width, (), fill, closed=True))

    def mark(
        self,
        kind: Marker,
        at: Spot,
        size: float,
        colour: str,
        fill: str | None = None,
        width: float = 1.2,
    ) -> None:
        """Draw a mark around a place."""
        (x, y), r = at, size / 2
        if kind == "circle":
            self._shapes.append(_Circle(at, r, colour, width, fill))
        elif kind == "x":
            self.line([(x - r, y - r), (x + r, y + r)], colour, width)
            self.line([(x - r, y + r), (x + r, y - r)], colour, width)
        else:
            low, high = (x - r, x + r), (y - r, y + r)
            corners = {
                "square": [
                    (low[0], high[0]),
                    (low[1], high[0]),
                    (low[1], high[1]),
                    (low[0], high[1]),
                ],
                "triangle": [(x, y - r), (x + r, y + r), (x - r, y + r)],
                "inverted": [(x - r, y - r), (x + r, y - r), (x, y + r)],
                "diamond": [(x, y - r), (x + r, y), (x, y + r), (x - r, y)],
            }
            self.polygon(corners[kind], colour, width, fill)

    def words(
        self,
        at: Spot,
        text: str,
        colour: str,
        size: float = 12,
        anchor: Anchor = "start",
        *,
        is_upright: bool = False,
    ) -> None:
        """Write something.

        `size`: in pixels.
        """
        clean = "".join(letter if letter.isprintable() else " " for letter in text)
        self._shapes.append(_Words(at, clean, colour, size, anchor, is_upright))

    # ------------------------------------------------------------------------- writing

    def svg(self) -> str:
        """Return the picture as SVG."""
        box = f'width="{self.width}" height="{self.height}"'
        return "\n".join(
            [
                f'<svg xmlns="http://www.w3.org/2000/svg" {box} '
                f'viewBox="0 0 {self.width} {self.height}" role="img" '
                f'font-family="{FONT}">',
                f"<title>{escape(self._title)}</title>",
                f'<rect {box} fill="{self._background}"/>',
                *map(_as_svg, self._shapes),
                "</svg>\n",
            ]
        )

    def png(self) -> bytes:
        """Return the picture as PNG, at twice its size."""
        size = (self.width * SCALE, self.height * SCALE)
        image = Image.new("RGB", size, self._background)
        pen = ImageDraw.Draw(image)
        for shape in self._shapes:
            _as_pixels(image, pen, shape)
        written = BytesIO()
        image.save(written, format="PNG", optimize=True)
        return written.getvalue()


# ------------------------------------------------------------------------------- SVG


def _as_svg(shape: _Line | _Circle | _Words) -> str:
    if isinstance(shape, _Words):
        x, y = shape.at
        turn = f' transform="rotate(-90 {x:.1f} {y:.1f})"' if shape.is_upright else ""
        return (
            f'<text x="{x:.1f}" y="{y:.1f}" fill="{shape.colour}" '
            f'font-size="{shape.size:g}" text-anchor="{shape.anchor}" '
            f'dominant-baseline="central"{turn}>{escape(shape.text)}</text>'
        )
    rim = f'stroke="{shape.colour}" stroke-width="{shape.width:g}"'
    fill = f'fill="{shape.fill or "none"}"'
    if isinstance(shape, _Circle):
        x, y = shape.centre
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{shape.radius:g}" {fill} {rim}/>'
    spots = " ".join(f"{x:.1f},{y:.1f}" for x, y in shape.spots)
    dash = f' stroke-dasharray="{" ".join(f"{d:g}" for d in shape.dash)}"'
    kind = "polygon" if shape.closed else "polyline"
    return f'<{kind} points="{spots}" {fill} {rim}{dash if shape.dash else ""}/>'


# ------------------------------------------------------------------------------- PNG


def _as_pixels(
    image: Image.Image, pen: ImageDraw.ImageDraw, shape: _Line | _Circle | _Words
) -> None:
    if isinstance(shape, _Words):
        _write(image, pen, shape)
        return
    width = max(1, round(shape.width * SCALE))
    if isinstance(shape, _Circle):
        (x, y), r = shape.centre, shape.radius
        box = [(v * SCALE) for v in (x - r, y - r, x + r, y + r)]
        pen.ellipse(box, fill=shape.fill, outline=shape.colour, width=width)
        return
    spots = [(x * SCALE, y * SCALE) for x, y in shape.spots]
    if shape.closed:
        pen.polygon(spots, fill=shape.fill, outline=shape.colour, width=width)
    elif shape.dash:
        for part in _dashes(spots, [d * SCALE for d in shape.dash]):
            pen.line(part, fill=shape.colour, width=width)
    else:
        pen.line(spots, fill=shape.colour, width=width, joint="curve")


def _dashes(spots: Sequence[Spot], lengths: Sequence[float]) -> list[list[Spot]]:
    """Cut a line into its dashes; a dash goes around corners."""
    cycle = [*lengths, *lengths] if len(lengths) % 2 else list(lengths)
    parts: list[list[Spot]] = []
    k, left, current = 0, cycle[0], [spots[0]]
    for start, end in pairwise(spots):
        length, done = math.dist(start, end), 0.0
        while length - done > left:
            done += left
            share = done / length
            at = tuple(a + (b - a) * share for a, b in zip(start, end, strict=True))
            spot = (at[0], at[1])
            if k % 2 == 0:
                parts.append([*current, spot])
            k = (k + 1) % len(cycle)
            left, current = cycle[k], [spot]
        left -= length - done
        current.append(end)
    if k % 2 == 0 and len(current) > 1:
        parts.append(current)
    return parts


def _spelled(text: str) -> str:
    """Return a text in letters that the font has; others become question marks."""
    plain = text.translate(SPELLED)
    return plain.encode("latin-1", "replace").decode("latin-1")


def _write(image: Image.Image, pen: ImageDraw.ImageDraw, shape: _Words) -> None:
    font, text = ImageFont.load_default(shape.size * SCALE), _spelled(shape.text)
    x, y = (value * SCALE for value in shape.at)
    place = {"start": "l", "middle": "m", "end": "r"}[shape.anchor]
    if not shape.is_upright:
        pen.text((x, y), text, fill=shape.colour, font=font, anchor=f"{place}m")
        return
    length = math.ceil(pen.textlength(text, font=font))
    height = math.ceil(shape.size * SCALE * 1.6)
    strip = Image.new("L", (length, height), 0)
    ImageDraw.Draw(strip).text((0, height / 2), text, 255, font, "lm")
    turned = strip.rotate(90, expand=True)
    shift = {"start": length, "middle": length / 2, "end": 0}[shape.anchor]
    ink = Image.new("RGB", turned.size, ImageColor.getrgb(shape.colour))
    image.paste(ink, (round(x - height / 2), round(y - shift)), turned)
