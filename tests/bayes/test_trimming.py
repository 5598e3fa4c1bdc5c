"""Branch and bound finds what exhaustive search finds, and says what it does."""

import copy
import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solvers import FeatureHypergraph
from solvers.bayes import (
    BayesianClassifier,
    agreement,
    bundled_classifier,
    maximum_achievable_agreement,
    score_affordable_subsets,
    search_trimmings,
    trim,
)
from solvers.bayes import frames as frames_module
from solvers.bayes.pricing import as_prices
from solvers.errors import HypergraphError, NetworkError
from tests.bayes.worlds import (
    budgets_and_costs,
    classifiers,
    exhaustive,
    naive_network,
    named,
)
from tests.each import each


@given(classifiers(max_features=6), st.sampled_from(["importance", "given"]), st.data())
@settings(max_examples=60)
def test_branch_and_bound_finds_the_exhaustive_optimum(classifier, order, data):
    budget, costs = data.draw(budgets_and_costs(classifier.features))
    *_, last = search_trimmings(classifier, budget, costs, order=order)
    expected = exhaustive(classifier, budget, costs)
    assert last.best.agreement == pytest.approx(expected, abs=1e-11)


@given(classifiers(max_features=6), st.data())
def test_trimming_is_what_it_says(classifier, data):
    budget, costs = data.draw(budgets_and_costs(classifier.features))
    found = trim(classifier, budget, costs)
    prices = as_prices(classifier.features, costs, budget)
    assert found.cost == pytest.approx(
        prices.cost(classifier.positions(list(found.features)))
    )
    assert prices.fits(found.cost)
    assert (found.exact, found.gap, found.standard_error) == (True, 0.0, 0.0)
    at_threshold = agreement(classifier, list(found.features), found.threshold)
    assert at_threshold == pytest.approx(found.agreement)


@given(classifiers(max_features=5), st.data())
def test_no_feature_of_a_trimming_can_be_dropped_for_free(classifier, data):
    budget, costs = data.draw(budgets_and_costs(classifier.features))
    found = trim(classifier, budget, costs)
    for gone in found.features:
        rest = [name for name in found.features if name != gone]
        less = maximum_achievable_agreement(classifier, rest).agreement
        assert less < found.agreement - 1e-13


@given(classifiers(max_features=5), st.data())
def test_proved_bound_holds_at_every_event(classifier, data):
    budget, costs = data.draw(budgets_and_costs(classifier.features))
    optimum = exhaustive(classifier, budget, costs)
    events = list(search_trimmings(classifier, budget, costs))
    assert all(event.best.bound >= optimum - 1e-11 for event in events)
    assert all(event.best.agreement <= optimum + 1e-11 for event in events)
    bounds = [event.best.bound for event in events]
    assert all(b <= a + 1e-11 for a, b in itertools.pairwise(bounds))


@given(classifiers(max_features=4))
def test_budget_of_nothing_gives_nothing(classifier):
    found = trim(classifier, 0)
    assert (found.features, found.cost) == ((), 0.0)


@given(classifiers(max_features=4))
def test_budget_for_everything_agrees_wholly(classifier):
    assert trim(classifier, len(classifier.features)).agreement == pytest.approx(1)


def test_shared_component_is_paid_once():
    """Q1 and Q3 share a room; with Q2 instead they would not fit."""
    from solvers.bayes import bundled_classifier

    shared = FeatureHypergraph(
        [[1, 0, 1], [0, 1, 0]], [1.0, 1.0], ("Q1", "Q2", "Q3"), ("room", "desk")
    )
    quiz = bundled_classifier("quiz")
    states = {
        event.included: event.cost for event in search_trimmings(quiz, 1.0, shared)
    }
    assert states[("Q1",)] == 1.0
    assert trim(quiz, 2.0, shared).agreement == pytest.approx(1.0)


def test_decimal_costs_fit_in_their_sum():
    classifier = BayesianClassifier(
        naive_network(np.random.default_rng(0), 2), "C", "+", named(2), 0.4
    )
    assert score_affordable_subsets(classifier, 0.3, [0.1, 0.2]).masks.all(axis=1).any()


def test_closing_keeps_the_best_so_far_with_its_gap():
    classifier = BayesianClassifier(
        naive_network(np.random.default_rng(5), 10), "C", "+", named(10), 0.3
    )
    events = search_trimmings(classifier, 3)
    first = next(events)
    events.close()
    optimum = trim(classifier, 3).agreement
    assert first.best.agreement <= optimum <= first.best.agreement + first.best.gap


def test_evaluations_can_be_limited():
    classifier = BayesianClassifier(
        naive_network(np.random.default_rng(5), 10), "C", "+", named(10), 0.3
    )
    stopped = trim(classifier, 3, max_evaluations=15)
    assert stopped.gap > 0
    assert stopped.evaluations < trim(classifier, 3).evaluations


def test_time_can_be_limited():
    classifier = BayesianClassifier(
        naive_network(np.random.default_rng(5), 10), "C", "+", named(10), 0.3
    )
    assert trim(classifier, 3, seconds=0).gap > 0


@each(
    ("arguments", "sentence"),
    [
        ((-1,), "The budget is -1; give a number, 0 or more"),
        ((float("nan"),), "The budget is nan"),
        (("much",), "The budget is 'much'"),
        ((1, [1, 2]), r"3 features, but costs of shape \(2,\)"),
        ((1, [1, -2, 1]), "Feature 'F1' costs -2; a cost is a finite number"),
        ((1, [1, float("inf"), 1]), "Feature 'F1' costs inf"),
        ((1, {"F0": 1, "F1": 1}), "'F2' has no cost"),
        ((1, {"F0": 1, "F1": 1, "F2": 1, "F3": 1}), "a cost of 'F3', which is not"),
        ((1, ["a", "b", "c"]), "are not numbers"),
    ],
)
def test_bad_budgets_and_costs_are_refused_before_the_first_event(arguments, sentence):
    classifier = BayesianClassifier(
        naive_network(np.random.default_rng(0), 3), "C", "+", named(3)
    )
    with pytest.raises(NetworkError, match=sentence):
        search_trimmings(classifier, *arguments)


def test_hypergraph_that_does_not_know_a_feature_is_refused():
    classifier = BayesianClassifier(
        naive_network(np.random.default_rng(0), 3), "C", "+", named(3)
    )
    with pytest.raises(HypergraphError, match="no feature 'F0'"):
        search_trimmings(classifier, 1, FeatureHypergraph([[1, 1, 1]], [1.0]))


def test_unknown_order_is_refused():
    classifier = BayesianClassifier(
        naive_network(np.random.default_rng(0), 3), "C", "+", named(3)
    )
    with pytest.raises(NetworkError, match='use "importance" or "given"'):
        search_trimmings(classifier, 1, order="random")


def test_bounds_without_tables_find_the_same_trimming(monkeypatch):
    from solvers.bayes import classifier as classifier_module
    from solvers.bayes import halves as halves_module

    rng = np.random.default_rng(11)
    network = naive_network(rng, 9, (2, 3), zeros=True)
    by_table = BayesianClassifier(network, "C", "+", named(9), 0.4)
    expected = [trim(by_table, budget) for budget in (1, 3, 5)]
    monkeypatch.setattr(classifier_module, "NAIVE_TABLE_STATES", 1)
    monkeypatch.setattr(halves_module, "ENUMERATED", 8)
    monkeypatch.setattr(frames_module, "PIECED_STATES", 16)
    by_halves = BayesianClassifier(network, "C", "+", named(9), 0.4)
    for budget, known in zip((1, 3, 5), expected, strict=True):
        found = trim(by_halves, budget)
        assert found.agreement == pytest.approx(known.agreement, abs=1e-11)
        assert found.features == known.features


def test_a_copy_is_sent_without_its_tables():
    network = naive_network(np.random.default_rng(0), 12)
    classifier = BayesianClassifier(network, "C", "+", named(12), 0.3)
    expected = trim(classifier, 3)
    again = copy.deepcopy(classifier)
    assert {"masses", "decisions"} <= vars(classifier).keys()
    assert not {"masses", "decisions"} & vars(again).keys()
    assert trim(again, 3) == expected


def test_the_original_decides_at_the_threshold_that_is_asked_for():
    quiz = bundled_classifier("quiz")
    found = trim(quiz, 2.0, threshold=0.07)
    assert found == trim(quiz.with_threshold(0.07), 2.0)
    assert str(found).startswith("features:\n    Q1\n")
    assert f"agreement: {found.agreement:.6f}, cost: 2" in str(found)
