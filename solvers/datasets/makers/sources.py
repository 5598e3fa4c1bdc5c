"""Features that come in groups, each group from a source that is costly to read."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from ...costs.hypergraph import FeatureHypergraph
from ...values.knobs import Knob, Number
from ..base import Dataset
from ..options import Facts, checked_by
from .gaussian import linear_labels

__all__ = ["FACTS", "OPTIONS", "make_sources"]

FACTS = Facts(
    10_000,
    2,
    "invented",
    "BSD-3-Clause",
    "groups of features with a costly source: where sharing pays",
)

OPTIONS: dict[str, Knob] = {
    "n_sources": Number("Sources", 1, 10_000, integer=True, shown=(2, 100)),
    "features_per_source": Number(
        "Features per source", 1, 1000, integer=True, shown=(1, 20)
    ),
    "n_samples": Number("Rows", 100, 10_000_000, integer=True, shown=(1000, 20_000)),
    "noise": Number("Label noise", 0.0, 100.0, shown=(0.0, 3.0)),
}

SOURCE_COSTS = (1.0, 6.0)
OWN_COSTS = (0.1, 0.5)


@checked_by(OPTIONS)
def make_sources(
    n_sources: int = 20,
    features_per_source: int = 5,
    n_samples: int = 10_000,
    noise: float = 1.0,
    random_state: int | None = 0,
) -> Dataset:
    """Return normal features in groups whose members share a source.

    A source costs between 1 and 6, what each feature adds to it between 0.1 and 0.5,
    all uniformly. ``y = sign(X w + noise)``, where ``w`` is standard normal on a random
    half of the features. Once a source is paid, its other features cost little: what
    sharing is worth can be seen here.

    Parameters
    ----------
    n_sources : int, default=20
        Number of sources, and of blocks.
    features_per_source : int, default=5
        Number of features of each.
    n_samples : int, default=10_000
        Number of rows.
    noise : float, default=1.0
        Standard deviation of what is added before the sign is taken.
    random_state : int or None, default=0
        Seed.

    Returns
    -------
    Dataset

    Raises
    ------
    KnobError
        If an option lies outside of what `OPTIONS` allows.
    """
    rng = np.random.default_rng(random_state)
    n_features = n_sources * features_per_source
    X = rng.standard_normal((n_samples, n_features))
    y = linear_labels(X, noise, rng)
    source_of = np.repeat(np.arange(n_sources), features_per_source)
    sources = sparse.csr_array(
        (np.ones(n_features, dtype=bool), (source_of, np.arange(n_features)))
    )
    costs = [rng.uniform(*SOURCE_COSTS, n_sources), rng.uniform(*OWN_COSTS, n_features)]
    names = tuple(
        f"s{k}.{j}" for k in range(n_sources) for j in range(features_per_source)
    )
    hypergraph = FeatureHypergraph(
        sparse.vstack([sources, sparse.eye_array(n_features, dtype=bool)]),
        np.concatenate(costs),
        names,
        (*(f"source {k}" for k in range(n_sources)), *names),
    )
    return Dataset(
        name="sources",
        X=X,
        y=y,
        hypergraph=hypergraph,
        positive=1,
        source="Generated: groups of normal features, labels by a linear rule.",
        costs_note="Generated: sources cost U(1, 6), features U(0.1, 0.5).",
        fractions=(0.25, 0.25, 0.5),
    )
