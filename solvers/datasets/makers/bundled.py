"""Data that were made once and are bundled: a table, and measured costs as JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...costs.hypergraph import FeatureHypergraph
from ...features.base import FeatureExtractor
from ..resources import sample_data

__all__ = [
    "bundled_costs",
    "bundled_table",
    "in_single_precision",
    "priced_once",
]


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
