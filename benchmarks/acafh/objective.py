"""The objective, by its definition: no solver scores itself."""

from __future__ import annotations

import numpy as np

from .datasets import Data


def objective(
    data: Data, weights: np.ndarray, intercept: float, alpha: float, p: float
) -> float:
    """Return mean logistic loss plus penalty, for weights on raw columns."""
    odds = data.X @ weights + intercept
    loss = np.logaddexp(0.0, -data.signs * odds).mean()
    loads = data.hypergraph.incidence @ (np.abs(weights) * (np.ptp(data.X, axis=0) / 2))
    return float(loss + alpha * data.hypergraph.component_costs @ loads**p)
