"""Synthetic photographs of ten kinds of scene that are easy to mistake.

Kinds come in pairs of about the same colours (beach and sea, fine and coarse leaves,
bus and flower, brick and weave), so that colour alone cannot tell them; mountains
share their blues with the sea, and only the pale dinosaur stands out.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from ....numerics.arrays import Floats

#: Height and width of an image.
SHAPE = (64, 96)

# Ranges of what differs from photograph to photograph of one kind: the noise of the
# pixels, how much brightness and colour stand out, how bright it is, and what hue.
_NOISE = (0.12, 0.28)
_STRENGTH = (0.45, 1.0)
_PALENESS = (0.35, 1.1)
_BRIGHTNESS = (0.7, 1.2)
_HUE_JITTER = 0.08

Canvas = Floats
Grid = tuple[Canvas, Canvas]


def scene_image(kind: str, seed: int) -> NDArray[np.uint8]:
    """Return a synthetic photograph.

    Shape: (64, 96, 3).
    """
    rng = np.random.default_rng([seed, KINDS.index(kind)])
    rows, columns = np.mgrid[: SHAPE[0], : SHAPE[1]].astype(float)
    hue, saturation, value = _PAINTERS[kind](rng, (rows, columns))
    hue = (hue + rng.normal(0.0, _HUE_JITTER)) % 1.0
    saturation = saturation * rng.uniform(*_PALENESS)
    value = value.mean() + (value - value.mean()) * rng.uniform(*_STRENGTH)
    value = value * rng.uniform(*_BRIGHTNESS)
    hue, value = _with_blob(rng, (rows, columns), hue, value)
    image = _rgb(hue, np.clip(saturation, 0.0, 1.0), np.clip(value, 0.0, 1.0))
    image += rng.normal(0.0, rng.uniform(*_NOISE), image.shape)
    return (255.0 * np.clip(image, 0.0, 1.0)).astype(np.uint8)


def _with_blob(
    rng: np.random.Generator, grid: Grid, hue: Canvas, value: Canvas
) -> tuple[Canvas, Canvas]:
    """Put something of another colour somewhere, as there is on most photographs."""
    rows, columns = grid
    centre = rng.uniform(0, SHAPE[0]), rng.uniform(0, SHAPE[1])
    radius = rng.uniform(5.0, 18.0)
    inside = (rows - centre[0]) ** 2 + (columns - centre[1]) ** 2 < radius**2
    return (
        np.where(inside, rng.uniform(), hue),
        np.where(inside, rng.uniform(0.3, 0.9), value),
    )


def _rgb(hue: Canvas, saturation: Canvas, value: Canvas) -> Floats:
    """Return hue, saturation and value as red, green and blue, all in [0, 1]."""
    sector = (hue[..., np.newaxis] * 6.0 + np.array([5.0, 3.0, 1.0])) % 6.0
    ramp = np.clip(np.minimum(sector, 4.0 - sector), 0.0, 1.0)
    return value[..., np.newaxis] * (1.0 - saturation[..., np.newaxis] * ramp)


def _even(level: float) -> Canvas:
    return np.full(SHAPE, level)


def _grain(rng: np.random.Generator, scale: float) -> Canvas:
    """Return smooth noise of a scale in pixels, from about -1 to 1."""
    noise = ndimage.gaussian_filter(rng.standard_normal(SHAPE), scale, mode="wrap")
    return noise / (2.0 * noise.std())


def _wave(grid: Grid, period: float, angle: float, phase: float) -> Canvas:
    """Return stripes from -1 to 1; at angle 0 they lie flat."""
    rows, columns = grid
    along = rows * np.cos(angle) + columns * np.sin(angle)
    return np.sin(2.0 * np.pi * along / period + phase)


# ----------------------------------------------------------------------------- painters


def _beach(rng: np.random.Generator, grid: Grid) -> tuple[Canvas, Canvas, Canvas]:
    shore = rng.uniform(0.6, 0.85) * SHAPE[0] + 2.0 * _grain(rng, 12.0)[0]
    is_sand = grid[0] > shore
    hue = np.where(is_sand, 0.11, 0.56)
    value = np.where(is_sand, 0.8 + 0.08 * _grain(rng, 1.0), 0.7)
    return hue, np.where(is_sand, 0.35, 0.5), value + 0.05 * _grain(rng, 8.0)


def _sea(rng: np.random.Generator, grid: Grid) -> tuple[Canvas, Canvas, Canvas]:
    waves = _wave(grid, rng.uniform(5.0, 12.0), rng.normal(0.0, 0.3), rng.uniform(0, 6))
    foam = rng.uniform(0.7, 0.9) * SHAPE[0] < grid[0]
    hue = np.where(foam & (waves > 0.6), 0.13, 0.57)
    return hue, _even(0.5), 0.65 + 0.2 * waves


def _leaves(
    rng: np.random.Generator, grid: Grid, scales: tuple[float, float]
) -> tuple[Canvas, Canvas, Canvas]:
    grain = _grain(rng, rng.uniform(*scales))
    return 0.30 + 0.03 * grain, _even(0.6), 0.5 + 0.28 * grain


def _bus(rng: np.random.Generator, grid: Grid) -> tuple[Canvas, Canvas, Canvas]:
    rows, columns = grid
    top, left = rng.uniform(8, 20), rng.uniform(4, 20)
    height, width = rng.uniform(26, 38), rng.uniform(55, 72)
    body = (rows > top) & (rows < top + height)
    body &= (columns > left) & (columns < left + width)
    pane = rng.uniform(9.0, 14.0)
    panes = body & (rows > top + 4) & (rows < top + 0.5 * height)
    panes &= (columns - left) % pane < 0.7 * pane
    hue = np.where(body, 0.02, 0.30)
    value = np.where(panes, 0.25, np.where(body, 0.8, 0.5))
    return hue, np.where(body, 0.75, 0.3), value


def _flower(rng: np.random.Generator, grid: Grid) -> tuple[Canvas, Canvas, Canvas]:
    rows = grid[0] - rng.uniform(24, 40)
    columns = grid[1] - rng.uniform(34, 62)
    distance, angle = np.hypot(rows, columns), np.arctan2(rows, columns)
    petals = rng.integers(5, 9)
    edge = rng.uniform(17, 25) * (
        0.7 + 0.3 * np.cos(petals * angle + rng.uniform(0, 6))
    )
    inside = distance < edge
    shade = 0.8 - 0.25 * (distance / np.maximum(edge, 1.0)) ** 2
    hue = np.where(inside, 0.01, 0.30)
    return hue, np.where(inside, 0.7, 0.35), np.where(inside, shade, 0.5)


def _brick(rng: np.random.Generator, grid: Grid) -> tuple[Canvas, Canvas, Canvas]:
    rows, columns = grid
    height, width = rng.uniform(7.0, 10.0), rng.uniform(15.0, 21.0)
    course = np.floor((rows + rng.uniform(0, 9)) / height)
    across = (columns + rng.uniform(0, 9) + 0.5 * width * (course % 2)) % width
    joint = ((rows + rng.uniform(0, 9)) % height < 1.6) | (across < 1.6)
    value = np.where(joint, 0.85, 0.5 + 0.06 * _grain(rng, 2.0))
    return _even(0.05), np.where(joint, 0.2, 0.55), value


def _weave(rng: np.random.Generator, grid: Grid) -> tuple[Canvas, Canvas, Canvas]:
    period, turn = rng.uniform(5.0, 10.0), rng.normal(np.pi / 4, 0.25)
    threads = _wave(grid, period, turn, 0.0) * _wave(grid, period, -turn, 0.0)
    return _even(0.06), _even(0.45), 0.58 + 0.24 * threads


def _mountain(rng: np.random.Generator, grid: Grid) -> tuple[Canvas, Canvas, Canvas]:
    rows, columns = grid
    ridge = _even(float(SHAPE[0]))
    for _ in range(rng.integers(2, 4)):
        peak, steep = rng.uniform(10, 32), rng.uniform(0.6, 1.2)
        slope = peak + steep * np.abs(columns - rng.uniform(10, 86))
        ridge = np.minimum(ridge, slope)
    rock = rows > ridge
    snow = rock & (rows < ridge + 7.0)
    value = np.where(snow, 0.9, np.where(rock, 0.4 + 0.1 * _grain(rng, 2.0), 0.75))
    return _even(0.58), np.where(snow, 0.05, np.where(rock, 0.3, 0.45)), value


def _dinosaur(rng: np.random.Generator, grid: Grid) -> tuple[Canvas, Canvas, Canvas]:
    rows = (grid[0] - rng.uniform(32, 44)) / rng.uniform(9, 13)
    columns = (grid[1] - rng.uniform(38, 58)) / rng.uniform(17, 25)
    body = rows**2 + columns**2 < 1.0
    neck = (np.abs(columns - 0.8 + 0.3 * rows) < 0.16) & (rows < 0) & (rows > -2.2)
    inside = body | neck
    value = np.where(inside, 0.55 + 0.1 * _grain(rng, 1.5), 0.95)
    return np.where(inside, 0.08, 0.15), np.where(inside, 0.4, 0.12), value


Painter = Callable[[np.random.Generator, Grid], tuple[Canvas, Canvas, Canvas]]

_PAINTERS: dict[str, Painter] = {
    "beach": _beach,
    "sea": _sea,
    "fine leaves": partial(_leaves, scales=(0.9, 1.6)),
    "coarse leaves": partial(_leaves, scales=(1.9, 3.6)),
    "bus": _bus,
    "flower": _flower,
    "brick": _brick,
    "weave": _weave,
    "mountain": _mountain,
    "dinosaur": _dinosaur,
}

#: Names of the ten kinds.
KINDS = tuple(_PAINTERS)
