"""The Hypergraph Interchange Format: nodes are features, edges are components.

References
----------
Coll et al., "HIF: The hypergraph interchange format for higher-order networks",
Network Science 13, 2025.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Any

from ...errors import InterchangeError
from ..hypergraph import FeatureHypergraph
from .assembly import assemble
from .hif_records import edge_prices, stated_prices
from .sources import (
    MAX_BYTES,
    Source,
    as_text,
    read_bytes,
    strict_json,
    write_text,
)

# Bounds memory: a value of JSON takes at most some 70 bytes once it is read.
MAX_VALUES = 8_000_000


def to_hif(hypergraph: FeatureHypergraph) -> dict[str, Any]:
    """Return a hypergraph as a HIF document.

    Parameters
    ----------
    hypergraph : FeatureHypergraph
        What to describe.

    Returns
    -------
    dict
        Ready for ``json.dumps``. Each edge has the attributes ``cost`` and ``kind``,
        and ``prices`` where there are further ones; the metadata hold the unit, the
        units and rules of further prices, and the order of features and components,
        which tools that keep them in sets lose.

    Examples
    --------
    >>> from solvers import FeatureHypergraph
    >>> document = to_hif(FeatureHypergraph([[1, 1]], [3.0], ("a", "b"), ("fft",)))
    >>> document["edges"]
    [{'edge': 'fft', 'attrs': {'cost': 3.0, 'kind': 'generation'}}]
    """
    features, components = hypergraph.features, hypergraph.components
    links = hypergraph.incidence.tocoo()
    return {
        "network-type": "undirected",
        "metadata": {
            "unit": hypergraph.unit,
            **stated_prices(hypergraph),
            "feature_order": list(features),
            "component_order": list(components),
        },
        "nodes": [{"node": name} for name in features],
        "edges": [
            {"edge": name, "attrs": {"cost": float(cost), "kind": kind, **further}}
            for name, cost, kind, further in zip(
                components,
                hypergraph.component_costs,
                hypergraph.kinds,
                edge_prices(hypergraph),
                strict=True,
            )
        ],
        "incidences": [
            {"edge": components[i], "node": features[j]}
            for i, j in zip(links.row.tolist(), links.col.tolist(), strict=True)
        ],
    }


def from_hif(
    document: Mapping[str, Any],
    *,
    missing_cost: float | None = None,
    free_features: bool = False,
    unit: str = "us",
) -> FeatureHypergraph:
    """Return the hypergraph that a HIF document describes.

    Parameters
    ----------
    document : mapping
        As ``json.load`` gives it. Keys that HIF does not know are ignored.
    missing_cost : float, optional
        Cost of edges without an attribute ``cost``. By default a document in which no
        edge has one is a bare structure, each component costs 1 and the unit is
        "components"; one in which only some have is refused.
    free_features : bool, default=False
        Whether a node without an edge gets a component of its own, of cost 0. By
        default it is refused.
    unit : str, default="us"
        Unit of costs where the metadata name none.

    Returns
    -------
    FeatureHypergraph

    Raises
    ------
    InterchangeError
        If the document is not an undirected HIF network with costs.
    HypergraphError
        If what it says makes no hypergraph.
    """
    return assemble(
        document, missing_cost=missing_cost, free_features=free_features, unit=unit
    ).hypergraph


def write_hif(hypergraph: FeatureHypergraph, path: str | os.PathLike[str]) -> None:
    """Write a hypergraph as HIF JSON, one record a line.

    Parameters
    ----------
    hypergraph : FeatureHypergraph
        What to write.
    path : path
        Where to; what is there is replaced.

    Raises
    ------
    InterchangeError
        If the file cannot be written.
    """
    write_text(hif_text(to_hif(hypergraph)), path)


def hif_text(document: Mapping[str, Any]) -> str:
    """Return a HIF document as JSON, one record a line.

    Parameters
    ----------
    document : mapping
        As from :func:`to_hif`.

    Returns
    -------
    str
    """
    encode = json.JSONEncoder(ensure_ascii=False, allow_nan=False).encode
    parts = [
        f"{encode(key)}: [\n" + ",\n".join(map(encode, value)) + "\n]"
        if isinstance(value, list)
        else f"{encode(key)}: {encode(value)}"
        for key, value in document.items()
    ]
    return "{\n" + ",\n".join(parts) + "\n}\n"


def read_hif(
    source: Source,
    *,
    missing_cost: float | None = None,
    free_features: bool = False,
    unit: str = "us",
    max_bytes: int = MAX_BYTES,
) -> FeatureHypergraph:
    """Read a hypergraph from HIF JSON, as ours, XGI's or HyperNetX's.

    Parameters
    ----------
    source : path or bytes
        The file or its content.
    missing_cost : float, optional
        Cost of edges without one, as in :func:`from_hif`.
    free_features : bool, default=False
        Whether nodes without an edge get a component of cost 0.
    unit : str, default="us"
        Unit of costs where the file names none.
    max_bytes : int, default=MAX_BYTES
        The most to read.

    Returns
    -------
    FeatureHypergraph

    Raises
    ------
    InterchangeError
        If the file is no HIF JSON, or too large.
    HypergraphError
        If what it says makes no hypergraph.
    """
    document = parse_hif(as_text(read_bytes(source, max_bytes)))
    return from_hif(
        document, missing_cost=missing_cost, free_features=free_features, unit=unit
    )


def parse_hif(text: str) -> Mapping[str, Any]:
    """Return the JSON object that a text holds, or say why it holds none."""
    values = text.count(",") + text.count("{") + text.count("[")
    if values > MAX_VALUES:
        raise InterchangeError(
            f"The file holds some {values:,} values; at most {MAX_VALUES:,} are read, "
            "so split it or leave attributes out."
        )
    return strict_json(text)
