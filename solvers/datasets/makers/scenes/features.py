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

from ....features.pipeline import FeaturePipeline, Step
from .colour import MeanHue, hue_histogram, rgb4
from .shared import boxes, gradient, gray, hue, integral, levels, scaled
from .texture import (
    GABOR_ANGLES,
    Gabor,
    coarse_mean,
    coarse_spread,
    contrast,
    direction,
    haralick,
)

__all__ = [
    "GROUPS",
    "PUBLISHED_SECONDS",
    "SHARED",
    "scene_groups",
    "scenes_pipeline",
]

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
