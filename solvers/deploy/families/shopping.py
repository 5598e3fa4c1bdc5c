"""csNB: a shopping trip, with the shares of each bin in each class."""

from __future__ import annotations

from ...decisions.program import Node, Shopping
from ...methods.csnb import CSNBClassifier
from ...methods.grouped import usual_error_cost
from ..lowering import lower
from ..policy import DeployablePolicy, policy_of


@lower.register
def _(model: CSNBClassifier) -> DeployablePolicy:
    error_cost = model.error_cost
    if error_cost is None:
        error_cost = usual_error_cost(model._hypergraph())
    groups = tuple(tuple(group.tolist()) for group in model.groups_)
    flat = [column for group in groups for column in group]
    edges = [model.bins_.edges[j] for j in flat]
    rule = Shopping(
        float(error_cost),
        groups,
        tuple(tuple(one.tolist()) for one in edges),
        tuple(
            tuple(map(tuple, model.feature_log_prob_[j, : len(one) + 1].tolist()))
            for j, one in zip(flat, edges, strict=True)
        ),
    )
    prior = tuple(model.class_log_prior_.tolist())
    return policy_of(model, [Node(prior, rule=rule)])
