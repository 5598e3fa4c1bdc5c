"""What a person takes away: estimator, selection, table, figures and the code."""

from solvers.checks import versions

from .call import Call, script
from .files import (
    estimator_skops,
    frontier_csv,
    hypergraph_hif,
    load_estimator,
    selection_json,
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
