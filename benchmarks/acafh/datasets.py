"""Data: the paper's generator (section 6.1.1), and features grouped by source."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from solvers import FeatureHypergraph


@dataclass(frozen=True)
class Data:
    """Training data with its hypergraph."""

    name: str
    X: np.ndarray
    signs: np.ndarray
    hypergraph: FeatureHypergraph


def gaussian(seed: int, m: int, n: int, psi: float) -> Data:
    """Gaussian features; every shared component is needed by a share psi of them.

    Costs are 1 + |N(0, 1)|: the paper's N(0, 1) has negative costs.
    """
    rng = np.random.default_rng(seed)
    incidence = np.vstack([rng.random((m, m)) < psi, np.eye(m, dtype=bool)])
    costs = 1 + np.abs(rng.standard_normal(2 * m))
    X, weights = rng.standard_normal((n, m)), rng.standard_normal(m)
    signs = np.where(X @ weights + rng.standard_normal(n) > 0, 1.0, -1.0)
    name = f"gaussian m={m} n={n} psi={psi} seed={seed}"
    return Data(name, X, signs, FeatureHypergraph(incidence, costs))


def sources(seed: int, n_sources: int = 20, size: int = 5, n: int = 5000) -> Data:
    """Features of some sources, each with a costly shared component."""
    rng = np.random.default_rng(seed)
    m = n_sources * size
    shared = np.kron(np.eye(n_sources, dtype=bool), np.ones((1, size), dtype=bool))
    incidence = np.vstack([shared, np.eye(m, dtype=bool)])
    costs = np.append(rng.uniform(1, 6, n_sources), rng.uniform(0.1, 0.5, m))
    X, weights = rng.standard_normal((n, m)), rng.standard_normal(m)
    signs = np.where(X @ weights + rng.standard_normal(n) > 0, 1.0, -1.0)
    return Data(
        f"sources m={m} n={n} seed={seed}",
        X,
        signs,
        FeatureHypergraph(incidence, costs),
    )
