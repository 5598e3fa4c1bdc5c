"""Other selections are the best by their own measure, of all affordable sets."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvers.bayes import (
    BayesianClassifier,
    agreement,
    information_gain,
    information_gain_selection,
    maximum_achievable_agreement,
    same_decision_selection,
    score_affordable_subsets,
    trim,
)
from solvers.bayes.selections import ScoredSubsets
from solvers.errors import NetworkError
from tests.bayes.worlds import (
    affordable,
    budgets_and_costs,
    classifiers,
    naive_network,
    named,
)


@given(classifiers(max_features=5), st.data())
def test_fixed_threshold_selection_is_the_exhaustive_one(classifier, data):
    budget, costs = data.draw(budgets_and_costs(classifier.features))
    found = same_decision_selection(classifier, budget, costs)
    expected = max(
        agreement(classifier, chosen, classifier.threshold)
        for chosen in affordable(classifier, budget, costs)
    )
    assert found.agreement == pytest.approx(expected)
    assert found.agreement <= trim(classifier, budget, costs).agreement + 1e-12


@given(classifiers(max_features=5), st.data())
def test_most_informative_set_is_the_exhaustive_one(classifier, data):
    budget, costs = data.draw(budgets_and_costs(classifier.features))
    found = information_gain_selection(classifier, budget, costs)
    expected = max(
        information_gain(classifier, chosen)
        for chosen in affordable(classifier, budget, costs)
    )
    gain = information_gain(classifier, list(found.features))
    assert gain == pytest.approx(expected, abs=1e-9)
    assert found.agreement <= trim(classifier, budget, costs).agreement + 1e-12


@given(classifiers(max_features=5), st.data())
def test_all_affordable_subsets_are_scored(classifier, data):
    budget, costs = data.draw(budgets_and_costs(classifier.features))
    scored = score_affordable_subsets(classifier, budget, costs)
    sets = {tuple(map(int, np.flatnonzero(mask))) for mask in scored.masks}
    assert sets == set(affordable(classifier, budget, costs))
    assert len(sets) == len(scored.masks)
    for mask, value in zip(scored.masks, scored.agreements, strict=True):
        expected = maximum_achievable_agreement(classifier, mask).agreement
        assert value == pytest.approx(expected)


def test_pareto_front_holds_what_nothing_beats():
    scored = ScoredSubsets(("a",), np.zeros((4, 1), bool), np.array([1, 2, 3, 3.0]), [])
    assert scored.pareto(np.array([9, 8, 5, 4])).tolist() == [True, True, True, False]


def test_too_many_sets_are_refused():
    classifier = BayesianClassifier(
        naive_network(np.random.default_rng(0), 20), "C", "+", named(20)
    )
    with pytest.raises(NetworkError, match=r"More than 200000 .* lower the budget"):
        score_affordable_subsets(classifier, 10)
