"""The bill of one row: what a policy bought, in which order, and why it stopped."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..costs.alignment import named_values
from ..decisions.basket import Basket, BillLine, FeatureValues, bill_lines
from ..decisions.coding import ColumnValues
from ..decisions.machine import prepared_nodes, run_policy
from ..decisions.program import turns_data
from ..numerics.arrays import Floats
from .policy import DeployablePolicy
from .text import columns_by_name, nodes_by_name, prices_by_name


@dataclass(frozen=True)
class ItemisedBill:
    """What was bought for a row."""

    #: The purchases: feature, cost, components that were already paid, and the score
    #: that the policy had then, None where it said nothing before the next
    lines: tuple[BillLine, ...]
    why: str  #: Why it stopped, in a sentence


class _Codes(FeatureValues):
    """FeatureValues as a data set holds them: numbers, codes, gaps."""

    def number(self, name: str, given: Any) -> float:
        return float(given)


def itemised(
    policy: DeployablePolicy, row: Floats | Sequence[float] | Mapping[str, float]
) -> ItemisedBill:
    """Return the bill of a row, as what is exported reckons it.

    Parameters
    ----------
    policy : DeployablePolicy
        As `policy_from` gives it.
    row : ndarray or mapping of float, shape (n_features,)
        A full row: values, or codes where columns are encoded, NaN for a gap; by name,
        or an array in the order in which the model takes columns.

    Returns
    -------
    ItemisedBill

    Examples
    --------
    >>> from solvers import FeatureHypergraph
    >>> from solvers.deploy import policy_from
    >>> from solvers.methods.csdt import CSDTClassifier
    >>> prices = FeatureHypergraph.independent([3.0, 1.0], ["scan", "age"])
    >>> X = [[0.0, 5.0], [1.0, 5.0], [0.0, 6.0], [1.0, 6.0]]
    >>> model = CSDTClassifier(prices).fit(X, [0, 1, 0, 1])
    >>> itemised(policy_from(model), [1.0, 5.0]).lines[0]
    BillLine(feature='scan', cost=3.0, already_paid=(), score=1.0)
    """
    named = named_values(row)
    values: Any = named
    if named is None:
        values = np.asarray(row, dtype=float)[list(policy.places)].tolist()
        values = dict(zip(policy.features, values, strict=True))
    needs, costs = prices_by_name(policy)
    made, data = columns_by_name(policy), nodes_by_name(policy)
    parents = {name: of["of"] for name, of in made.items()}
    nodes = prepared_nodes(data, policy.roots, policy.steps, needs, costs, parents)
    features = _Codes(values, policy.features)
    basket = Basket(features, ColumnValues(features, made))
    how = policy.rests, turns_data(policy.turns)
    run_policy(nodes, policy.roots, policy.n_sums, basket, *how)
    lines = bill_lines(tuple(features), basket.said, needs, costs)
    return ItemisedBill(lines, basket.why)
