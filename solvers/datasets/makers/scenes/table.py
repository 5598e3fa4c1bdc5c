"""Scenes as a table of features."""

from __future__ import annotations

from itertools import islice

import numpy as np
from numpy.typing import NDArray

from ..bundled import bundled_table, in_single_precision
from .features import scenes_pipeline
from .images import KINDS, scene_image

__all__ = [
    "BUNDLED_SAMPLES",
    "BUNDLED_SEED",
    "bundled_scenes",
    "row_image",
    "scene_table",
]

BUNDLED_SAMPLES = 1000
BUNDLED_SEED = 0


def row_image(row: int, random_state: int | None = BUNDLED_SEED) -> NDArray[np.uint8]:
    """Return the image that a row of the scenes was computed from.

    Shape: (64, 96, 3).
    """
    seed = np.random.SeedSequence(random_state, spawn_key=(row,))
    return scene_image(KINDS[row % len(KINDS)], int(seed.generate_state(1)[0]))


def scene_table(
    n_samples: int, random_state: int | None, keep: int = 0
) -> tuple[NDArray[np.float64], NDArray[np.str_], list[NDArray[np.uint8]]]:
    """Return features and kinds of images, and the first of the images.

    Shape: `X` (n_samples, 60), `y` (n_samples,), `images` (64, 96, 3).
    """
    if random_state is None:
        random_state = int(np.random.default_rng().integers(2**31))
    images = (row_image(row, random_state) for row in range(n_samples))
    kept = list(islice(images, min(keep, n_samples)))
    pipeline = scenes_pipeline()
    X = np.concatenate([pipeline.extract(kept), pipeline.extract(images)])
    y = np.array(KINDS)[np.arange(n_samples) % len(KINDS)]
    return in_single_precision(X), y, kept


def bundled_scenes(n_samples: int) -> tuple[NDArray[np.float64], NDArray[np.str_]]:
    """Return features and kinds of the images whose features are bundled.

    Shape: `X` (n_samples, 60), `y` (n_samples,).
    """
    table = bundled_table("scenes")
    return table["X"][:n_samples], np.array(KINDS)[table["kind"][:n_samples]]
