"""Two regions of the table in which different features matter: made for adaptivity."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...costs.hypergraph import FeatureHypergraph
from ...costs.incidence import ComponentKind
from ...values.knobs import Knob, Number
from ..base import Dataset
from ..options import Facts, checked_by

__all__ = ["FACTS", "OPTIONS", "make_regions"]

FACTS = Facts(
    6000,
    2,
    "invented",
    "BSD-3-Clause",
    "which features count depends on the row: where adaptive methods pay",
)

OPTIONS: dict[str, Knob] = {
    "features_per_region": Number(
        "Features per region", 1, 1000, integer=True, shown=(2, 30)
    ),
    "n_samples": Number("Rows", 100, 10_000_000, integer=True, shown=(1000, 20_000)),
    "noise": Number("Label noise", 0.0, 100.0, shown=(0.0, 3.0)),
}

READER_COST = 10.0
OWN_COST = 0.5


@checked_by(OPTIONS)
def make_regions(
    features_per_region: int = 10,
    n_samples: int = 6000,
    noise: float = 0.3,
    random_state: int | None = 0,
) -> Dataset:
    """Return a table in which the sign of one cheap feature says which others matter.

    All features are standard normal. Where the feature ``gate`` is positive the label
    is ``sign(A w_a + noise)``, elsewhere ``sign(B w_b + noise)``, with standard normal
    weights. Features of each half share a reader that costs 10; every feature costs 0.5
    more. A method that asks every row for the same features needs both readers; one
    that looks at the gate first needs one.

    Parameters
    ----------
    features_per_region : int, default=10
        Number of features of each half, A and B.
    n_samples : int, default=6000
        Number of rows.
    noise : float, default=0.3
        Standard deviation of what is added before the sign is taken.
    random_state : int or None, default=0
        Seed.

    Returns
    -------
    Dataset
        21 features and 23 components unless otherwise asked; costs without unit of
        time, "us" in name only.

    Raises
    ------
    KnobError
        If an option lies outside of what `OPTIONS` allows.
    """
    rng = np.random.default_rng(random_state)
    X = rng.standard_normal((n_samples, 1 + 2 * features_per_region))
    return Dataset(
        name="regions",
        X=X,
        y=_labels(X, noise, rng),
        hypergraph=_hypergraph(features_per_region),
        positive=1,
        source="Generated: the sign of a gate says which half of the features counts.",
        costs_note="Illustrative: a reader for each half costs 10, every feature 0.5.",
    )


def _labels(
    X: NDArray[np.float64], noise: float, rng: np.random.Generator
) -> NDArray[np.int_]:
    half = (X.shape[1] - 1) // 2
    weights = rng.standard_normal((2, half))
    first, second = X[:, 1 : 1 + half] @ weights[0], X[:, 1 + half :] @ weights[1]
    scores = np.where(X[:, 0] > 0, first, second)
    return np.where(scores + noise * rng.standard_normal(len(X)) > 0, 1, -1)


def _hypergraph(half: int) -> FeatureHypergraph:
    names = ("gate", *(f"{region}{j}" for region in "ab" for j in range(half)))
    own = np.eye(len(names), dtype=bool)
    readers = [[name.startswith(region) for name in names] for region in "ab"]
    kinds: list[ComponentKind] = ["generation", "generation"]
    kinds += ["utilisation"] * len(names)
    return FeatureHypergraph(
        np.vstack([readers, own]),
        np.array([READER_COST] * 2 + [OWN_COST] * len(names)),
        names,
        ("reader a", "reader b", *(f"use {name}" for name in names)),
        tuple(kinds),
    )
