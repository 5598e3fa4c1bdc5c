"""scikit-learn's breast cancer table, with the outline of each trace drawn once."""

from __future__ import annotations

import numpy as np
from sklearn.datasets import load_breast_cancer

from ...costs.hypergraph import FeatureHypergraph
from ...costs.incidence import ComponentKind
from ..base import Dataset
from ..options import Facts

__all__ = ["FACTS", "make_breast_cancer"]

FACTS = Facts(
    569,
    2,
    "invented",
    "CC BY 4.0",
    "real rows, a costly step that three features share",
)

#: Illustrative milliseconds to trace a quantity on every nucleus of an image.
TRACE_COSTS = {
    "radius": 3.0,
    "texture": 6.0,
    "perimeter": 3.0,
    "area": 2.0,
    "smoothness": 4.5,
    "compactness": 4.0,
    "concavity": 5.5,
    "concave points": 5.0,
    "symmetry": 4.0,
    "fractal dimension": 5.0,
}
#: Illustrative milliseconds to sum a trace up, and for the model to use the number.
STATISTIC_COSTS = {"mean": 0.2, "error": 0.4, "worst": 0.3}
UTILISATION_COST = 0.02


def make_breast_cancer() -> Dataset:
    """Return 569 images of cell nuclei: 10 traces, each summed up by 3 statistics.

    A trace, such as the radius of every nucleus in the image, is a component that its
    mean, its error and its worst value share. Each statistic has a generation and a
    utilisation component of its own. Malignant is the positive class.

    Returns
    -------
    Dataset
        30 features, 70 components in 10 blocks; costs in "ms".

    Notes
    -----
    The rows are real. The costs are made up, in a plausible order of magnitude.
    """
    table = load_breast_cancer()
    features = tuple(str(name) for name in table.feature_names)
    parts = [_trace_and_statistic(name) for name in features]
    traces = np.array([[trace == of for of, _ in parts] for trace in TRACE_COSTS])
    own = np.eye(len(features), dtype=bool)
    costs = np.array(
        [
            *TRACE_COSTS.values(),
            *(STATISTIC_COSTS[statistic] for _, statistic in parts),
            *[UTILISATION_COST] * len(features),
        ]
    )
    kinds: list[ComponentKind] = ["generation"] * (len(traces) + len(own))
    kinds += ["utilisation"] * len(own)
    hypergraph = FeatureHypergraph(
        np.vstack([traces, own, own]),
        costs,
        features,
        (
            *(f"trace {trace}" for trace in TRACE_COSTS),
            *features,
            *(f"use {name}" for name in features),
        ),
        tuple(kinds),
        unit="ms",
    )
    return Dataset(
        name="breast_cancer",
        X=np.asarray(table.data, dtype=np.float64),
        y=table.target_names[table.target],
        hypergraph=hypergraph,
        positive="malignant",
        source="Breast Cancer Wisconsin (Diagnostic), as bundled with scikit-learn.",
        costs_note="Illustrative: nobody measured these costs.",
    )


def _trace_and_statistic(feature: str) -> tuple[str, str]:
    for statistic in ("mean", "worst"):
        if feature.startswith(statistic):
            return feature.removeprefix(f"{statistic} "), statistic
    return feature.removesuffix(" error"), "error"
