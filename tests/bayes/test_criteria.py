"""Criteria score as their definitions do, and bound every part of a set."""

import numpy as np
import pytest
from hypothesis import given, settings
from sklearn.metrics import mutual_info_score

from solvers.bayes.criteria import (
    AchievableAgreement,
    FixedThresholdAgreement,
    InformationGain,
    class_information,
)
from tests.bayes.worlds import (
    classifiers,
    listed_achievable,
    listed_agreement,
    listed_potential,
    subsets,
)


def _all(classifier):
    masses, decisions = classifier.masses, classifier.decisions
    return {
        "achievable": AchievableAgreement(masses, decisions),
        "fixed": FixedThresholdAgreement(masses, decisions),
        "information": InformationGain(masses),
    }


@given(classifiers(max_features=4))
@settings(max_examples=25)
def test_scores_of_agreement_are_those_of_the_definitions(classifier):
    found = _all(classifier)
    for chosen in subsets(len(classifier.features)):
        table = found["achievable"].table(chosen)
        assert found["achievable"].score(chosen, table) == pytest.approx(
            listed_achievable(classifier, chosen), abs=1e-10
        )
        assert found["fixed"].score(chosen, table) == pytest.approx(
            listed_agreement(classifier, chosen, classifier.threshold), abs=1e-10
        )
        assert found["fixed"].bound(table) == pytest.approx(
            listed_potential(classifier, chosen), abs=1e-10
        )


@given(classifiers(max_features=4))
@settings(max_examples=25)
def test_no_part_of_a_set_scores_above_its_bound(classifier):
    for criterion in _all(classifier).values():
        n = len(classifier.features)
        bound = criterion.bound(criterion.table(range(n)))
        assert criterion.bound_of(range(n)) == pytest.approx(bound)
        for chosen in subsets(n):
            score = criterion.score(chosen, criterion.table(chosen))
            assert score <= bound + 1e-10


@given(classifiers(max_features=4))
@settings(max_examples=25)
def test_where_a_score_grows_it_is_its_bound(classifier):
    for criterion in _all(classifier).values():
        if criterion.grows:
            for chosen in subsets(len(classifier.features)):
                table = criterion.table(chosen)
                score = criterion.score(chosen, table)
                assert score == pytest.approx(criterion.bound(table), abs=1e-10)


def test_information_is_that_of_scikit_learn_in_bits():
    counts = np.array([[30.0, 5.0, 10.0], [10.0, 25.0, 20.0]])
    table = np.stack([counts[0], counts.sum(axis=0)]) / 100
    wanted = mutual_info_score(None, None, contingency=counts) / np.log(2)
    assert class_information(table) == pytest.approx(wanted)


def test_a_set_that_tells_everything_has_the_entropy_of_the_class():
    table = np.array([[0.25, 0.0], [0.25, 0.75]])
    entropy = -(0.25 * np.log2(0.25) + 0.75 * np.log2(0.75))
    assert class_information(table) == pytest.approx(entropy)
    assert class_information(np.array([[0.3], [1.0]])) == pytest.approx(0.0)
