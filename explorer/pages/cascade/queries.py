"""What the cascade page asks: a cascade of each method, and the rivals of the first."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from solvers.papers.cascades import Series

from ...compute.query import Query
from .training import (
    HypergraphRequest,
    TrainingRequest,
    trace_rivals,
    train_cascade,
    train_hypergraph,
)

if TYPE_CHECKING:
    from .state import CascadeState

# Answers of each that are kept, so that turning a knob back costs nothing.
KEPT = 8


def _threshold_request(state: CascadeState) -> TrainingRequest:
    """Return what has to be trained, or what was trained and does as well."""
    asked = TrainingRequest(
        state.source,
        state.learned,
        float(state.C),
        state.order,
        state.confidence == "calibrated",
    )
    known, as_good = THRESHOLD.known(state), replace(asked, is_calibrated=True)
    return as_good if asked not in known and as_good in known else asked


def _hypergraph_request(state: CascadeState) -> HypergraphRequest:
    knobs = state.buying, state.model, state.routing, state.objective
    return HypergraphRequest(state.source, state.learned, *knobs)


def _show(state: CascadeState, trained: Mapping[Any, Any]) -> None:
    for one in trained.values():
        if one is not state.cascade and one is not state.hyper:
            state.take(one)


def _rivals_of(state: CascadeState) -> Any:
    cascade = state.cascade
    return None if cascade is None else (cascade.dataset, cascade.request.C)


def _with_series(before: dict[str, Series] | None, one: Series) -> dict[str, Series]:
    return {**(before or {}), one.method: one}


def _show_rivals(state: CascadeState, found: Mapping[Any, dict[str, Series]]) -> None:
    """Show rivals as they grow, beside what is there of the others."""
    (series,) = found.values()
    if any(state.rivals.get(name) is not one for name, one in series.items()):
        state.rivals = {**state.rivals, **series}


THRESHOLD = Query(
    "cascade",
    asks=_threshold_request,
    work=lambda state: train_cascade(_threshold_request(state)),
    follows=("source", "session_dataset", "C", "order", "confidence"),
    shows=_show,
    keeps=KEPT,
)
HYPERGRAPH = Query(
    "hyper",
    asks=_hypergraph_request,
    work=lambda state: train_hypergraph(_hypergraph_request(state)),
    follows=(
        *("way", "source", "session_dataset"),
        *("buying", "model", "routing", "objective"),
    ),
    shows=_show,
    keeps=KEPT,
)
RIVALS = Query(
    "rivals",
    asks=_rivals_of,
    work=lambda state: trace_rivals(state.cascade),
    follows=("cascade",),
    joins=_with_series,
    shows=_show_rivals,
    keeps=KEPT,
)
QUERIES = {"tefe": THRESHOLD, "hypergraph": HYPERGRAPH}
