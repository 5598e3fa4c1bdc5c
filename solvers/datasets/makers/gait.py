"""Simulated windows of an accelerometer, by the features of libraries people use.

Costs of scikit-learn's features are bundled; those of others are measured when the data
are made, since they hang on the version that is installed.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray
from sklearn.decomposition import PCA
from sklearn.pipeline import FeatureUnion, Pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler

from ...checks import library
from ...costs.hypergraph import FeatureHypergraph
from ...features.base import FeatureExtractor
from ...features.pipeline import FeaturePipeline
from ...features.tracing import FeatureFunction, TracedExtractor, trace_extractor
from ...features.tracing.adapters import sklearn_pipeline, tsfel_features
from ...numerics.arrays import Floats
from ...values.knobs import Choice, Knob, Number
from ..base import Dataset
from ..options import Facts, checked_by
from .bundled import priced_once, telling_columns

__all__ = [
    "DEFAULT_SAMPLES",
    "FACTS",
    "INSIDE",
    "OPTIONS",
    "gait_table",
    "library_features",
    "make_gait",
    "simulated_walks",
    "sklearn_features",
]

FACTS = Facts(
    600,
    2,
    "measured",
    "BSD-3-Clause",
    "simulated accelerometer windows by scikit-learn, TSFEL or pycatch22",
)


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
    extractor: FeatureExtractor
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
    X: Floats,
    labels: NDArray[np.str_],
    windows: Sequence[Any],
    extractor: FeatureExtractor,
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


TracedLibrary: TypeAlias = Literal["tsfel", "catch22"]
GaitFeatures: TypeAlias = Literal["sklearn", "tsfel", "catch22"]

#: Packages whose functions are watched; pycatch22 computes in C, unseen.
INSIDE: dict[TracedLibrary, list[str] | None] = {"tsfel": ["tsfel"], "catch22": None}
FITTED_ON = 200  # windows of other people than those of the table
OTHER_PEOPLE = 1_000_003  # a seed
QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)


def library_features(name: TracedLibrary) -> list[FeatureFunction]:
    """Return the features of a library, to be traced, or name the extra it needs."""
    if name == "tsfel":
        return tsfel_features(fs=HERTZ)
    pycatch22 = library("pycatch22", "catch22", "The list of features")
    names = [row["name"] for row in pycatch22.feature_table()]
    return [FeatureFunction(one, getattr(pycatch22, one)) for one in names]


def sklearn_features() -> FeaturePipeline:
    """Return a fitted pipeline of scikit-learn, a component for each of its steps.

    All columns need the scaled window, and most of them its spectrum.
    """
    windows, _ = simulated_walks(FITTED_ON, OTHER_PEOPLE)
    parts = FeatureUnion(
        [
            ("directions", PCA(5, random_state=0)),
            ("bands", FunctionTransformer(_bands)),
        ]
    )
    union = FeatureUnion(
        [
            ("shape", PCA(4, random_state=0)),
            ("levels", FunctionTransformer(_levels)),
            (
                "spectrum",
                Pipeline([("power", FunctionTransformer(_power)), ("of", parts)]),
            ),
        ]
    )
    whole = Pipeline([("scale", StandardScaler()), ("union", union)])
    return sklearn_pipeline(whole.fit(np.array(windows)), windows[0])


def _power(windows: Any) -> Any:
    return np.log1p(np.abs(np.fft.rfft(windows, axis=1)) ** 2)


def _bands(power: Any) -> Any:
    """Return the mean power of octaves: shape (n_windows, 6)."""
    edges = [1, 2, 4, 8, 16, 32, 65]
    bands = itertools.pairwise(edges)
    return np.column_stack([power[:, a:b].mean(axis=1) for a, b in bands])


def _levels(windows: Any) -> Any:
    return np.quantile(windows, QUANTILES, axis=1).T


HERTZ = 50.0
LENGTH = 128  # readings in a window: about two and a half seconds
HARMONICS = 4

#: Mean and deviation over people: steps a second, strength, fall of the harmonics
LEVEL = ((1.9, 0.18), (1.0, 0.25), (1.1, 0.3))
STAIRS = ((1.65, 0.22), (0.9, 0.3), (1.5, 0.4))
SWAY = {"level": 0.12, "stairs": 0.22}  # of the body, at half the rhythm
IMPACT = {"level": 0.5, "stairs": 0.35}  # of the heel, short and sharp
NOISE = 0.35


def simulated_walks(
    n: int, random_state: int | None = 0
) -> tuple[list[Floats], NDArray[np.str_]]:
    """Return windows of vertical acceleration and where each was walked.

    Shapes: each window (128,), labels (n,). Half of the windows are of each kind.
    """
    rng = np.random.default_rng(random_state)
    labels = np.where(np.arange(n) % 2 == 0, "level", "stairs")
    rng.shuffle(labels)
    return [_window(str(label), rng) for label in labels], labels


def _window(label: str, rng: np.random.Generator) -> Floats:
    habits = LEVEL if label == "level" else STAIRS
    rhythm, strength, fall = (rng.normal(*habit) for habit in habits)
    time = np.arange(LENGTH) / HERTZ
    turns = rhythm * time + rng.random() + 0.02 * rng.normal(size=LENGTH).cumsum()
    steps = sum(
        strength * k**-fall * np.cos(2 * np.pi * k * turns + rng.normal(0, 0.4))
        for k in range(1, HARMONICS + 1)
    )
    sway = SWAY[label] * rng.lognormal(0, 0.5) * np.cos(np.pi * turns)
    impact = IMPACT[label] * rng.lognormal(0, 0.4) * np.exp(-30 * (turns % 1.0))
    return np.asarray(steps + sway + impact + NOISE * rng.normal(size=LENGTH))
