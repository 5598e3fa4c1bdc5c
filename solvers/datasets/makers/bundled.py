"""Data that were made once and are bundled: where they lie, how they are read."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...costs.hypergraph import FeatureHypergraph
from ...costs.interchange.sources import sample_data
from ...features.base import FeatureExtractor


def bundled_table(dataset: str) -> dict[str, NDArray]:
    """Return the arrays of a bundled table by name, the rows as ``X``."""
    with np.load(sample_data(dataset, "table.npz"), allow_pickle=False) as table:
        return {**table, "X": table["X"].astype(np.float64)}


def in_single_precision(X: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return rows as a bundled table has them, so that both are the same rows."""
    return X.astype(np.float32).astype(np.float64)


def bundled_costs(dataset: str) -> Mapping[str, Any]:
    """Return the bundled costs of a data set: by component, with unit and machine."""
    facts: Mapping[str, Any] = json.loads(
        sample_data(dataset, "costs.json").read_text("utf-8")
    )
    return facts


def priced_once(
    dataset: str, extractor: FeatureExtractor
) -> tuple[FeatureHypergraph, str]:
    """Return what an extractor's features cost when it was bundled, and a note."""
    facts = bundled_costs(dataset)
    priced = extractor.hypergraph(facts["costs"], unit=facts["unit"])
    return priced, f"Measured once on a {facts['machine']}."


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
