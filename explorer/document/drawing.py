"""A hypergraph as it is drawn: a value; every edit returns another.

Features and components have numbers of their own that outlive renaming and undoing,
so that the browser and the table can say which one they mean.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from solvers import Dataset, FeatureHypergraph
from solvers.costs.incidence import ComponentKind
from solvers.errors import HypergraphError, shown
from solvers.values.distinct_names import free_name

from .hypergraph_layout import STEP, places, ranked_blocks
from .reading import Reading

Place: TypeAlias = tuple[float, float]

# More than this no view of ours shows, and no single edit should wait for.
MAX_NODES = 20_000
# Pixels that a node takes.
NODE = (100.0, 44.0)


@dataclass(frozen=True, eq=False)
class Table:
    """A data set as it was opened."""

    dataset: Dataset  # With the names that its columns had then
    # Number of the feature that each column was opened as: a feature stays with its
    # column when it is renamed
    columns: tuple[int, ...]
    # Files that it comes from, as ``export.loading`` takes them; none where it is made
    origin: Mapping[str, Any] = field(default_factory=dict)
    # How it was read, to read it again in another way; None where that is not known
    reading: Reading | None = None


@dataclass(frozen=True, eq=False)
class Drawing:
    """A hypergraph with a number and a place for each of its nodes."""

    hypergraph: FeatureHypergraph  # What is drawn
    # Distinct numbers, in the order of the rows and of the columns
    component_ids: tuple[int, ...]
    feature_ids: tuple[int, ...]
    component_places: NDArray[np.float64]  # (n_components, 2) In pixels, y downwards
    feature_places: NDArray[np.float64]  # (n_features, 2) In pixels, y downwards
    next_id: int  # The number of the next node
    # The table whose columns the features describe; edits carry it along
    table: Table | None = None
    # Where all costs come from, in one sentence; empty once one of them is typed
    costs_note: str = ""

    @classmethod
    def of(cls, hypergraph: FeatureHypergraph, *, first_id: int = 0) -> Drawing:
        """Return a hypergraph laid out afresh."""
        refuse_too_large(hypergraph)
        n_components, n_features = hypergraph.n_components, hypergraph.n_features
        middle, end = first_id + n_components, first_id + n_components + n_features
        components, features = places(hypergraph)
        return cls(
            hypergraph,
            tuple(range(first_id, middle)),
            tuple(range(middle, end)),
            components,
            features,
            end,
        )

    # ----------------------------------------------------------------------- looking up

    @property
    def places(self) -> NDArray[np.float64]:
        """Where all nodes stand, components first: (n_nodes, 2)."""
        return np.vstack([self.component_places, self.feature_places])

    @cached_property
    def rows(self) -> Mapping[int, int]:
        """Row of each component by its number."""
        return {node: i for i, node in enumerate(self.component_ids)}

    @cached_property
    def columns(self) -> Mapping[int, int]:
        """Column of each feature by its number."""
        return {node: j for j, node in enumerate(self.feature_ids)}

    def name(self, node: int) -> str:
        """Return the name of a node."""
        if node in self.rows:
            return self.hypergraph.components[self.rows[node]]
        return self.hypergraph.features[self.columns[node]]

    @cached_property
    def blocks(self) -> tuple[NDArray[np.int_], NDArray[np.int_]]:
        """Block of each component and of each feature, counted from 0 on screen."""
        return ranked_blocks(self.hypergraph)

    @property
    def n_blocks(self) -> int:
        """How many blocks there are."""
        return 1 + max((int(part.max(initial=-1)) for part in self.blocks), default=-1)

    # ------------------------------------------------------------------------- growing

    def add_component(
        self,
        name: str | None = None,
        cost: float = 1.0,
        kind: ComponentKind = "generation",
        features: Iterable[int] = (),
        place: Place | None = None,
    ) -> Drawing:
        """Return the drawing with one more component, as its last row.

        `cost`: in the unit of the hypergraph.
        `place`: where it stands; above its features by default.
        """
        self._refuse_too_many(1)
        columns = self._columns_of(features)
        grown = self.hypergraph.add_component(
            name or _counted("c", self.hypergraph.components), cost, columns, kind=kind
        )
        if place is None:
            place = self._beside(self.feature_places[columns], 1.6 * STEP[1])
        return dataclasses.replace(
            self,
            hypergraph=grown,
            component_ids=(*self.component_ids, self.next_id),
            component_places=np.vstack([self.component_places, place]),
            next_id=self.next_id + 1,
        )

    def add_feature(
        self,
        name: str | None = None,
        components: Iterable[int] = (),
        place: Place | None = None,
    ) -> Drawing:
        """Return the drawing with one more feature, as its last column.

        `components`: numbers of the components that it needs; without any it is given
        one of its own that costs 0.
        `place`: where it stands; below its components by default.
        """
        rows = self._rows_of(components)
        self._refuse_too_many(1 if rows.size else 2)
        called = name or _counted("x", self.hypergraph.features)
        if place is None:
            place = self._beside(self.component_places[rows], -1.6 * STEP[1])
        base = self
        if not rows.size:
            own = free_name(called, self.hypergraph.components)
            above = (place[0], place[1] + 1.6 * STEP[1])
            base = self.add_component(own, 0.0, "utilisation", place=above)
            rows = np.array([len(base.component_ids) - 1])
        return dataclasses.replace(
            base,
            hypergraph=base.hypergraph.add_feature(called, rows),
            feature_ids=(*base.feature_ids, base.next_id),
            feature_places=np.vstack([base.feature_places, place]),
            next_id=base.next_id + 1,
        )

    def delete(self, nodes: Iterable[int]) -> Drawing:
        """Return the drawing without some nodes.

        With a feature goes the component that only held its place: one of its own
        that costs 0.
        """
        going = set(nodes)
        going |= self._placeholders_of(node for node in going if node in self.columns)
        rows = [i for i, node in enumerate(self.component_ids) if node not in going]
        columns = [j for j, node in enumerate(self.feature_ids) if node not in going]
        left = self.hypergraph.incidence[rows][:, columns]
        bare = np.flatnonzero(np.asarray(left.sum(axis=0)) == 0)
        if bare.size:
            name = self.hypergraph.features[columns[bare[0]]]
            raise HypergraphError(
                f"Feature {shown(name)} would be left without a component; delete it "
                "too, or connect it to another component first."
            )
        return dataclasses.replace(
            self,
            hypergraph=self.hypergraph.remove(
                features=np.setdiff1d(np.arange(len(self.feature_ids)), columns),
                components=np.setdiff1d(np.arange(len(self.component_ids)), rows),
            ),
            component_ids=tuple(self.component_ids[i] for i in rows),
            feature_ids=tuple(self.feature_ids[j] for j in columns),
            component_places=self.component_places[rows],
            feature_places=self.feature_places[columns],
        )

    # ------------------------------------------------------------------------ changing

    def rename(self, node: int, name: str) -> Drawing:
        """Return the drawing with another name for a node.

        With a feature goes the component that only holds its place, by its name.
        """
        old = self.name(node)
        if node in self.rows:
            renamed = self.hypergraph.rename(components={old: name})
            return dataclasses.replace(self, hypergraph=renamed)
        renamed = self.hypergraph.rename(features={old: name})
        if old in map(self.name, self._placeholders_of([node])):
            own = free_name(name, renamed.components)
            renamed = renamed.rename(components={old: own})
        return dataclasses.replace(self, hypergraph=renamed)

    def set_cost(self, component: int, cost: float) -> Drawing:
        """Return the drawing with another cost of a component.

        `cost`: in the unit of the hypergraph.
        """
        repriced = self.hypergraph.set_cost(self.rows[component], cost)
        return dataclasses.replace(self, hypergraph=repriced, costs_note="")

    def set_costs(
        self, costs: NDArray[np.float64], unit: str, note: str = ""
    ) -> Drawing:
        """Return the drawing with other costs of all components, in another unit.

        Shapes: `costs` (n_components,).
        `note`: where they come from, in one sentence.
        """
        priced = dataclasses.replace(self.hypergraph, component_costs=costs, unit=unit)
        return dataclasses.replace(self, hypergraph=priced, costs_note=note)

    def set_kind(self, component: int, kind: ComponentKind) -> Drawing:
        """Return the drawing with another kind of a component."""
        kinds = list(self.hypergraph.kinds)
        kinds[self.rows[component]] = kind
        changed = dataclasses.replace(self.hypergraph, component_kinds=tuple(kinds))
        return dataclasses.replace(self, hypergraph=changed)

    def link(
        self, features: Iterable[int], components: Iterable[int], needed: bool
    ) -> Drawing:
        """Return the drawing where some features need some components, or do not.

        A component that only held a feature's place goes with its first connection.

        `needed`: whether they are to be connected.
        """
        features, components = tuple(features), tuple(components)
        columns, rows = self._columns_of(features), self._rows_of(components)
        pairs = np.array(np.meshgrid(rows, columns)).reshape(2, -1)
        links = sparse.csr_array(
            (np.ones(pairs.shape[1], dtype=np.int8), tuple(pairs)),
            shape=self.hypergraph.incidence.shape,
        )
        old = self.hypergraph.incidence.astype(np.int8)
        changed = (old + links if needed else old - old.multiply(links)) > 0
        self._refuse_last_link(changed)
        joined = dataclasses.replace(self.hypergraph, incidence=changed)
        linked = dataclasses.replace(self, hypergraph=joined)
        if not needed:
            return linked
        return linked.delete(self._placeholders_of(features) - set(components))

    def move(self, nodes: Iterable[int], at: NDArray[np.float64]) -> Drawing:
        """Return the drawing with other places of some nodes.

        Shapes: `at` (n_nodes, 2).
        `at`: where they are to stand, in pixels.
        """
        components, features = self.component_places.copy(), self.feature_places.copy()
        for node, place in zip(nodes, at, strict=True):
            if node in self.rows:
                components[self.rows[node]] = place
            else:
                features[self.columns[node]] = place
        return dataclasses.replace(
            self, component_places=components, feature_places=features
        )

    def arrange(self) -> Drawing:
        """Return the drawing laid out afresh, block by block."""
        components, features = places(self.hypergraph)
        return dataclasses.replace(
            self, component_places=components, feature_places=features
        )

    # ------------------------------------------------------------------------ plumbing

    def _placeholders_of(self, features: Iterable[int]) -> set[int]:
        """Numbers of components that cost 0 and are the only one of one feature."""
        columns = self._columns_of(features)
        links = self.hypergraph.incidence.tocsc()[:, columns]
        single = np.flatnonzero(np.diff(links.indptr) == 1)
        rows = links.indices[links.indptr[single]]
        users = np.diff(self.hypergraph.incidence.indptr)[rows]
        return {
            self.component_ids[i]
            for i in rows[users == 1]
            if self.hypergraph.component_costs[i] == 0
            and self.hypergraph.kinds[i] == "utilisation"
        }

    def _rows_of(self, components: Iterable[int]) -> NDArray[np.int_]:
        return np.array([self.rows[node] for node in components], dtype=int)

    def _columns_of(self, features: Iterable[int]) -> NDArray[np.int_]:
        return np.array([self.columns[node] for node in features], dtype=int)

    def _refuse_too_many(self, more: int) -> None:
        if len(self.component_ids) + len(self.feature_ids) + more > MAX_NODES:
            raise HypergraphError(
                f"There are {MAX_NODES} features and components already; no more can "
                "be drawn."
            )

    def _refuse_last_link(self, incidence: sparse.csr_array) -> None:
        bare = np.flatnonzero(np.asarray(incidence.sum(axis=0)) == 0)
        if bare.size:
            raise HypergraphError(
                f"Feature {shown(self.hypergraph.features[bare[0]])} needs at least "
                "one component; connect it to another one first."
            )

    def _beside(self, neighbours: NDArray[np.float64], dy: float) -> Place:
        """Return a free place below or above neighbours, or right of everything."""
        nodes = self.places
        if not nodes.size:
            return 0.0, 0.0
        if not neighbours.size:
            return float(nodes[:, 0].max() + STEP[0]), float(nodes[:, 1].mean())
        x, y = neighbours.mean(axis=0)
        y += dy
        level = nodes[np.abs(nodes[:, 1] - y) < NODE[1]]
        while (np.abs(level[:, 0] - x) < NODE[0]).any():
            x += STEP[0] / 2
        return float(x), float(y)


def refuse_too_large(hypergraph: FeatureHypergraph) -> None:
    """Refuse a hypergraph that has more nodes than can be drawn."""
    n_nodes = hypergraph.n_components + hypergraph.n_features
    if n_nodes > MAX_NODES:
        raise HypergraphError(
            f"The hypergraph has {n_nodes} features and components; up to {MAX_NODES} "
            "can be drawn."
        )


def _counted(prefix: str, taken: Iterable[str]) -> str:
    names, number = set(taken), 1
    while f"{prefix}{number}" in names:
        number += 1
    return f"{prefix}{number}"
