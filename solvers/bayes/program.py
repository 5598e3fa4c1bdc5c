"""A network as a decision program: naive Bayes adds up, others are a table of states.

Both stop where no state of what is left can change the decision. A state that is not
known, or not among those of the network, counts as not observed. What is answered is
the logarithm of the odds for the positive class, given what was asked for.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np

from ..costs.hypergraph import FeatureHypergraph
from ..decisions.program import (
    Answered,
    ExitIf,
    Program,
    ProgramNode,
    Rule,
    bin_questions,
)
from ..errors import DeployError, shown
from ..numerics.arrays import Floats, Mask
from .classifier import BayesianClassifier
from .cuts import TOLERANCE
from .masses import NaiveMasses, log_ratio

# Sums of logarithms in another order differ by less.
_ROUNDING = 1e-9
# Half a million answers are a second of work; more nodes are no small program.
_MOST_STATES = 2**19
_MOST_NODES = 2**15

# For each feature its state; the one behind the last where it was not observed.
_Seen: TypeAlias = tuple[int | slice, ...]


def network_program(
    classifier: BayesianClassifier, prices: FeatureHypergraph
) -> tuple[Program, list[Floats]]:
    """Return the program, and for each feature the number of each of its states.

    The last number of a feature is that of a state that is not known.
    """
    masses, cut = classifier.masses, answering_cut(classifier)
    if isinstance(masses, NaiveMasses) and _shows_every_state(masses):
        # A word's number in the sum, and 0 for one that is not known.
        tables = [np.append(log_ratio(*given), 0.0) for given in masses.given_class]
        prior = float(log_ratio(masses.prior, 1 - masses.prior))
        nodes = _sums(tables, prior, prices, cut)
    else:
        # Its own code, and the one behind for what is not known.
        tables = [np.arange(k + 1.0) for k in masses.cardinalities]
        nodes = _state_nodes(classifier, prices, cut)
    return Program(tuple(nodes)), tables


def _shows_every_state(masses: NaiveMasses) -> bool:
    """Return whether no state is impossible, in either class."""
    return 0.0 < masses.prior < 1.0 and all((t > 0).all() for t in masses.given_class)


def answering_cut(classifier: BayesianClassifier) -> float:
    """Return the log-odds of the threshold, less what counts as a tie."""
    least = classifier.threshold - TOLERANCE
    return math.log(least / (1.0 - least)) if least > 0.0 else -math.inf


def _sums(
    tables: Sequence[Floats], prior: float, prices: FeatureHypergraph, cut: float
) -> list[ProgramNode]:
    """Return a stage for each feature, left once the others cannot turn the sum."""
    order = _by_reach(tables, prices)
    nodes: list[ProgramNode] = []
    for known in range(len(order) + 1):
        rest = [tables[j] for j in order[known:]]
        low = cut - math.fsum(table.max() for table in rest) - _ROUNDING
        high = cut - math.fsum(table.min() for table in rest) + _ROUNDING
        decided = known == 0 and not low < prior < high
        rule: Rule = Answered()
        if rest and not decided:
            rule = ExitIf("outside", (1.0,), (low, high), known + 1)
        terms = tuple((j, (1.0,)) for j in order[:known])
        nodes.append(
            ProgramNode((prior,), terms, tuple(order[known - 1 : known]), rule)
        )
        if decided:
            break
    return nodes


def _by_reach(tables: Sequence[Floats], prices: FeatureHypergraph) -> list[int]:
    """Return features in an order: what turns the sum most for what it adds."""
    order = list[int]()
    while left := [j for j in range(len(tables)) if j not in order]:
        paid = prices.cost(order) if order else 0.0

        def rank(j: int, paid: float = paid) -> tuple[float, int]:
            news, reach = prices.cost([*order, j]) - paid, float(np.ptp(tables[j]))
            return (-reach / news if news > 0 else -math.inf), j

        order.append(min(left, key=rank))
    return order


# A table of states.


def _state_nodes(
    classifier: BayesianClassifier, prices: FeatureHypergraph, cut: float
) -> list[ProgramNode]:
    """Return the tree, whose answers from the cut on are the positive ones."""
    masses = classifier.masses
    sizes = masses.cardinalities
    if math.prod(size + 1 for size in sizes) > _MOST_STATES:
        raise DeployError(
            f"The network about {shown(classifier.target)} cannot be exported: "
            f"its {len(sizes)} features have too many joint states for a table. Trim "
            "it to a smaller budget."
        )
    positive, total = (
        _with_sums(mass.reshape(sizes)) for mass in masses.of(range(len(sizes)))
    )
    otherwise = positive.flat[-1] / total.flat[-1]
    posterior = np.full_like(total, otherwise)
    np.divide(positive, total, out=posterior, where=total > 0)
    called = posterior >= classifier.threshold - TOLERANCE
    odds = log_ratio(posterior, 1.0 - posterior)
    # Rounding moves no answer across the cut.
    below = np.minimum(odds, np.nextafter(cut, -np.inf))
    odds = np.where(called, np.maximum(odds, cut), below)
    tree = _StateTree(prices, called, total, odds)
    tree.grow((slice(None),) * len(sizes))
    return tree.nodes


def _with_sums(table: Floats) -> Floats:
    """Return a table with the sums over each axis behind it: that is not observed."""
    for axis in range(table.ndim):
        table = np.append(table, table.sum(axis=axis, keepdims=True), axis=axis)
    return table


@dataclass
class _StateTree:
    """Grows a tree; each array has an axis for each feature."""

    prices: FeatureHypergraph
    called: Mask
    total: Floats
    odds: Floats
    nodes: list[ProgramNode] = field(default_factory=list)

    def grow(self, seen: _Seen) -> int:
        """Add what happens once some states are known; return where it stands."""
        here, called = len(self.nodes), self.called[seen]
        if called.all() or not called.any():
            place = tuple(-1 if isinstance(state, slice) else state for state in seen)
            rule = Answered(is_impossible=bool(self.total[place] == 0))
            self.nodes.append(ProgramNode((float(self.odds[place]),), rule=rule))
            return here
        if here > _MOST_NODES:
            raise DeployError(
                f"The network's table has more than {_MOST_NODES:,} ways; trim it to a "
                "smaller budget."
            )
        feature = self._next(seen)
        last = self.called.shape[feature] - 1
        self.nodes += [ProgramNode()] * last
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
