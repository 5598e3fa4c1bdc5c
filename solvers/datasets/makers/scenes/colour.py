"""Colours of an image as features."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["MeanHue", "hue_histogram", "rgb4"]

Array = NDArray[np.float64]

_HUE_BINS = 16


def rgb4(image: NDArray[np.uint8]) -> Array:
    """Return red, green and blue of the four pixels in the middle.

    Shapes: `image` (height, width, 3) -> (12,).
    """
    row, column = image.shape[0] // 2, image.shape[1] // 2
    return image[row - 1 : row + 1, column - 1 : column + 1].ravel() / 255.0


class MeanHue:
    """Mean hue of one of 3 x 3 parts of the image."""

    def __init__(self, row: int, column: int) -> None:
        self.row, self.column = row, column

    def __call__(self, hue: Array) -> float:
        """Return the mean over the part."""
        height, width = hue.shape[0] // 3, hue.shape[1] // 3
        top, left = self.row * height, self.column * width
        return float(hue[top : top + height, left : left + width].mean())


def hue_histogram(hue: Array) -> Array:
    """Return the share of pixels in each of 16 ranges of hue.

    Shapes: `hue` (height, width) -> (16,).
    """
    bins = np.minimum((hue * _HUE_BINS).astype(np.int64), _HUE_BINS - 1)
    return np.bincount(bins.ravel(), minlength=_HUE_BINS) / hue.size
