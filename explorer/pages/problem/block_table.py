"""The blocks of a hypergraph, costliest first: what is paid together."""

from __future__ import annotations

from typing import Any

import numpy as np
import param

from solvers import FeatureHypergraph
from solvers.errors import listed
from solvers.values.rounding import rounded

from ...document.drawing import Drawing
from ...document.editor import EditorState
from ...widgets.figure_view import StateTable
from ...widgets.text import unit_text

MAX_SHOWN = 500
MAX_NAMES = 4


class BlockTable(StateTable):
    """One row a block; picking one chooses its nodes or, of many, draws only them."""

    state = param.ClassSelector(class_=EditorState)
    caption, height = "Blocks, costliest first", 300
    numbers = (True, True, True, True, True, True, False)
    follows = ("drawing",)
    _shown: FeatureHypergraph | None = None
    _blocks: list[int]

    def _fill(self) -> None:
        drawing = self.state.drawing
        if drawing.hypergraph is self._shown:
            return  # nodes were moved
        self._shown = drawing.hypergraph
        rows = block_rows(drawing)
        self._blocks = [row[0] for row in rows]
        unit = unit_text(drawing.hypergraph.unit)
        sums = [f"{what} ({unit})" for what in ("Together", "One by one", "Saved")]
        self._table.param.update(
            columns=["Block", "Features", "Components", *sums, "Names"],
            rows=[[row[0] + 1, *row[1:]] for row in rows],
            picked=-1,
        )

    def _pick(self, row: int) -> None:
        drawing, block = self.state.drawing, self._blocks[row]
        ids = (drawing.component_ids, drawing.feature_ids)
        self.state.look_at(
            [
                node
                for nodes, blocks in zip(ids, drawing.blocks, strict=True)
                for node, its_block in zip(nodes, blocks, strict=True)
                if its_block == block
            ]
        )
        self._table.picked = row


def block_rows(drawing: Drawing) -> list[list[Any]]:
    """Return number, sizes and costs of each block, costliest first.

    Number of the block, how many features and components, cost together, cost one by
    one, difference, names of its features. At most `MAX_SHOWN` blocks.
    """
    hypergraph = drawing.hypergraph
    component_blocks, feature_blocks = drawing.blocks
    n = drawing.n_blocks
    used = np.diff(hypergraph.incidence.indptr) > 0
    paid = np.where(used, hypergraph.component_costs, 0.0)
    together = np.bincount(component_blocks, paid, n)
    apart = np.bincount(feature_blocks, hypergraph.marginal_costs(), n)
    n_features = np.bincount(feature_blocks, minlength=n)
    n_components = np.bincount(component_blocks, minlength=n)
    order = np.argsort(-together, kind="stable")[:MAX_SHOWN]
    members: dict[int, list[str]] = {int(k): [] for k in order}
    for name, block in zip(hypergraph.features, feature_blocks.tolist(), strict=True):
        if block in members:
            members[block].append(name)
    return [
        [
            k,
            int(n_features[k]),
            int(n_components[k]),
            _short(together[k]),
            _short(apart[k]),
            _short(max(0.0, apart[k] - together[k])),
            listed(members[k], MAX_NAMES, told=str),
        ]
        for k in map(int, order)
    ]


def _short(value: float) -> float:
    return rounded(value, 4)
