"""The app's icon, drawn once: as SVG, and as PNG and ICO without any drawing library.

``python -m docs.icons`` writes the files of ``assets/icons``. One component above, that
three features below need; the middle one is bought.
"""

from __future__ import annotations

import struct
import zlib
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

FOLDER = Path(__file__).parents[1] / "assets" / "icons"
SIZE = 64  # all lengths below are of a drawing this wide
CORNER = 14
BACKGROUND, LINK, LIT = "#0b4a75", "#a9d3f2", "#ffb000"
COMPONENT = (32.0, 18.0)
FEATURES = ((14.0, 46.0), (32.0, 46.0), (50.0, 46.0))
BOUGHT = 1
HALF_SIDE, RADIUS, LINK_WIDTH = 7.5, 7.0, 3.5
FINENESS = 4  # samples along each side of a pixel


def svg() -> str:
    """Return the icon as SVG."""
    x, y = COMPONENT
    links = "".join(
        f'<line x1="{x:g}" y1="{y:g}" x2="{fx:g}" y2="{fy:g}" stroke="{_ink(k)}" '
        f'stroke-width="{LINK_WIDTH:g}"/>'
        for k, (fx, fy) in enumerate(FEATURES)
    )
    dots = "".join(
        f'<circle cx="{fx:g}" cy="{fy:g}" r="{RADIUS:g}" fill="{_ink(k)}"/>'
        for k, (fx, fy) in enumerate(FEATURES)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {SIZE} {SIZE}">'
        f'<rect width="{SIZE}" height="{SIZE}" rx="{CORNER}" fill="{BACKGROUND}"/>'
        f'{links}<rect x="{x - HALF_SIDE:g}" y="{y - HALF_SIDE:g}" '
        f'width="{2 * HALF_SIDE:g}" height="{2 * HALF_SIDE:g}" fill="{LIT}"/>'
        f"{dots}</svg>\n"
    )


def pixels(width: int) -> NDArray[np.uint8]:
    """Return the icon as an image, shape (width, width, 4), red to opacity."""
    steps = (np.arange(width * FINENESS) + 0.5) * SIZE / (width * FINENESS)
    x, y = np.meshgrid(steps, steps)
    image = np.zeros((*x.shape, 4))
    _fill(image, _in_rounded_square(x, y), BACKGROUND)
    for k, feature in enumerate(FEATURES):
        _fill(image, _to_segment(x, y, COMPONENT, feature) < LINK_WIDTH / 2, _ink(k))
    square = np.maximum(abs(x - COMPONENT[0]), abs(y - COMPONENT[1]))
    _fill(image, square < HALF_SIDE, LIT)
    for k, (fx, fy) in enumerate(FEATURES):
        _fill(image, np.hypot(x - fx, y - fy) < RADIUS, _ink(k))
    # Colours are weighed by opacity, so that the corners have no dark rim.
    blocks = image.reshape(width, FINENESS, width, FINENESS, 4)
    opacity = blocks[..., 3:].mean(axis=(1, 3))
    ink = (blocks[..., :3] * blocks[..., 3:]).mean(axis=(1, 3))
    colour = ink / np.maximum(opacity, 1e-9)
    return np.rint(np.concatenate([colour, opacity * 255], axis=2)).astype(np.uint8)


def png(width: int) -> bytes:
    """Return the icon as a PNG file."""
    image = pixels(width)
    rows = b"".join(b"\0" + row.tobytes() for row in image)
    head = struct.pack(">IIBBBBB", width, width, 8, 6, 0, 0, 0)
    parts = [(b"IHDR", head), (b"IDAT", zlib.compress(rows, 9)), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(*part) for part in parts)


def ico(width: int) -> bytes:
    """Return the icon as an ICO file that holds one PNG."""
    content = png(width)
    entry = struct.pack("<BBBBHHII", width, width, 0, 0, 1, 32, len(content), 22)
    return struct.pack("<HHH", 0, 1, 1) + entry + content


def main() -> None:
    """Write all icons."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    (FOLDER / "icon.svg").write_text(svg(), encoding="utf-8")
    for width in (180, 192, 512):
        (FOLDER / f"icon-{width}.png").write_bytes(png(width))
    (FOLDER / "favicon.ico").write_bytes(ico(48))


def _ink(feature: int) -> str:
    return LIT if feature == BOUGHT else LINK


def _fill(image: NDArray, inside: NDArray, colour: str) -> None:
    red, green, blue = (int(colour[k : k + 2], 16) for k in (1, 3, 5))
    image[inside] = (red, green, blue, 1.0)


def _in_rounded_square(x: NDArray, y: NDArray) -> NDArray:
    half = SIZE / 2
    dx = np.maximum(abs(x - half) - (half - CORNER), 0)
    dy = np.maximum(abs(y - half) - (half - CORNER), 0)
    return np.hypot(dx, dy) < CORNER


def _to_segment(
    x: NDArray, y: NDArray, start: tuple[float, float], end: tuple[float, float]
) -> NDArray:
    """Distance of each point to a line between two points."""
    ux, uy = end[0] - start[0], end[1] - start[1]
    along = ((x - start[0]) * ux + (y - start[1]) * uy) / (ux**2 + uy**2)
    along = np.clip(along, 0, 1)
    return np.hypot(x - start[0] - along * ux, y - start[1] - along * uy)


def _chunk(kind: bytes, content: bytes) -> bytes:
    check = zlib.crc32(kind + content)
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", check)


if __name__ == "__main__":
    main()
