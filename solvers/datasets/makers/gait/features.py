"""Features of a window of gait, by libraries that people use."""

from __future__ import annotations

import itertools
from typing import Any, Literal, TypeAlias

import numpy as np
from sklearn.decomposition import PCA
from sklearn.pipeline import FeatureUnion, Pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler

from ....features.pipeline import FeaturePipeline
from ....features.tracing import FeatureFunction
from ....features.tracing.adapters import sklearn_pipeline, tsfel_features
from ....features.tracing.adapters.extras import library
from .walking import HERTZ, simulated_walks

__all__ = [
    "INSIDE",
    "GaitFeatures",
    "TracedLibrary",
    "library_features",
    "sklearn_features",
]

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
    pycatch22 = library("pycatch22", "catch22")
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
