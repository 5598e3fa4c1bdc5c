"""A hypergraph as it is drawn: a value; every edit returns another.

Features and components have numbers of their own that outlive renaming and undoing,
so that the browser and the table can say which one they mean.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from solvers import FeatureHypergraph
from solvers.errors import HypergraphError

from .drawing_edits import MAX_NODES, DrawingEdits, Place
from .node_layout import places

if TYPE_CHECKING:
    from .table import Table

__all__ = ["MAX_NODES", "Drawing", "Place"]


@dataclass(frozen=True, eq=False)
class Drawing(DrawingEdits):
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
        n_components, n_features = hypergraph.n_components, hypergraph.n_features
        if n_components + n_features > MAX_NODES:
            raise HypergraphError(
                f"The hypergraph has {n_components + n_features} features and "
                f"components; up to {MAX_NODES} can be drawn."
            )
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
        components, features = self.hypergraph.connected_components()
        found = dict.fromkeys([*features.tolist(), *components.tolist()])
        rank = np.zeros(max(found, default=0) + 1, dtype=int)
        rank[list(found)] = np.arange(len(found))
        return rank[components], rank[features]

    @property
    def n_blocks(self) -> int:
        """How many blocks there are."""
        return 1 + max((int(part.max(initial=-1)) for part in self.blocks), default=-1)
