"""Where a budget stands: at first, and once prices are others."""

from __future__ import annotations

from solvers import Dataset

from ..document.recipes import recipe_of

# Of what all features cost.
_OPENING_SHARE = 0.1
# By data set as it comes: where its best model shares, or what its question asks.
_OPENING = {"published": 10.5, "heart": 50.0}


def opening_budget(dataset: Dataset) -> float:
    """Return where the budget stands at first: enough to buy something, not all."""
    recipe = recipe_of(dataset, as_priced=True)
    if recipe is not None and recipe.name in _OPENING:
        return _OPENING[recipe.name]
    prices, total = dataset.hypergraph.marginal_costs(), dataset.hypergraph.total_cost
    cheapest = prices[prices > 0].min(initial=total)
    return float(max(_OPENING_SHARE * total, cheapest))


def repriced(budget: float, before: float, after: float) -> float:
    """Return a budget at other prices: the same share of what there is to pay.

    `before`, `after`: what all features cost together; before, above 0.
    """
    return min(budget * (after / before), after)
