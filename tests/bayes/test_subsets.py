"""Every affordable set once, with the agreement that it has on its own."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solvers.bayes import maximum_achievable_agreement
from solvers.bayes import selections as subsets_module
from solvers.bayes.pricing import as_prices
from solvers.bayes.selections import affordable_masks, affordable_subsets
from solvers.errors import NetworkError
from tests.bayes.worlds import budgets_and_costs, classifiers, named, subsets


def affordable(prices, n):
    """The sets that fit, by trying each."""
    return {chosen for chosen in subsets(n) if prices.fits(prices.cost(chosen))}


def as_sets(masks):
    return [tuple(np.flatnonzero(mask).tolist()) for mask in masks]


@given(st.integers(1, 7), st.data())
@settings(max_examples=25)
def test_every_set_that_fits_is_there_once(n, data):
    budget, costs = data.draw(budgets_and_costs(named(n)))
    prices = as_prices(named(n), costs, budget)
    found = as_sets(affordable_masks(prices))
    assert len(found) == len(set(found))
    assert set(found) == affordable(prices, n)
    assert found[0] == ()


@given(classifiers(max_features=5), st.data())
@settings(max_examples=25)
def test_each_has_the_agreement_that_it_has_alone(classifier, data):
    budget, costs = data.draw(budgets_and_costs(classifier.features))
    prices = as_prices(classifier.features, costs, budget)
    found = {}
    for mask, agreement in affordable_subsets(classifier, prices):
        (chosen,) = as_sets([mask])
        assert chosen not in found
        found[chosen] = agreement
    assert set(found) == affordable(prices, len(classifier.features))
    for chosen, agreement in found.items():
        expected = maximum_achievable_agreement(classifier, chosen).agreement
        assert agreement == pytest.approx(expected, abs=1e-11)


def test_too_many_sets_are_refused_before_they_are_made(monkeypatch):
    monkeypatch.setattr(subsets_module, "MAX_SUBSETS", 100)
    with pytest.raises(NetworkError, match="More than 100 sets of features fit"):
        affordable_masks(as_prices(named(7), None, 7))
