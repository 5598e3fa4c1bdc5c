"""Handwritten digits as images, by features whose code repeats work: traced, measured.

The features and the costs are bundled. To make both files anew, with costs measured on
your machine::

    python -m benchmarks.bundles digit_images FOLDER
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from sklearn.datasets import load_digits

from ....costs.hypergraph import FeatureHypergraph
from ....features.base import FeatureExtractor
from ....features.tracing import TracedExtractor, trace_extractor
from ....numerics.arrays import Floats
from ...base import Dataset
from ...options import Facts
from ..bundled import bundled_table, in_single_precision, priced_once
from .features import IMAGE_FEATURES

__all__ = [
    "FACTS",
    "IMAGE_FEATURES",
    "digit_images",
    "image_table",
    "make_digit_images",
    "traced_images",
]

FACTS = Facts(
    1797,
    10,
    "measured",
    "CC BY 4.0",
    "real images, features written by hand that repeat work; traced",
)

SOURCE = (
    "Optical recognition of handwritten digits, as bundled with scikit-learn, by "
    "features of our own."
)
TRACED = 3  # images that are enough to see who calls whom
RAW_SAMPLES = 300


def make_digit_images() -> Dataset:
    """Return 1797 images of handwritten digits, by eighteen features of each image.

    The features are plain functions that enlarge the image, look for its outline or
    take its spectrum each for itself. `trace_extractor` finds that six such steps are
    shared, and prices them: together the features take a quarter of what they would
    one by one.

    Returns
    -------
    Dataset
        18 features, 24 components; ten classes; costs in "us"; with the traced
        extractor and the first 300 images.

    Notes
    -----
    The images are real and the costs are measured. The features are ours, written to
    be read rather than to win.
    """
    images, y = digit_images()
    traced = traced_images(images)
    X = bundled_table("digit_images")["X"]
    return image_table(X, y, images, traced, *priced_once("digit_images", traced))


def image_table(
    X: Floats,
    labels: NDArray[np.str_],
    images: Sequence[Floats],
    extractor: FeatureExtractor,
    priced: FeatureHypergraph,
    costs_note: str,
) -> Dataset:
    """Return extracted images as a data set.

    Shapes: `X` (n_images, 18), `labels` (n_images,).
    """
    return Dataset(
        name="digit_images",
        X=in_single_precision(X),
        y=labels,
        hypergraph=priced,
        source=SOURCE,
        costs_note=costs_note,
        pipeline=extractor,
        samples=images[:RAW_SAMPLES],
    )


def digit_images() -> tuple[list[Floats], NDArray[np.str_]]:
    """Return the images, 8 by 8 pixels from 0 to 16, and the digits that they show."""
    table = load_digits()
    return list(table.images), table.target.astype(str)


def traced_images(images: list[Floats]) -> TracedExtractor:
    """Return the features of some images with all that they share, however cheap."""
    few = images[:: max(1, len(images) // TRACED)][:TRACED]
    return trace_extractor(IMAGE_FEATURES, few, share_above=0.0)
