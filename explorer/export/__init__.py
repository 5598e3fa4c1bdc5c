"""What a person takes away: estimator, selection, table, figures and the code."""

from .call import Call, script
from .files import (
    estimator_skops,
    frontier_csv,
    hypergraph_hif,
    load_estimator,
    selection_json,
    versions,
)

__all__ = [
    "Call",
    "estimator_skops",
    "frontier_csv",
    "hypergraph_hif",
    "load_estimator",
    "script",
    "selection_json",
    "versions",
]
