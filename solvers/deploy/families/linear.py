"""Weighted sums: one node that buys all it weighs, and answers."""

from __future__ import annotations

import numpy as np

from ...base import LinearClassifier
from ...methods.relief_svm import ReliefSVMClassifier
from ...methods.static_prefix import StaticPrefixClassifier
from ...numerics.svm_stages import STEPS
from ..lowering import linear_node, lower, refusal
from ..policy import Answered, DeployablePolicy, policy_of


@lower.register
def _(model: LinearClassifier) -> DeployablePolicy:
    if type(model).decision_function is not LinearClassifier.decision_function:
        raise refusal(model, "it decides in a way of its own")
    chosen = np.flatnonzero(model.support_)
    weights, base = model.coef_[:, chosen], model.intercept_
    return policy_of(model, [linear_node(chosen, weights, base, chosen, Answered())])


@lower.register(StaticPrefixClassifier)
@lower.register(ReliefSVMClassifier)
def _(model: StaticPrefixClassifier | ReliefSVMClassifier) -> DeployablePolicy:
    chosen = np.flatnonzero(model.support_)
    weights, base = model.coef_[:, chosen], model.intercept_
    node = linear_node(chosen, weights, base, chosen, Answered())
    return policy_of(model, [node], steps=STEPS)
