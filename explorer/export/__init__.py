"""What a person takes away: estimator, selection, table, figures and the code."""

from .files import (
    ViewDescription,
    estimator_skops,
    frontier_csv,
    hypergraph_hif,
    load_estimator,
    script,
    selection_json,
    versions,
)

__all__ = [
    "ViewDescription",
    "estimator_skops",
    "frontier_csv",
    "hypergraph_hif",
    "load_estimator",
    "script",
    "selection_json",
    "versions",
]
