"""A Bayesian network with prices as a policy: it takes names of states."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..bayes import BayesianClassifier
from ..bayes.pricing import Costs, as_prices
from ..bayes.program import answering_cut, network_program
from ..costs.hypergraph import FeatureHypergraph
from ..numerics.arrays import Floats
from .policy import DeployablePolicy, ValueKind, priced_policy


@dataclass(frozen=True, eq=False)
class PricedNetwork:
    """A Bayesian-network classifier, trimmed or not, and what its features cost.

    Parameters
    ----------
    classifier : BayesianClassifier
        What decides, such as ``original.trimmed(best.features, best.threshold)``.
    costs : array_like of float, mapping of str to float or FeatureHypergraph, optional
        A cost for each feature, in order or by name, or a hypergraph that has features
        of these names; one each by default.
    unit : str, default=""
        Of the costs; that of the hypergraph where there is one.
    """

    classifier: BayesianClassifier
    costs: Costs = None
    unit: str = ""

    @property
    def hypergraph(self) -> FeatureHypergraph:
        """What the features need, in the classifier's order."""
        names = self.classifier.features
        shared = self.costs
        if isinstance(shared, FeatureHypergraph):
            return shared.restrict(list(names))
        # Without components that are shared, each feature has one of its own.
        each = as_prices(names, shared, np.inf).alone()
        return FeatureHypergraph.independent(each, names, unit=self.unit or "units")


def network_policy(model: PricedNetwork) -> DeployablePolicy:
    """Return the policy of a network whose features have prices."""
    classifier = model.classifier
    program, tables = network_program(classifier, model.hypergraph)
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
        program,
        cut=answering_cut(classifier),
        calls_at_cut=True,
    )
    return _of_states(policy, classifier, tables)


def _of_states(
    policy: DeployablePolicy, classifier: BayesianClassifier, tables: Sequence[Floats]
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
