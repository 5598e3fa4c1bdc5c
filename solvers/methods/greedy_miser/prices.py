"""What the next feature costs, given those that earlier splits have bought."""

from __future__ import annotations

from typing import Literal, TypeAlias

import numpy as np

from ...costs.hypergraph import FeatureHypergraph

__all__ = ["CostUpdate", "FallingCosts"]

CostUpdate: TypeAlias = Literal["split", "tree"]


class FallingCosts:
    """Prices that fall as features are bought.

    `share`: whether a component that is paid makes its other features cheaper. Without
    it a feature costs all of its components until it is bought itself.
    `update`: when prices fall: after each split, or after each tree as published.
    """

    def __init__(
        self, hypergraph: FeatureHypergraph, share: bool, update: CostUpdate
    ) -> None:
        self._hypergraph = hypergraph
        self._share = share
        self._update = update
        self.bought = np.zeros(hypergraph.n_features, dtype=bool)
        # Prices before anything is bought: every feature by itself.
        self.current = hypergraph.marginal_costs()

    def buy(self, feature: int) -> None:
        """Note that a split asks a feature."""
        if not self.bought[feature]:
            self.bought[feature] = True
            if self._update == "split":
                self._refresh()

    def end_tree(self) -> None:
        """Note that a tree is complete."""
        if self._update == "tree":
            self._refresh()

    def _refresh(self) -> None:
        paid = self._hypergraph.required_components(self.bought)
        if self._share:
            self.current = self._hypergraph.marginal_costs(paid)
        else:
            alone = self._hypergraph.marginal_costs()
            self.current = np.where(self.bought, 0.0, alone)
