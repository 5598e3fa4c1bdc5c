"""Where a budget stands: at first, and once prices are others."""

from __future__ import annotations

from solvers import FeatureHypergraph

# Of what all features cost.
_OPENING_SHARE = 0.1


def opening_budget(hypergraph: FeatureHypergraph) -> float:
    """Return where the budget stands at first: enough to buy something, not all."""
    prices = hypergraph.marginal_costs()
    cheapest = prices[prices > 0].min(initial=hypergraph.total_cost)
    return float(max(_OPENING_SHARE * hypergraph.total_cost, cheapest))


def repriced(budget: float, before: float, after: float) -> float:
    """Return a budget at other prices: the same share of what there is to pay.

    `before`, `after`: what all features cost together; before, above 0.
    """
    return min(budget * (after / before), after)
