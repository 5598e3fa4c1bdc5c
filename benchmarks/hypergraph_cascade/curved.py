"""Two data sets that no linear function of the features can answer."""

from __future__ import annotations

import numpy as np
from sklearn.datasets import make_hastie_10_2

from solvers import Dataset, FeatureHypergraph

__all__ = ["hastie", "interactions"]

# Features of a group share a reader; what each adds is little.
_READERS, _OWN = (1.0, 6.0), (0.1, 0.5)


def hastie(n_samples: int, random_state: int) -> Dataset:
    """Return Hastie's sphere: positive where ten normal features are far from 0.

    Five readers give two of its features each; five more give noise.
    """
    X, y = make_hastie_10_2(n_samples, random_state=random_state)
    rng = np.random.default_rng(random_state)
    wide = np.hstack([X, rng.standard_normal(X.shape)])
    return _dataset("hastie", wide, y > 0, 2, rng)


def interactions(n_samples: int, random_state: int) -> Dataset:
    """Return signs of products: ``y = x0 x1 + x4 x5 + x8 x9 + noise > 0``.

    Features come in sixes of four a reader, two of which say nothing; a feature of a
    product alone says nothing either.
    """
    rng = np.random.default_rng(random_state)
    X = rng.standard_normal((n_samples, 24))
    told = sum(X[:, j] * X[:, j + 1] for j in (0, 4, 8))
    noise = 0.3 * rng.standard_normal(n_samples)
    return _dataset("interactions", X, told + noise > 0, 4, rng)


def _dataset(name, X, is_positive, group: int, rng) -> Dataset:
    n_features = X.shape[1]
    readers = np.arange(n_features) // group
    n_readers = int(readers.max()) + 1
    incidence = np.vstack(
        [np.arange(n_readers)[:, None] == readers[None, :], np.eye(n_features)]
    ).astype(bool)
    costs = np.concatenate(
        [rng.uniform(*_READERS, n_readers), rng.uniform(*_OWN, n_features)]
    )
    return Dataset(
        name=name,
        X=X,
        y=np.where(is_positive, 1, 0),
        hypergraph=FeatureHypergraph(incidence, costs),
        positive=1,
        source="Generated.",
    )
