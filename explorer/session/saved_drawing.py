"""An edited drawing in the types of JSON, and back onto its table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from solvers import Dataset, FeatureHypergraph, to_hif
from solvers.costs.interchange import from_hif
from solvers.errors import HypergraphError

from ..document.drawing import MAX_NODES, Drawing
from ..document.hypergraph_layout import places
from ..document.table import Table, match
from .checked import demand, is_list, is_number

_KEYS = {"hypergraph", "columns", "places", "note"}
_BROKEN = "The drawing of the session is damaged; save the session again."
FAR = 1e7  # pixels


def packed_drawing(drawing: Drawing) -> dict[str, Any] | None:
    """Return what was edited of a drawing.

    None where it is as its table was opened.
    """
    hypergraph = drawing.hypergraph
    if drawing.table is not None and hypergraph is drawing.table.dataset.hypergraph:
        fresh = np.concatenate(places(hypergraph))
        if np.array_equal(fresh, drawing.places):
            return None
    names = () if drawing.table is None else drawing.table.dataset.feature_names
    order = match(drawing).order
    return {
        "hypergraph": to_hif(hypergraph),
        "columns": [names[j] if j >= 0 else None for j in order],
        "places": drawing.places.round(1).tolist(),
        "note": drawing.costs_note,
    }


def unpacked_drawing(given: Any, dataset: Dataset, first_id: int) -> Drawing:
    """Return the drawing that somebody's session holds, on its table."""
    demand(isinstance(given, Mapping) and set(given) == _KEYS, _BROKEN)
    hypergraph = from_hif(given["hypergraph"], free_features=True)
    n_nodes = hypergraph.n_components + hypergraph.n_features
    if n_nodes > MAX_NODES:
        raise HypergraphError(
            f"The drawing of the session has {n_nodes} features and components; up to "
            f"{MAX_NODES} can be drawn."
        )
    demand(isinstance(given["note"], str) and len(given["note"]) <= 2_000, _BROKEN)
    order = _order(given["columns"], hypergraph, dataset)
    spots = _spots(given["places"], n_nodes)
    middle, end = first_id + hypergraph.n_components, first_id + n_nodes
    features = tuple(range(middle, end))
    columns = [end + column for column in range(dataset.n_features)]
    for feature, column in zip(features, order, strict=True):
        if column >= 0:
            columns[column] = feature
    return Drawing(
        hypergraph,
        tuple(range(first_id, middle)),
        features,
        spots[: hypergraph.n_components],
        spots[hypergraph.n_components :],
        end + dataset.n_features,
        Table(dataset, tuple(columns)),
        given["note"],
    )


def renumbered(drawing: Drawing, by: int) -> Drawing:
    """Return a drawing on a table with higher numbers for its nodes."""
    assert drawing.table is not None
    columns = tuple(node + by for node in drawing.table.columns)
    return replace(
        drawing,
        component_ids=tuple(node + by for node in drawing.component_ids),
        feature_ids=tuple(node + by for node in drawing.feature_ids),
        next_id=drawing.next_id + by,
        table=replace(drawing.table, columns=columns),
    )


def _order(
    given: Any, hypergraph: FeatureHypergraph, dataset: Dataset
) -> Sequence[int]:
    """Return the column of each feature, -1 where there is none.

    `given`: its name; in sessions of before its place among the columns.
    """
    place = {name: j for j, name in enumerate(dataset.feature_names)}

    def is_column(one: Any) -> bool:
        is_place = type(one) is int and -1 <= one < dataset.n_features
        return one is None or isinstance(one, str) or is_place

    demand(is_list(given, is_column) and len(given) == hypergraph.n_features, _BROKEN)
    order = [one if type(one) is int else place.get(one, -1) for one in given]
    found = [column for column in order if column >= 0]
    demand(len(found) == len(set(found)), _BROKEN)
    return order


def _spots(given: Any, n_nodes: int) -> np.ndarray:
    demand(is_list(given, _is_spot) and len(given) == n_nodes, _BROKEN)
    return np.array(given, dtype=float).reshape(n_nodes, 2)


def _is_spot(spot: Any) -> bool:
    return is_list(spot, lambda value: is_number(value, FAR)) and len(spot) == 2
