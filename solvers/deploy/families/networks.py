"""Networks of rectified units: a root a unit, whose answers are added up."""

from __future__ import annotations

import numpy as np

from ...methods.neural_network import NeuralNetworkClassifier
from ..lowering import linear_node, lower
from ..policy import DeployablePolicy, PolicyNode, Rectified, policy_of


@lower.register
def _(model: NeuralNetworkClassifier) -> DeployablePolicy:
    chosen = np.flatnonzero(model.support_)
    nodes = [PolicyNode((float(model.intercept_),), buys=tuple(chosen.tolist()))]
    for unit, weight in enumerate(model.coef_.tolist()):
        weights = model.hidden_coef_[np.newaxis, :, unit]
        base = model.hidden_intercept_[[unit]]
        nodes.append(linear_node(chosen, weights, base, (), Rectified(weight)))
    return policy_of(model, nodes, range(len(nodes)))
