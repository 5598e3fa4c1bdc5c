"""Where the nodes of a part of a drawing stand, laid out alone."""

from __future__ import annotations

import numpy as np

from solvers import FeatureHypergraph

from .drawing import Drawing
from .hypergraph_layout import STEP, places


def part_places(drawing: Drawing, part: frozenset[int]) -> dict[int, list[float]]:
    """Return where the nodes of a part of a drawing stand if it is laid out alone.

    Place of each node; components that no feature of the part needs stand aside.
    """
    columns = [j for j, node in enumerate(drawing.feature_ids) if node in part]
    rows = [i for i, node in enumerate(drawing.component_ids) if node in part]
    links = drawing.hypergraph.incidence[rows][:, columns]
    whole = np.diff(links.tocsc().indptr) > 0
    kept = [j for j, is_linked in zip(columns, whole, strict=True) if is_linked]
    alone = FeatureHypergraph(links[:, whole], np.ones(len(rows)))
    components, features = places(alone)
    found = (
        [drawing.component_ids[i] for i in rows],
        [drawing.feature_ids[j] for j in kept],
    )
    return {
        node: place
        for nodes, at in zip(found, (components, features), strict=True)
        for node, place in zip(nodes, at.tolist(), strict=True)
    }


def with_newcomers(
    part: dict[int, list[float]], before: Drawing, after: Drawing
) -> dict[int, list[float]]:
    """Return the places of a part with those of nodes that an edit has added.

    A node that is connected to the part stands above or below its neighbours; any other
    stands where the edit has put it.
    """
    places = dict(part)
    links = after.hypergraph.incidence
    for ids, known, near_of, others, side in (
        (after.component_ids, before.rows, links, after.feature_ids, 1.6),
        (after.feature_ids, before.columns, links.T.tocsr(), after.component_ids, -1.6),
    ):
        for k, node in enumerate(ids):
            if node in known:
                continue
            near = near_of.indices[near_of.indptr[k] : near_of.indptr[k + 1]]
            stand = [places[others[i]] for i in near if others[i] in places]
            if stand:
                x, y = np.mean(stand, axis=0)
                places[node] = [float(x), float(y + side * STEP[1])]
    return places
