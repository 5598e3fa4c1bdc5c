"""Branch and bound on any criterion: what is not visited cannot be better."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solvers.bayes import BayesianClassifier
from solvers.bayes.branching import branch_and_bound
from solvers.bayes.criteria import FixedThresholdAgreement, InformationGain
from solvers.bayes.pricing import as_prices
from tests.bayes.worlds import (
    affordable,
    budgets_and_costs,
    classifiers,
    naive_network,
    named,
)


def scored(criterion, chosen):
    return criterion.score(chosen, criterion.table(chosen))


def criteria(classifier):
    yield FixedThresholdAgreement(classifier.masses, classifier.decisions)
    yield InformationGain(classifier.masses)


@given(classifiers(max_features=5), st.data())
@settings(max_examples=30)
def test_the_last_step_is_the_best_of_all_sets_by_any_criterion(classifier, data):
    budget, costs = data.draw(budgets_and_costs(classifier.features))
    prices = as_prices(classifier.features, costs, budget)
    sets = affordable(classifier, budget, costs)
    for criterion in criteria(classifier):
        *_, last = branch_and_bound(criterion, prices)
        best = max(scored(criterion, chosen) for chosen in sets)
        assert last.best.score == pytest.approx(best, abs=1e-9)
        assert scored(criterion, last.best.chosen) == pytest.approx(best, abs=1e-9)
        assert last.best.cost == pytest.approx(prices.cost(last.best.chosen))


@given(classifiers(max_features=4), st.data())
@settings(max_examples=30)
def test_any_order_of_decisions_finds_as_good_a_set(classifier, data):
    budget, costs = data.draw(budgets_and_costs(classifier.features))
    prices = as_prices(classifier.features, costs, budget)
    order = data.draw(st.permutations(range(len(classifier.features))))
    for criterion in criteria(classifier):
        *_, own = branch_and_bound(criterion, prices)
        *_, given_order = branch_and_bound(criterion, prices, order)
        assert given_order.best.score == pytest.approx(own.best.score, abs=1e-9)


@given(classifiers(max_features=5), st.data())
@settings(max_examples=30)
def test_no_set_below_a_node_beats_its_bound(classifier, data):
    budget, costs = data.draw(budgets_and_costs(classifier.features))
    prices = as_prices(classifier.features, costs, budget)
    for criterion in criteria(classifier):
        for step in branch_and_bound(criterion, prices):
            if step.state not in ("expanded", "bounded"):
                continue
            below = [
                scored(criterion, (*step.included, *more))
                for size in range(len(step.undecided) + 1)
                for more in itertools.combinations(step.undecided, size)
                if prices.fits(prices.cost((*step.included, *more)))
            ]
            assert max(below, default=0.0) <= step.bound + 1e-9


def world(n=5):
    network = naive_network(np.random.default_rng(4), n)
    classifier = BayesianClassifier(network, "C", "+", named(n), 0.4)
    criterion = FixedThresholdAgreement(classifier.masses, classifier.decisions)
    return classifier, criterion, as_prices(classifier.features, None, 2.0)


def test_features_are_decided_in_the_order_that_is_given():
    _, criterion, prices = world()
    order = [3, 1, 4, 0, 2]
    steps = list(branch_and_bound(criterion, prices, order))
    for step in steps:
        if step.feature is not None and step.state != "infeasible":
            depth = len(step.included) + len(step.excluded) - 1
            assert step.feature == order[depth]


def test_a_start_that_is_the_best_stays_and_less_is_looked_at():
    _, criterion, prices = world()
    cold = list(branch_and_bound(criterion, prices))
    best = cold[-1].best
    warm = list(branch_and_bound(criterion, prices, start=best.chosen))
    assert warm[-1].best.chosen == best.chosen
    assert "improved" not in {step.state for step in warm}
    assert len(warm) <= len(cold)


def test_numbers_of_nodes_are_those_of_their_creation():
    _, criterion, prices = world()
    *steps, last = branch_and_bound(criterion, prices)
    numbers = {step.node for step in steps}
    assert 0 in numbers
    assert all(step.parent < step.node for step in steps if step.parent is not None)
    assert last.node in numbers
