"""Image features written down one after the other, each for itself.

Written as people write them: whoever needs a larger image, an outline or a spectrum
computes one. Nothing here says what features share; `solvers.features.tracing` finds
it.

An image is an array of 8 by 8 pixels, from 0 (paper) to 16 (ink).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import fft, ndimage

from ....numerics.arrays import Floats, Mask

Image = Floats

DARKEST = 16.0
LARGER = 4  # times as many pixels a side
COARSE = 3  # frequencies up to here are strokes, beyond them details

# ----------------------------------------------------------------- what features need


def enlarged(image: Image) -> Image:
    """Return the image with four times as many pixels a side, from 0 to 1."""
    larger = ndimage.zoom(image, LARGER, order=1)
    return np.asarray(larger / DARKEST, dtype=np.float64)


def ink(image: Image) -> Mask:
    """Return where there is ink."""
    smooth = ndimage.uniform_filter(enlarged(image), 3)
    return np.asarray(smooth > 0.5 * smooth.max())


def gradients(image: Image) -> tuple[Image, Image]:
    """Return how darkness changes downwards and to the right."""
    larger = enlarged(image)
    return ndimage.sobel(larger, 0), ndimage.sobel(larger, 1)


def depth(image: Image) -> Image:
    """Return how far each spot of ink is from the nearest paper."""
    return np.asarray(ndimage.distance_transform_edt(ink(image)))


def moments(image: Image) -> Image:
    """Return the centre, both variances and the covariance of the darkness."""
    larger = enlarged(image)
    weights = larger / larger.sum()
    down, right = np.mgrid[: len(larger), : len(larger)]
    centre = (weights * down).sum(), (weights * right).sum()
    down, right = down - centre[0], right - centre[1]
    spread = (weights * down**2).sum(), (weights * right**2).sum()
    return np.array([*centre, *spread, (weights * down * right).sum()])


def spectrum(image: Image) -> Image:
    """Return the power of each frequency, down and to the right."""
    return np.asarray(np.abs(fft.rfft2(enlarged(image))) ** 2)


# --------------------------------------------------------------------------- features


def darkness(image: Image) -> float:
    """Return the mean darkness."""
    return float(image.mean() / DARKEST)


def ink_share(image: Image) -> float:
    """Return the share of the paper that is covered."""
    return float(ink(image).mean())


def holes(image: Image) -> float:
    """Return how many pieces of paper the ink encloses."""
    return float(ndimage.label(~np.pad(ink(image), 1))[1] - 1)


def strokes(image: Image) -> float:
    """Return how many pieces the ink consists of."""
    return float(ndimage.label(ink(image))[1])


def thickness(image: Image) -> float:
    """Return half the width of the thickest stroke, in pixels."""
    return float(depth(image).max())


def mean_thickness(image: Image) -> float:
    """Return the mean distance of ink from paper, in pixels."""
    far = depth(image)
    return float(far[far > 0].mean())


def height_of_centre(image: Image) -> float:
    """Return how far down the centre of the ink is, in pixels."""
    return float(moments(image)[0])


def side_of_centre(image: Image) -> float:
    """Return how far to the right the centre of the ink is, in pixels."""
    return float(moments(image)[1])


def elongation(image: Image) -> float:
    """Return how much higher than wide the ink is, as a logarithm."""
    values = moments(image)
    return float(np.log(values[2] / values[3]))


def slant(image: Image) -> float:
    """Return how far the ink leans, as a share of its height."""
    values = moments(image)
    return float(values[4] / values[2])


def edges(image: Image) -> float:
    """Return the mean strength of the outline."""
    down, right = gradients(image)
    return float(np.hypot(down, right).mean())


def level_edges(image: Image) -> float:
    """Return the share of the outline that runs from left to right."""
    down, right = gradients(image)
    return float(np.abs(down).sum() / (np.abs(down).sum() + np.abs(right).sum()))


def rising_edges(image: Image) -> float:
    """Return by how much more of the outline rises to the right than falls."""
    down, right = gradients(image)
    return float((down * right).mean() / (down**2 + right**2).mean())


def detail(image: Image) -> float:
    """Return the share of the power that lies in fine detail."""
    power = spectrum(image)
    strong = power[:COARSE, :COARSE].sum() + power[1 - COARSE :, :COARSE].sum()
    return float(1 - strong / power.sum())


def level_rhythm(image: Image) -> float:
    """Return the share of the power that repeats downwards."""
    power = spectrum(image)
    return float(power[1:, 0].sum() / (power.sum() - power[0, 0]))


def left_right_symmetry(image: Image) -> float:
    """Return how alike the left and the right half are."""
    larger = enlarged(image)
    return _likeness(larger, larger[:, ::-1])


def top_bottom_symmetry(image: Image) -> float:
    """Return how alike the upper and the lower half are."""
    larger = enlarged(image)
    return _likeness(larger, larger[::-1])


def turned_symmetry(image: Image) -> float:
    """Return how alike the image is to itself upside down."""
    larger = enlarged(image)
    return _likeness(larger, larger[::-1, ::-1])


def _likeness(one: Any, other: Any) -> float:
    return float((one * other).sum() / (one * one).sum())


IMAGE_FEATURES = {
    function.__name__: function
    for function in (
        darkness,
        ink_share,
        holes,
        strokes,
        thickness,
        mean_thickness,
        height_of_centre,
        side_of_centre,
        elongation,
        slant,
        edges,
        level_edges,
        rising_edges,
        detail,
        level_rhythm,
        left_right_symmetry,
        top_bottom_symmetry,
        turned_symmetry,
    )
}
