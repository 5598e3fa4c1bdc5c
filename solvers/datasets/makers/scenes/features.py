"""Sixty features of an image in 28 groups, and the work that they share.

The kinds and counts of Table 1 of Liu et al., "TEFE: a time-efficient approach to
feature extraction", 2008. Each function is a component; a function that gives several
values is a group, and a step that costs next to nothing takes each value out of it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import itemgetter
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from ....features.pipeline import FeaturePipeline, Step
from ....numerics.arrays import Floats, Integers

Array = Floats

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


def levels(gray: Array) -> Integers:
    """Return brightness in 16 levels.

    Shapes: `gray` (height, width) -> (height, width).
    """
    return np.minimum((gray * LEVELS).astype(np.int64), LEVELS - 1)


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


def haralick(levels: Integers) -> Array:
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


_GABOR_SIZES = (7, 11, 17)


class InSpreads:
    """A function whose values are given in units of their spread over images.

    A linear machine weighs features as they come: so they come at similar sizes.
    """

    def __init__(
        self, function: Callable[[Any], Any], spread: float | Sequence[float]
    ) -> None:
        self.function, self.spread = function, np.asarray(spread)

    def __call__(self, value: Any) -> Any:
        """Return the values in units of their spread."""
        return self.function(value) / self.spread


#: Functions whose values several groups need.
SHARED = ("scaled", "gray", "hue", "gradient", "integral", "boxes", "levels")

_GABORS = {
    f"gabor_{size}_{turn}": Gabor(size, turn)
    for size in _GABOR_SIZES
    for turn in range(GABOR_ANGLES)
}
_MEAN_HUES = {
    f"mean_hue_{row}{column}": MeanHue(row, column)
    for row in range(3)
    for column in range(3)
}
# What is computed for each group, from what, and its typical spread over scenes.
_GROUP_STEPS: dict[str, tuple[Callable[[Any], Any], str, Any]] = {
    "rgb4": (rgb4, "image", 0.25),
    **{name: (part, "hue", 0.075) for name, part in _MEAN_HUES.items()},
    "hue_histogram": (hue_histogram, "hue", 0.033),
    "contrast": (contrast, "gray", 0.023),
    "direction": (direction, "gradient", (0.06, 0.03, 0.006, 0.05)),
    "coarse_mean": (coarse_mean, "boxes", 1.2),
    "coarse_spread": (coarse_spread, "boxes", 0.9),
    **{name: (gabor, "gray", 0.006) for name, gabor in _GABORS.items()},
    "haralick": (haralick, "levels", (3.6, 0.011, 0.05, 0.17)),
}
# How many values the groups of more than one have.
_SIZES = {"rgb4": 12, "hue_histogram": 16, "direction": 4, "haralick": 4}

#: Names of the 28 groups, in the order of Table 1.
GROUPS = tuple(_GROUP_STEPS)

# Table 1 gives one time a line; where a line has several groups it is shared evenly,
# and that of the Gabor filters, a range, grows with the area of the filter.
_GABOR_SECONDS = {
    size: 0.021 + (0.096 - 0.021) * (size**2 - 49) / (289 - 49) for size in _GABOR_SIZES
}

#: Published seconds of each group for an image of 384 x 256 pixels.
PUBLISHED_SECONDS: dict[str, float] = {
    "rgb4": 4e-4,
    **dict.fromkeys(_MEAN_HUES, 5e-3 / 9),
    "hue_histogram": 6.6e-3,
    "contrast": 8.3e-2,
    "direction": 4.0e-2,
    "coarse_mean": 6.5e-2,
    "coarse_spread": 6.5e-2,
    **{name: _GABOR_SECONDS[gabor.size] for name, gabor in _GABORS.items()},
    "haralick": 9.4e-2,
}


def scene_groups() -> tuple[tuple[str, ...], ...]:
    """Return the features of each group.

    28 groups of 60 features in all, in the order of the columns.
    """
    return tuple(
        tuple(f"{group}_{i}" for i in range(_SIZES[group]))
        if group in _SIZES
        else (group,)
        for group in GROUPS
    )


def scenes_pipeline() -> FeaturePipeline:
    """Return the functions that compute the sixty features of an image.

    Its input is ``image``, an array of uint8 of shape (height, width, 3).
    """
    whole: list[Any] = [scaled, gray, hue, gradient, integral, boxes, levels]
    steps = [
        *(Step(function.__name__, function) for function in whole),
        *(
            Step(name, InSpreads(function, spread), [need])
            for name, (function, need, spread) in _GROUP_STEPS.items()
        ),
        *(
            Step(f"{group}_{i}", itemgetter(i), [group])
            for group, size in _SIZES.items()
            for i in range(size)
        ),
    ]
    features = [name for group in scene_groups() for name in group]
    return FeaturePipeline(steps, inputs=["image"], features=features)
