"""Weighted sums, and networks whose units are sums that are never below 0."""

from __future__ import annotations

import numpy as np

from ...decisions.program import Answered, Node, Rectified, linear_node, refusal
from ...methods.base import LinearClassifier
from ...methods.neural_network import NeuralNetworkClassifier
from ...methods.relief_svm import ReliefSVMClassifier
from ...methods.static_prefix import StaticPrefixClassifier
from ...numerics.svm_stages import STEPS
from ..lowering import lower
from ..policy import DeployablePolicy, policy_of


@lower.register
def _(model: LinearClassifier) -> DeployablePolicy:
    if type(model).decision_function is not LinearClassifier.decision_function:
        raise refusal(model, "it decides in a way of its own")
    return policy_of(model, [_weighing_all(model)])


@lower.register(StaticPrefixClassifier)
@lower.register(ReliefSVMClassifier)
def _(model: StaticPrefixClassifier | ReliefSVMClassifier) -> DeployablePolicy:
    return policy_of(model, [_weighing_all(model)], steps=STEPS)


def _weighing_all(
    model: LinearClassifier | StaticPrefixClassifier | ReliefSVMClassifier,
) -> Node:
    """Return the one node: it buys all that it weighs, and answers."""
    chosen = np.flatnonzero(model.support_)
    weights, base = model.coef_[:, chosen], model.intercept_
    return linear_node(chosen, weights, base, chosen, Answered())


@lower.register
def _(model: NeuralNetworkClassifier) -> DeployablePolicy:
    chosen = np.flatnonzero(model.support_)
    nodes = [Node((float(model.intercept_),), buys=tuple(chosen.tolist()))]
    for unit, weight in enumerate(model.coef_.tolist()):
        weights = model.hidden_coef_[np.newaxis, :, unit]
        base = model.hidden_intercept_[[unit]]
        nodes.append(linear_node(chosen, weights, base, (), Rectified(weight)))
    return policy_of(model, nodes, range(len(nodes)))
