"""What several features of an image need: computed once, used by all."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["LEVELS", "boxes", "gradient", "gray", "hue", "integral", "levels", "scaled"]

Array = NDArray[np.float64]

#: Levels of brightness that `levels` tells apart.
LEVELS = 16

_BOX_SCALES = 4


def scaled(image: NDArray[np.uint8]) -> Array:
    """Return the image with channels from 0 to 1.

    Shapes: `image` (height, width, 3) -> (height, width, 3).
    """
    return image / 255.0


def gray(scaled: Array) -> Array:
    """Return how bright each pixel is.

    Shapes: `scaled` (height, width, 3) -> (height, width).
    """
    return scaled @ np.array([0.299, 0.587, 0.114])


def hue(scaled: Array) -> Array:
    """Return the hue of each pixel, from 0 to 1; that of grays is 0.

    Shapes: `scaled` (height, width, 3) -> (height, width).
    """
    red, green, blue = scaled[..., 0], scaled[..., 1], scaled[..., 2]
    largest = scaled.max(axis=2)
    spread = largest - scaled.min(axis=2)
    safe = np.where(spread > 0, spread, 1.0)
    angle = np.where(
        largest == red,
        (green - blue) / safe % 6.0,
        np.where(
            largest == green, (blue - red) / safe + 2.0, (red - green) / safe + 4.0
        ),
    )
    return np.where(spread > 0, angle / 6.0, 0.0)


def gradient(gray: Array) -> tuple[Array, Array]:
    """Return how brightness changes down and across.

    Shapes: `gray` (height, width) -> `down, across` (height - 2, width - 2).
    """
    down = gray[2:, 1:-1] - gray[:-2, 1:-1]
    return down, gray[1:-1, 2:] - gray[1:-1, :-2]


def integral(gray: Array) -> Array:
    """Return the sum of brightness above and to the left of each pixel.

    Shapes: `gray` (height, width) -> (height + 1, width + 1).
    """
    table = np.zeros((gray.shape[0] + 1, gray.shape[1] + 1))
    np.cumsum(np.cumsum(gray, axis=0), axis=1, out=table[1:, 1:])
    return table


def boxes(integral: Array) -> Array:
    """Return the size of box that differs most from its neighbour, at each pixel.

    Shapes: `integral` (height + 1, width + 1).
    Sizes 1, 2, 4, ... of Tamura's coarseness, away from the border.
    """
    reach = 2**_BOX_SCALES
    height, width = integral.shape[0] - 1 - 2 * reach, integral.shape[1] - 1 - 2 * reach
    contrasts = []
    for scale in range(_BOX_SCALES):
        half = 2**scale
        side = 2 * half
        means = (
            integral[side:, side:]
            - integral[:-side, side:]
            - integral[side:, :-side]
            + integral[:-side, :-side]
        ) / side**2
        # means[r, c] is that of the box whose middle is the corner (r + half, c + half)
        at = reach - half
        rows, columns = slice(at, at + height), slice(at, at + width)
        left, right = slice(at - half, at - half + width), slice(at + half, None)
        across = np.abs(means[rows, right][:, :width] - means[rows, left])
        up, below = slice(at - half, at - half + height), slice(at + half, None)
        down = np.abs(means[below, columns][:height] - means[up, columns])
        contrasts.append(np.maximum(across, down))
    return 2.0 ** np.argmax(contrasts, axis=0)


def levels(gray: Array) -> NDArray[np.int_]:
    """Return brightness in 16 levels.

    Shapes: `gray` (height, width) -> (height, width).
    """
    return np.minimum((gray * LEVELS).astype(np.int64), LEVELS - 1)
