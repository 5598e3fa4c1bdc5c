"""Edits of a hypergraph: each returns a new one, so that undo is keeping the old."""

# The mixin has one user; typing self as that user is what mypy calls misc.
# mypy: disable-error-code="misc"

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from .errors import HypergraphError
from .incidence import ComponentKind, as_costs, free_name
from .selection import Selection

if TYPE_CHECKING:
    from .hypergraph import FeatureHypergraph

__all__ = ["HypergraphEdits"]


class HypergraphEdits:
    """What :class:`FeatureHypergraph` can be turned into."""

    def restrict(self: FeatureHypergraph, features: Selection) -> FeatureHypergraph:
        """Return the hypergraph of some features, in the order in which they are given.

        `features`: the features to keep. Components that none of them needs are
        dropped.
        """
        given = np.asarray(features)
        columns = np.flatnonzero(self.feature_mask(features))
        if given.dtype != bool and given.ndim == 1 and given.size:
            order = [int(np.flatnonzero(self.feature_mask(item))[0]) for item in given]
            columns = np.array(order)
        if np.unique(columns).size != columns.size:
            raise HypergraphError("A feature is named twice; name each feature once.")
        rows = np.flatnonzero(self.required_components(columns))
        return self._part(rows, columns)

    def add_feature(
        self: FeatureHypergraph,
        name: str,
        components: Selection = (),
        *,
        cost: float | None = None,
    ) -> FeatureHypergraph:
        """Return a hypergraph with one more feature, as its last column.

        `cost`: cost of a component of its own, named like the feature. A feature that
        is given no components gets one of cost 0.
        """
        needs = self.component_mask(components)
        grown = self
        if cost is not None or not needs.any():
            own = free_name(name, self.components)
            grown = self.add_component(own, cost or 0.0, kind="utilisation")
            needs = np.append(needs, True)
        column = sparse.csr_array(needs[:, np.newaxis])
        return dataclasses.replace(
            grown,
            incidence=sparse.hstack([grown.incidence, column], format="csr"),
            feature_names=(*grown.features, name),
        )

    def add_component(
        self: FeatureHypergraph,
        name: str,
        cost: float,
        features: Selection = (),
        *,
        kind: ComponentKind = "generation",
    ) -> FeatureHypergraph:
        """Return a hypergraph with one more component, as its last row."""
        row = sparse.csr_array(self.feature_mask(features)[np.newaxis, :])
        return dataclasses.replace(
            self,
            incidence=sparse.vstack([self.incidence, row], format="csr"),
            component_costs=np.append(self.component_costs, as_costs(cost)),
            component_names=(*self.components, name),
            component_kinds=(*self.kinds, kind),
        )

    def rename(
        self: FeatureHypergraph,
        *,
        features: Mapping[str, str] | None = None,
        components: Mapping[str, str] | None = None,
    ) -> FeatureHypergraph:
        """Return a hypergraph with other names."""
        new_features, new_components = features or {}, components or {}
        self.feature_mask(list(new_features))  # refuses unknown names
        self.component_mask(list(new_components))
        return dataclasses.replace(
            self,
            feature_names=tuple(new_features.get(n, n) for n in self.features),
            component_names=tuple(new_components.get(n, n) for n in self.components),
        )

    def set_cost(
        self: FeatureHypergraph, component: str | int, cost: float
    ) -> FeatureHypergraph:
        """Return a hypergraph in which one component costs something else."""
        changed = self._only(self.component_mask(component), "component")
        costs = np.delete(self.component_costs, changed)
        costs = np.insert(costs, changed, as_costs(cost))
        return dataclasses.replace(self, component_costs=costs)

    def connect(
        self: FeatureHypergraph, feature: str | int, component: str | int
    ) -> FeatureHypergraph:
        """Return a hypergraph in which a feature needs a component."""
        return self._toggled(feature, component, True)

    def disconnect(
        self: FeatureHypergraph, feature: str | int, component: str | int
    ) -> FeatureHypergraph:
        """Return a hypergraph in which a feature does without a component.

        `feature, component`: name or index of each. The last component of a feature
        cannot go.
        """
        return self._toggled(feature, component, False)

    def remove(
        self: FeatureHypergraph, *, features: Selection = (), components: Selection = ()
    ) -> FeatureHypergraph:
        """Return a hypergraph without some features and components.

        `features, components`: what goes. Components that lose their last feature stay.
        """
        columns = np.flatnonzero(~self.feature_mask(features))
        rows = np.flatnonzero(~self.component_mask(components))
        return self._part(rows, columns)

    def _part(
        self: FeatureHypergraph, rows: NDArray, columns: NDArray
    ) -> FeatureHypergraph:
        return dataclasses.replace(
            self,
            incidence=self.incidence[rows][:, columns],
            component_costs=self.component_costs[rows],
            feature_names=tuple(self.features[j] for j in columns),
            component_names=tuple(self.components[i] for i in rows),
            component_kinds=tuple(self.kinds[i] for i in rows),
        )

    def _toggled(
        self: FeatureHypergraph, feature: str | int, component: str | int, needed: bool
    ) -> FeatureHypergraph:
        j = self._only(self.feature_mask(feature), "feature")
        i = self._only(self.component_mask(component), "component")
        links = self.incidence.tolil(copy=True)
        links[i, j] = needed
        return dataclasses.replace(self, incidence=links.tocsr())

    @staticmethod
    def _only(mask: NDArray[np.bool_], what: str) -> int:
        (chosen,) = np.nonzero(mask)
        if chosen.size != 1:
            raise HypergraphError(
                f"{chosen.size} {what}s are named; name exactly one {what}."
            )
        return int(chosen[0])
