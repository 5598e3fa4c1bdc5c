"""Extracted columns that tell nothing, left out."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...costs.hypergraph import FeatureHypergraph

__all__ = ["telling_columns"]


def telling_columns(
    X: NDArray[np.float64], priced: FeatureHypergraph
) -> tuple[NDArray[np.float64], FeatureHypergraph, tuple[str, ...]]:
    """Return a table and its prices without constants and gaps, and a note of them.

    Shape of `X`: (n_rows, n_columns).
    """
    with np.errstate(invalid="ignore"):
        tells = np.isfinite(X).all(axis=0) & (np.ptp(X, axis=0) > 0)
    kept = np.flatnonzero(tells)
    left = X.shape[1] - len(kept)
    if not left:
        return X, priced, ()
    note = f"{left} columns that are constant or not always finite were left out."
    return X[:, kept], priced.restrict(kept.tolist()), (note,)
