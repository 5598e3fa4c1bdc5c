"""Bayesian networks: naive Bayes adds up, feature by feature; others are a table.

Both stop where no state of what is left can change the decision. A state that is not
known, or not among those of the network, counts as not observed. What is answered is
the logarithm of the odds for the positive class, given what was asked for.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ...bayes import BayesianClassifier
from ...bayes.cuts import TOLERANCE
from ...bayes.masses import NaiveMasses, log_ratio
from ...decisions.program import Answered, ExitIf, Node, Rule
from ..lowering import lower
from ..policy import DeployablePolicy, ValueKind, priced_policy
from ..priced_network import PricedNetwork
from .state_tables import state_nodes

__all__: list[str] = []

# Sums of logarithms in another order differ by less.
_ROUNDING = 1e-9


@lower.register
def _(model: BayesianClassifier) -> DeployablePolicy:
    return lower(PricedNetwork(model))


@lower.register
def _(model: PricedNetwork) -> DeployablePolicy:
    classifier, masses = model.classifier, model.classifier.masses
    if isinstance(masses, NaiveMasses) and _shows_every_state(masses):
        # A word's number in the sum, and 0 for one that is not known.
        tables = [np.append(log_ratio(*given), 0.0) for given in masses.given_class]
        nodes = _sums(model, tables, float(log_ratio(masses.prior, 1 - masses.prior)))
    else:
        # Its own code, and the one behind for what is not known.
        tables = [np.arange(k + 1.0) for k in masses.cardinalities]
        nodes = state_nodes(model, _cut(classifier))
    others = [
        state
        for state in classifier.network.states[classifier.target]
        if state != classifier.positive_state
    ]
    policy = priced_policy(
        f"Bayesian network about {classifier.target}",
        model.hypergraph,
        classifier.features,
        (" or ".join(others), classifier.positive_state),
        nodes,
        cut=_cut(classifier),
        calls_at_cut=True,
    )
    return _of_states(policy, classifier, tables)


def _shows_every_state(masses: NaiveMasses) -> bool:
    """Return whether no state is impossible, in either class."""
    return 0.0 < masses.prior < 1.0 and all((t > 0).all() for t in masses.given_class)


def _cut(classifier: BayesianClassifier) -> float:
    """Return the log-odds of the threshold, less what counts as a tie."""
    least = classifier.threshold - TOLERANCE
    return math.log(least / (1.0 - least)) if least > 0.0 else -math.inf


def _of_states(
    policy: DeployablePolicy,
    classifier: BayesianClassifier,
    tables: Sequence[NDArray[np.float64]],
) -> DeployablePolicy:
    """Return a policy that takes names of states, and weighs a number for each."""
    states = classifier.network.states
    columns = (
        replace(column, table=tuple(table.tolist()), gap=float(table[-1]))
        for column, table in zip(
            policy.columns, (tables[j] for j in policy.places), strict=True
        )
    )
    kinds = (
        ValueKind("listed", words, unseen=((len(words) - 0.5, math.inf),))
        for words in map(states.__getitem__, policy.features)
    )
    return replace(policy, columns=tuple(columns), kinds=tuple(kinds))


def _sums(
    model: PricedNetwork, tables: Sequence[NDArray[np.float64]], prior: float
) -> list[Node]:
    """Return a stage for each feature, left once the others cannot turn the sum."""
    cut, order = _cut(model.classifier), _by_reach(model, tables)
    nodes: list[Node] = []
    for known in range(len(order) + 1):
        rest = [tables[j] for j in order[known:]]
        low = cut - math.fsum(table.max() for table in rest) - _ROUNDING
        high = cut - math.fsum(table.min() for table in rest) + _ROUNDING
        decided = known == 0 and not low < prior < high
        rule: Rule = Answered()
        if rest and not decided:
            rule = ExitIf("outside", (1.0,), (low, high), known + 1)
        terms = tuple((j, (1.0,)) for j in order[:known])
        nodes.append(Node((prior,), terms, tuple(order[known - 1 : known]), rule))
        if decided:
            break
    return nodes


def _by_reach(model: PricedNetwork, tables: Sequence[NDArray[np.float64]]) -> list[int]:
    """Return features in an order: what turns the sum most for what it adds."""
    prices, order = model.hypergraph, list[int]()
    while left := [j for j in range(len(tables)) if j not in order]:
        paid = prices.cost(order) if order else 0.0

        def rank(j: int, paid: float = paid) -> tuple[float, int]:
            news, reach = prices.cost([*order, j]) - paid, float(np.ptp(tables[j]))
            return (-reach / news if news > 0 else -math.inf), j

        order.append(min(left, key=rank))
    return order
