"""What a network decides about every joint state, as a tree that asks while it must."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ...bayes.cuts import TOLERANCE
from ...bayes.masses import log_ratio
from ...costs.hypergraph import FeatureHypergraph
from ...decisions.program import Answered, Node, bin_questions
from ...errors import DeployError, shown
from ..priced_network import PricedNetwork

__all__ = ["state_nodes"]

# Half a million answers are a second of work; more nodes are no small program.
_MOST_STATES = 2**19
_MOST_NODES = 2**15

# For each feature its state; the one behind the last where it was not observed.
_Seen: TypeAlias = tuple[int | slice, ...]


def state_nodes(model: PricedNetwork, cut: float) -> list[Node]:
    """Return the tree, whose answers from the cut on are the positive ones."""
    masses = model.classifier.masses
    sizes = masses.cardinalities
    if math.prod(size + 1 for size in sizes) > _MOST_STATES:
        raise DeployError(
            f"The network about {shown(model.classifier.target)} cannot be exported: "
            f"its {len(sizes)} features have too many joint states for a table. Trim "
            "it to a smaller budget."
        )
    positive, total = (
        _with_sums(mass.reshape(sizes)) for mass in masses.of(range(len(sizes)))
    )
    otherwise = positive.flat[-1] / total.flat[-1]
    posterior = np.full_like(total, otherwise)
    np.divide(positive, total, out=posterior, where=total > 0)
    called = posterior >= model.classifier.threshold - TOLERANCE
    odds = log_ratio(posterior, 1.0 - posterior)
    # Rounding moves no answer across the cut.
    odds = np.where(called, np.maximum(odds, cut), np.minimum(odds, _below(cut)))
    tree = _StateTree(model.hypergraph, called, total, odds)
    tree.grow((slice(None),) * len(sizes))
    return tree.nodes


def _below(cut: float) -> float:
    return float(np.nextafter(cut, -np.inf))


def _with_sums(table: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return a table with the sums over each axis behind it: that is not observed."""
    for axis in range(table.ndim):
        table = np.append(table, table.sum(axis=axis, keepdims=True), axis=axis)
    return table


@dataclass
class _StateTree:
    """Grows a tree; each array has an axis for each feature."""

    prices: FeatureHypergraph
    called: NDArray[np.bool_]
    total: NDArray[np.float64]
    odds: NDArray[np.float64]
    nodes: list[Node] = field(default_factory=list)

    def grow(self, seen: _Seen) -> int:
        """Add what happens once some states are known; return where it stands."""
        here, called = len(self.nodes), self.called[seen]
        if called.all() or not called.any():
            place = tuple(-1 if isinstance(state, slice) else state for state in seen)
            rule = Answered(is_impossible=bool(self.total[place] == 0))
            self.nodes.append(Node((float(self.odds[place]),), rule=rule))
            return here
        if here > _MOST_NODES:
            raise DeployError(
                f"The network's table has more than {_MOST_NODES:,} ways; trim it to a "
                "smaller budget."
            )
        feature = self._next(seen)
        last = self.called.shape[feature] - 1
        self.nodes += [Node()] * last
        ways = [
            self.grow((*seen[:feature], state, *seen[feature + 1 :]))
            for state in range(last + 1)
        ]
        cuts = [state + 0.5 for state in range(last)]
        self.nodes[here : here + last] = bin_questions(feature, cuts, ways, here)
        return here

    def _next(self, seen: _Seen) -> int:
        """Return the feature that settles most of the decision for what it adds."""
        known = [j for j, state in enumerate(seen) if not isinstance(state, slice)]
        paid = self.prices.cost(known) if known else 0.0
        open_ones = [j for j in range(len(seen)) if j not in known]
        called = self.called[seen]
        observed = tuple(
            slice(0, -1) if isinstance(state, slice) else state for state in seen
        )
        signed = np.where(self.called[observed], 1.0, -1.0) * self.total[observed]

        def rank(axis: int) -> tuple[float, float, int]:
            others = tuple(k for k in range(signed.ndim) if k != axis)
            gain = np.abs(signed.sum(axis=others)).sum() - abs(signed.sum())
            cost = self.prices.cost([*known, open_ones[axis]]) - paid
            return (-gain / cost if cost > 0 else -math.inf), cost, axis

        told = [
            axis
            for axis in range(called.ndim)
            if (called != called.take([0], axis)).any()
        ]
        return open_ones[min(told, key=rank)]
