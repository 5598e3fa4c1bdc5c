"""A hypergraph put together from the records of a HIF document."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
from scipy import sparse

from ...checks import refuse_twins
from ...errors import InterchangeError
from ...values.distinct_names import own_names
from ..hypergraph import FeatureHypergraph
from ..incidence import ComponentKind
from .hif_records import (
    checked_attributes,
    checked_metadata,
    checked_names,
    checked_number,
    checked_records,
    in_order,
    read_charged,
    read_prices,
)
from .sources import refuse_odd_names, shown, these

Layout: TypeAlias = Literal["hif", "incidence", "costs"]


@dataclass(frozen=True, eq=False)
class HypergraphFile:
    """A hypergraph as a file described it, and what a person should know of that.

    Parameters
    ----------
    hypergraph : FeatureHypergraph
        What was read.
    notes : tuple of str, default=()
        What the file left open and how that was settled, one sentence each.
    layout : {"hif", "incidence", "costs"}, default="hif"
        How the file was laid out.
    names_unit : bool, default=True
        Whether it says what its costs count in; else who reads it has to.
    """

    hypergraph: FeatureHypergraph
    notes: tuple[str, ...] = ()
    layout: Layout = "hif"
    names_unit: bool = True

    def with_unit(self, unit: str | None) -> HypergraphFile:
        """Return the file in the unit that somebody says, where it names none.

        Parameters
        ----------
        unit : str or None
            What its costs count in.

        Returns
        -------
        HypergraphFile
            Itself where it names a unit.

        Raises
        ------
        InterchangeError
            If nobody names one.
        """
        if self.names_unit:
            return self
        if not unit:
            raise InterchangeError(
                "The file does not say what its costs count in; name their unit, such "
                "as us, ms or CAD."
            )
        refuse_odd_names([unit], "unit")
        notes = [
            note for note in self.notes if note != no_unit_note(self.hypergraph.unit)
        ]
        return HypergraphFile(
            replace(self.hypergraph, unit=unit),
            (*notes, no_unit_note(unit)),
            self.layout,
        )


def no_unit_note(unit: str) -> str:
    """Return what is said where only who reads a file names the unit."""
    return f"The file names no unit: costs are taken as {unit}."


def assemble(
    document: Any,
    *,
    missing_cost: float | None = None,
    free_features: bool = False,
    unit: str = "us",
) -> HypergraphFile:
    """Return the hypergraph of a HIF document, with notes.

    `missing_cost`: cost of edges without one, as in
    :func:`solvers.costs.interchange.from_hif`.
    `free_features`: whether nodes without an edge get a component of cost 0.
    """
    metadata = checked_metadata(document)
    linked = checked_records(document, "incidences")
    nodes, edges = (
        checked_records(document, "nodes"),
        checked_records(document, "edges"),
    )
    ends_at_edge = checked_names(linked, "edge", "component")
    ends_at_node = checked_names(linked, "node", "feature")
    listed_edges = checked_names(edges, "edge", "component")
    listed_nodes = checked_names(nodes, "node", "feature")
    refuse_twins(listed_edges, "The file has the component", InterchangeError)
    refuse_twins(listed_nodes, "The file has the feature", InterchangeError)
    components = in_order([*listed_edges, *ends_at_edge], metadata, "component")
    features = in_order([*listed_nodes, *ends_at_node], metadata, "feature")

    attributes = dict(zip(listed_edges, map(checked_attributes, edges), strict=True))
    stated = {name: attributes.get(name, {}) for name in components}
    kinds: list[ComponentKind] = [
        "utilisation" if told.get("kind") == "utilisation" else "generation"
        for told in stated.values()
    ]
    given = [_stated_cost(name, told.get("cost")) for name, told in stated.items()]
    costs, unit, notes = _settled_costs(components, given, metadata, missing_cost, unit)
    held = set(ends_at_node)
    loose = [name for name in features if name not in held]
    if loose:
        own = _own_components(loose, components, free_features)
        components += own
        costs += [0.0] * len(own)
        kinds += ["utilisation"] * len(own)
        ends_at_edge += own
        ends_at_node += loose
        notes.append(
            f"No component is stated for {these('feature', loose)}: given one of cost "
            "0 each."
        )
    notes += _unread(stated.values(), chain(edges, linked))
    hypergraph = FeatureHypergraph(
        _incidence(components, features, ends_at_edge, ends_at_node),
        np.array(costs, dtype=float),
        tuple(features),
        tuple(components),
        tuple(kinds),
        unit=unit,
        prices=read_prices(metadata, attributes, components),
        charged=read_charged(metadata),
    )
    names_unit = no_unit_note(unit) not in notes
    return HypergraphFile(hypergraph, tuple(notes), names_unit=names_unit)


def _unread(
    stated: Iterable[Mapping[str, Any]], records: Iterable[Mapping[str, Any]]
) -> Iterator[str]:
    """Yield what is there and means nothing to us."""
    known = (None, *get_args(ComponentKind))
    foreign = [told["kind"] for told in stated if told.get("kind") not in known]
    if foreign:
        yield (
            f"Kinds of edges such as {shown(foreign[0])} are another program's and "
            "were not read; those of components are generation and utilisation."
        )
    if any(map(_is_weighed, records)):
        yield "Weights are not costs and were not read; a cost is an edge's attrs.cost."


def _is_weighed(record: Mapping[str, Any]) -> bool:
    """Whether an edge or an incidence has a weight, itself or among its attributes."""
    attributes = record.get("attrs")
    return "weight" in record or (
        isinstance(attributes, Mapping) and "weight" in attributes
    )


def _stated_cost(name: str, cost: Any) -> float | None:
    if cost is None:
        return None
    return checked_number(cost, f"The cost of component {shown(name)}")


def _settled_costs(
    components: Sequence[str],
    costs: Sequence[float | None],
    metadata: Mapping[str, Any],
    missing_cost: float | None,
    unit: str,
) -> tuple[list[float], str, list[str]]:
    """Return costs without a gap, their unit, and notes on what the file left open."""
    notes: list[str] = []
    stated = metadata.get("unit", unit)
    counts_components = False
    pairs = zip(components, costs, strict=True)
    unpriced = [name for name, cost in pairs if cost is None]
    filling = 1.0 if missing_cost is None else missing_cost
    if unpriced and missing_cost is None:
        if len(unpriced) < len(components):
            raise InterchangeError(
                f"No cost is stated for {these('component', unpriced)}, though for "
                "others; give each edge attrs.cost, or say what the others cost with "
                "missing_cost (--missing-cost)."
            )
        stated, counts_components = "components", True
        notes.append(
            "The file states no costs: each component costs 1, and a cost counts "
            "components."
        )
    elif unpriced:
        notes.append(
            f"No cost is stated for {these('component', unpriced)}: taken as "
            f"{missing_cost:g} {stated} each."
        )
    if "unit" not in metadata and components and not counts_components:
        notes.append(no_unit_note(unit))
    return [filling if cost is None else cost for cost in costs], stated, notes


def _own_components(
    loose: Sequence[str], components: Sequence[str], free_features: bool
) -> list[str]:
    """Return components of cost 0 for features that need none, or refuse them."""
    if not free_features:
        raise InterchangeError(
            f"No component is stated for {these('feature', loose)}; connect each to "
            "one, or give each a component of cost 0 with free_features=True "
            "(--free-features)."
        )
    return own_names(loose, components)


def _incidence(
    components: Sequence[str],
    features: Sequence[str],
    edge_ends: Sequence[str],
    node_ends: Sequence[str],
) -> sparse.csr_array:
    """Return the incidence of components and features.

    `edge_ends`, `node_ends`: of each incidence the component and the feature.
    """
    row_of = {name: i for i, name in enumerate(components)}
    column_of = {name: j for j, name in enumerate(features)}
    n = len(edge_ends)
    rows = np.fromiter(map(row_of.__getitem__, edge_ends), np.int64, n)
    columns = np.fromiter(map(column_of.__getitem__, node_ends), np.int64, n)
    counts = sparse.csr_array(
        (np.ones(n, dtype=np.int64), (rows, columns)),
        shape=(len(components), len(features)),
    )
    counts.sum_duplicates()
    if counts.nnz < n:
        twice = counts.tocoo()
        at = int(np.argmax(twice.data > 1))
        raise InterchangeError(
            f"The incidence of component {shown(components[twice.row[at]])} and "
            f"feature {shown(features[twice.col[at]])} stands twice; state it once."
        )
    return counts
