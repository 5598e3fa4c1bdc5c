"""What is learned of rows before any model of a stage: tree, columns and plans."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import sparse

from ...costs.hypergraph import FeatureHypergraph
from ...numerics.arrays import Floats, Mask
from .columns import ExpandedColumns
from .importance import importances
from .order import Purchases, ValuedPurchases, block_order, forward_order
from .routing import RoutingTree, grow_tree, paid_components
from .rows import WeightedRows
from .settings import MemberRecipe, Settings
from .stages import StagePlan, stage_plan

__all__ = ["Blueprint", "Sample"]


@dataclass(frozen=True, eq=False)
class Blueprint:
    """A tree, what models see, and the stages of each leaf; no model yet."""

    tree: RoutingTree
    columns: ExpandedColumns
    plans: tuple[StagePlan, ...]

    def equals(self, other: Blueprint) -> bool:
        """Return whether stages are the same, where neither parts the rows."""
        if self.tree.splits or other.tree.splits:
            return False
        mine, theirs = self.plans[0], other.plans[0]
        return np.array_equal(mine.columns, theirs.columns) and np.array_equal(
            mine.ends, theirs.ends
        )


@dataclass(frozen=True, eq=False)
class Sample:
    """Rows that blueprints are drawn from, and what several of them share.

    There is one of all rows, and one of the rows without each fold: whatever labels
    teach, the order of features included, is learned without the fold that it is
    judged on.
    """

    rows: WeightedRows
    hypergraph: FeatureHypergraph
    settings: Settings

    @cached_property
    def _importances(self) -> Floats:
        return importances(self.rows, self.settings.random_state)

    @cached_property
    def _expanded(self) -> ExpandedColumns:
        return ExpandedColumns.expanded(self.rows)

    @cached_property
    def _trees(self) -> dict[int, RoutingTree]:
        return {}

    def tree(self, depth: int) -> RoutingTree:
        """Return the tree of a depth; grown once."""
        if depth not in self._trees:
            seed = self.settings.random_state
            self._trees[depth] = (
                grow_tree(self.rows, self.hypergraph, depth, seed)
                if depth
                else RoutingTree()
            )
        return self._trees[depth]

    def columns(self, kind: str) -> ExpandedColumns:
        """Return what models of a kind see of the features."""
        if kind == "expanded":
            return self._expanded
        return ExpandedColumns(self.hypergraph.n_features)

    def draw(self, recipe: MemberRecipe, n_stages: int | None) -> Blueprint:
        """Return the blueprint of a recipe; its stages end anywhere for None."""
        tree, columns = self.tree(recipe.depth), self.columns(recipe.kind)
        leaf_of = tree.leaves(self.rows.X)
        plans = []
        for leaf, path in enumerate(tree.paths):
            paid = paid_components(self.hypergraph, path)
            rows = self.rows.part(leaf_of == leaf)
            purchases = self._purchases(rows, columns, recipe, paid)
            order = block_order if recipe.order == "block" else forward_order
            prepaid = float(self.hypergraph.component_costs[paid].sum())
            plans.append(stage_plan(order(purchases), n_stages, prepaid))
        return Blueprint(tree, columns, tuple(plans))

    def _purchases(
        self,
        rows: WeightedRows,
        columns: ExpandedColumns,
        recipe: MemberRecipe,
        paid: Mask,
    ) -> Purchases:
        # What led to the leaf is computed already: it is free to all that share it.
        unpaid = np.where(paid, 0.0, self.hypergraph.component_costs)
        by_feature = sparse.csr_array(self.hypergraph.incidence.T, dtype=float)
        if not recipe.is_linear:
            # In a leaf features are worth what they are to its own rows.
            is_whole = len(rows.labels) == len(self.rows.labels)
            seed = self.settings.random_state
            values = self._importances if is_whole else importances(rows, seed)
            return ValuedPurchases(values, by_feature, unpaid)
        return Purchases(
            columns.table(rows.X, np.arange(len(columns.parents))),
            rows,
            sparse.csr_array(by_feature[columns.parents]),
            unpaid,
            is_exact=self.settings.accounting == "max",
        )
