"""A hypergraph put together from the records of a HIF document."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any, Literal, TypeAlias

import numpy as np
from scipy import sparse

from ..errors import InterchangeError
from ..hypergraph import FeatureHypergraph
from ..naming import own_names
from ..prices import ComponentPrices
from .hif_prices import read_charged, read_prices
from .hif_records import (
    checked_attributes,
    checked_cost,
    checked_kind,
    checked_metadata,
    checked_names,
    checked_records,
    in_order,
    refuse_twins,
)
from .sources import refuse_odd_names, shown, these

__all__ = ["HypergraphFile", "Layout", "assemble", "no_unit_note"]

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
    :func:`solvers.interchange.from_hif`.
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
    refuse_twins(listed_edges, "component")
    refuse_twins(listed_nodes, "feature")
    components = in_order([*listed_edges, *ends_at_edge], metadata, "component")
    features = in_order([*listed_nodes, *ends_at_node], metadata, "feature")

    draft = _HypergraphDraft(features, components, ends_at_edge, ends_at_node)
    attributes = dict(zip(listed_edges, map(checked_attributes, edges), strict=True))
    draft.price(attributes)
    draft.settle_costs(metadata, missing_cost, unit)
    draft.settle_loose_features(free_features)
    if any("weight" in record for record in chain(edges, linked)):
        draft.notes.append(
            "Weights are not costs and were not read; a cost is an edge's attrs.cost."
        )
    draft.take_prices(metadata, attributes)
    return HypergraphFile(
        draft.hypergraph(), tuple(draft.notes), names_unit=draft.names_unit
    )


@dataclass
class _HypergraphDraft:
    """A hypergraph in the making: what the file says, and what it leaves open."""

    features: list[str]
    components: list[str]
    edge_ends: list[str]  # of each incidence, the component
    node_ends: list[str]  # and the feature
    costs: list[float | None] = field(default_factory=list)
    kinds: list[str] = field(default_factory=list)
    unit: str = "us"
    names_unit: bool = True
    charged: str = "cost"
    prices: tuple[ComponentPrices, ...] = ()
    notes: list[str] = field(default_factory=list)

    def price(self, attributes: Mapping[str, Mapping[str, Any]]) -> None:
        """Take cost and kind of each component from its attributes."""
        for name in self.components:
            stated = attributes.get(name, {})
            self.costs.append(checked_cost(name, stated.get("cost")))
            self.kinds.append(checked_kind(name, stated.get("kind")))

    def settle_costs(
        self, metadata: Mapping[str, Any], missing_cost: float | None, unit: str
    ) -> None:
        """Fill in costs that the file does not state, and the unit."""
        self.unit = metadata.get("unit", unit)
        pairs = zip(self.components, self.costs, strict=True)
        unpriced = [name for name, cost in pairs if cost is None]
        if unpriced and missing_cost is None:
            if len(unpriced) < len(self.components):
                raise InterchangeError(
                    f"No cost is stated for {these('component', unpriced)}, though for "
                    "others; give each edge attrs.cost, or read the file with "
                    "missing_cost."
                )
            self.unit, missing_cost = "components", 1.0
            self.notes.append(
                "The file states no costs: each component costs 1, and a cost counts "
                "components."
            )
        elif unpriced:
            self.notes.append(
                f"No cost is stated for {these('component', unpriced)}: taken as "
                f"{missing_cost:g} {self.unit} each."
            )
        elif "unit" not in metadata and self.components:
            self.names_unit = False
            self.notes.append(no_unit_note(unit))
        self.costs = [missing_cost if cost is None else cost for cost in self.costs]

    def settle_loose_features(self, free_features: bool) -> None:
        """Give features that need no component one of cost 0, or refuse them."""
        held = set(self.node_ends)
        loose = [name for name in self.features if name not in held]
        if not loose:
            return
        if not free_features:
            raise InterchangeError(
                f"No component is stated for {these('feature', loose)}; connect each "
                "to one, or read the file with free_features=True to give each a "
                "component of cost 0."
            )
        own = own_names(loose, self.components)
        self.components.extend(own)
        self.edge_ends.extend(own)
        self.node_ends.extend(loose)
        self.costs.extend([0.0] * len(loose))
        self.kinds.extend(["utilisation"] * len(loose))
        self.notes.append(
            f"No component is stated for {these('feature', loose)}: given one of cost "
            "0 each."
        )

    def take_prices(
        self, metadata: Mapping[str, Any], attributes: Mapping[str, Mapping[str, Any]]
    ) -> None:
        """Take further prices of all components, those of none included."""
        self.charged = read_charged(metadata)
        self.prices = read_prices(metadata, attributes, self.components)

    def hypergraph(self) -> FeatureHypergraph:
        """Return the hypergraph, or refuse what makes none."""
        return FeatureHypergraph(
            self._incidence(),
            np.array(self.costs, dtype=float),
            tuple(self.features),
            tuple(self.components),
            tuple(self.kinds),  # type: ignore[arg-type]  # checked there
            unit=self.unit,
            prices=self.prices,
            charged=self.charged,
        )

    def _incidence(self) -> sparse.csr_array:
        row_of = {name: i for i, name in enumerate(self.components)}
        column_of = {name: j for j, name in enumerate(self.features)}
        n = len(self.edge_ends)
        rows = np.fromiter(map(row_of.__getitem__, self.edge_ends), np.int64, n)
        columns = np.fromiter(map(column_of.__getitem__, self.node_ends), np.int64, n)
        counts = sparse.csr_array(
            (np.ones(n, dtype=np.int64), (rows, columns)),
            shape=(len(self.components), len(self.features)),
        )
        counts.sum_duplicates()
        if counts.nnz < n:
            twice = counts.tocoo()
            at = int(np.argmax(twice.data > 1))
            raise InterchangeError(
                f"The incidence of component {shown(self.components[twice.row[at]])} "
                f"and feature {shown(self.features[twice.col[at]])} stands twice; "
                "state it once."
            )
        return counts
