"""What a person takes away: estimator, selection, table, figures and the code."""

from .files import (
    estimator_skops,
    frontier_csv,
    hypergraph_hif,
    load_estimator,
    selection_json,
    versions,
)
from .view_script import ViewDescription, script

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
