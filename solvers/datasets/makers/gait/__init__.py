"""Simulated windows of an accelerometer, by the features of libraries people use.

Costs of scikit-learn's features are bundled; those of others are measured when the data
are made, since they hang on the version that is installed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....costs.hypergraph import FeatureHypergraph
from ....features.pipeline import FeaturePipeline
from ....features.tracing import TracedExtractor, trace_extractor
from ....values.knobs import Choice, Knob, Number
from ...base import Dataset
from ...options import checked_by
from ..bundled import priced_once
from ..telling import telling_columns
from .features import (
    INSIDE,
    GaitFeatures,
    TracedLibrary,
    library_features,
    sklearn_features,
)
from .walking import simulated_walks

__all__ = [
    "DEFAULT_SAMPLES",
    "INSIDE",
    "OPTIONS",
    "gait_table",
    "library_features",
    "make_gait",
    "simulated_walks",
    "sklearn_features",
]

OPTIONS: dict[str, Knob] = {
    "features": Choice(
        "Features",
        ("sklearn", "tsfel", "catch22"),
        doc="Of scikit-learn, or of TSFEL or pycatch22 where they are installed.",
    ),
    "n_samples": Number("Windows", 100, 100_000, integer=True, shown=(100, 2000)),
}

DEFAULT_SAMPLES = 600
RAW_SAMPLES = 100
TRACED = 3  # windows that are enough to see who calls whom


@checked_by(OPTIONS)
def make_gait(
    features: GaitFeatures = "sklearn",
    n_samples: int = DEFAULT_SAMPLES,
    random_state: int | None = 0,
) -> Dataset:
    """Return windows of a simulated accelerometer, on level ground and on stairs.

    Parameters
    ----------
    features : {"sklearn", "tsfel", "catch22"}, default="sklearn"
        Whose features are computed: a fitted pipeline of scikit-learn, all of TSFEL
        (extra ``tsfel``) or pycatch22's (extra ``catch22``).
    n_samples : int, default=600
        Number of windows of 128 readings at 50 Hz. TSFEL takes seconds for 600.
    random_state : int or None, default=0
        Seed.

    Returns
    -------
    Dataset
        Labels "level" and "stairs"; costs in "us"; with what extracts its columns and
        the first 100 windows. Columns that are constant or not always finite are left
        out, with a note.

    Raises
    ------
    KnobError
        If there are too few windows or no such features.
    PipelineError
        If the library is not installed; names the extra.
    """
    windows, labels = simulated_walks(n_samples, random_state)
    extractor: FeaturePipeline | TracedExtractor
    if features == "sklearn":
        extractor = sklearn_features()
        priced, note = priced_once("gait", extractor)
    else:
        extractor = _traced(features, windows)
        priced = extractor.hypergraph()
        note = f"Measured: {extractor.measurement.machine}."
    X = extractor.extract(windows)
    return gait_table(X, labels, windows, extractor, priced, note)


def _traced(library: TracedLibrary, windows: Sequence[Any]) -> TracedExtractor:
    few = windows[:TRACED]
    return trace_extractor(library_features(library), few, inside=INSIDE[library])


def gait_table(
    X: NDArray[np.float64],
    labels: NDArray[np.str_],
    windows: Sequence[Any],
    extractor: FeaturePipeline | TracedExtractor,
    priced: FeatureHypergraph,
    costs_note: str,
) -> Dataset:
    """Return extracted windows as a data set, without columns that tell nothing.

    Shapes: `X` (n_windows, n_columns), `labels` (n_windows,).
    """
    X, priced, notes = telling_columns(X, priced)
    return Dataset(
        name="gait",
        X=X,
        y=labels,
        hypergraph=priced,
        positive="stairs",
        source="Simulated windows of an accelerometer: level ground, or stairs.",
        costs_note=costs_note,
        pipeline=extractor,
        samples=windows[:RAW_SAMPLES],
        notes=notes,
    )
