"""Textures of an image as features: Tamura's, Gabor's and Haralick's."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from .shared import LEVELS

__all__ = [
    "GABOR_ANGLES",
    "Gabor",
    "coarse_mean",
    "coarse_spread",
    "contrast",
    "direction",
    "haralick",
]

Array = NDArray[np.float64]

#: How many angles of stripes are told apart.
GABOR_ANGLES = 4

_DIRECTIONS = 16


def contrast(gray: Array) -> float:
    """Return Tamura's contrast: spread of brightness over its peakedness.

    Shapes: `gray` (height, width).
    """
    centred = gray - gray.mean()
    squares = centred * centred
    variance = float(squares.mean())
    if variance == 0.0:
        return 0.0
    fourth = float((squares * squares).mean())
    return float(variance / fourth**0.25)


def direction(gradient: tuple[Array, Array]) -> Array:
    """Return where edges point: their main axis, its sharpness, and their strength.

    Shape: (4,).
    Cosine and sine of twice the main angle, times how much edges agree; entropy of the
    angles over 16 ranges, from 0 to 1; mean strength.
    """
    down, across = gradient
    strength = np.hypot(down, across)
    total = float(strength.sum())
    if total == 0.0:
        return np.zeros(4)
    twice = 2.0 * np.arctan2(down, across)
    ranges = ((twice / (2.0 * np.pi)) % 1.0 * _DIRECTIONS).astype(np.int64)
    weights = np.bincount(ranges.ravel() % _DIRECTIONS, strength.ravel(), _DIRECTIONS)
    shares = weights[weights > 0].astype(np.float64) / total
    return np.array(
        [
            float((strength * np.cos(twice)).sum()) / total,
            float((strength * np.sin(twice)).sum()) / total,
            -float(shares @ np.log(shares)) / np.log(_DIRECTIONS),
            total / strength.size,
        ]
    )


def coarse_mean(boxes: Array) -> float:
    """Return Tamura's coarseness: the mean size of the boxes that differ most."""
    return float(boxes.mean())


def coarse_spread(boxes: Array) -> float:
    """Return the standard deviation of the sizes of the boxes that differ most."""
    return float(boxes.std())


class Gabor:
    """Mean strength of stripes of one width and one angle, by direct convolution."""

    def __init__(self, size: int, turn: int) -> None:
        self.size, self.turn = size, turn
        angle, half = np.pi * turn / GABOR_ANGLES, size // 2
        rows, columns = np.mgrid[-half : half + 1, -half : half + 1].astype(float)
        along = rows * np.cos(angle) + columns * np.sin(angle)
        window = np.exp(-(rows**2 + columns**2) / (2.0 * (size / 5.0) ** 2))
        kernel = window * np.cos(2.0 * np.pi * along / (size / 2.0))
        kernel -= window * kernel.sum() / window.sum()  # even gray gives nothing
        self.kernel = kernel / np.abs(kernel).sum()

    def __call__(self, gray: Array) -> float:
        """Return the mean of the absolute response."""
        return float(np.abs(ndimage.convolve(gray, self.kernel)).mean())


def haralick(levels: NDArray[np.int_]) -> Array:
    """Return Haralick's contrast, energy, homogeneity and correlation.

    Shapes: `levels` (height, width) -> (4,).
    Of pairs of pixels that lie side by side or one above the other.
    """
    across = levels[:, :-1] * LEVELS + levels[:, 1:]
    down = levels[:-1] * LEVELS + levels[1:]
    pairs = np.concatenate([across.ravel(), down.ravel()])
    counts = np.bincount(pairs, minlength=LEVELS**2).reshape(LEVELS, LEVELS)
    shares = (counts + counts.T) / (2.0 * pairs.size)
    i, j = np.mgrid[:LEVELS, :LEVELS]
    mean = float((shares * i).sum())
    variance = float((shares * (i - mean) ** 2).sum())
    together = float((shares * (i - mean) * (j - mean)).sum())
    return np.array(
        [
            float((shares * (i - j) ** 2).sum()),
            float((shares**2).sum()),
            float((shares / (1.0 + np.abs(i - j))).sum()),
            together / variance if variance > 0 else 1.0,
        ]
    )
