"""Meeting in the middle gives what tables give."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvers.bayes import BayesianClassifier, halves, trim
from solvers.bayes.decisions import TableDecisions
from solvers.bayes.halves import HalvesDecisions
from tests.bayes.worlds import classifiers, naive_network, named


@pytest.fixture(params=[2**20, 0], ids=["listed", "by one cut"])
def enumerated(request, monkeypatch):
    monkeypatch.setattr(halves, "ENUMERATED", request.param)


def both(classifier):
    parts = classifier.masses, classifier.threshold
    return TableDecisions(*parts), HalvesDecisions(*parts)


def drawn_set(data, classifier):
    n = len(classifier.features)
    return tuple(sorted(data.draw(st.sets(st.integers(0, n - 1)))))


@given(classifiers(max_features=7, naive=True), st.data())
def test_signed_masses_are_those_of_the_table(classifier, data):
    chosen = drawn_set(data, classifier)
    table, middle = both(classifier)
    assert middle.signed(chosen) == pytest.approx(table.signed(chosen), abs=1e-12)


@pytest.mark.usefixtures("enumerated")
@given(classifiers(max_features=7, naive=True), st.data())
def test_potential_is_that_of_the_table(classifier, data):
    chosen = drawn_set(data, classifier)
    table, middle = both(classifier)
    expected = table.potential(chosen)
    assert middle.potential(chosen) == pytest.approx(expected, abs=1e-12)


@pytest.mark.usefixtures("enumerated")
@given(classifiers(max_features=7, naive=True), st.data())
def test_thresholds_in_the_interval_attain_the_best(classifier, data):
    chosen = drawn_set(data, classifier)
    table, middle = both(classifier)
    best, interval = middle.achievable(chosen)
    assert best == pytest.approx(table.achievable(chosen)[0], abs=1e-12)
    for threshold in (interval.middle, interval.high):
        assert table.agreement(chosen, threshold) == pytest.approx(best, abs=1e-9)


@pytest.mark.usefixtures("enumerated")
@given(classifiers(max_features=7, naive=True), st.floats(0, 1), st.data())
def test_agreement_is_that_of_the_table(classifier, threshold, data):
    chosen = drawn_set(data, classifier)
    table, middle = both(classifier)
    expected = table.agreement(chosen, threshold)
    assert middle.agreement(chosen, threshold) == pytest.approx(expected, abs=1e-9)


def test_twenty_four_features_agree_with_the_table():
    network = naive_network(np.random.default_rng(0), 24)
    classifier = BayesianClassifier(network, "C", "+", named(24), 0.3)
    table, middle = both(classifier)
    for chosen in (range(3), range(5, 23), range(24)):
        expected = table.potential(tuple(chosen))
        assert middle.potential(tuple(chosen)) == pytest.approx(expected, abs=1e-10)


@pytest.mark.slow
def test_thirty_two_features_are_trimmed_exactly():
    network = naive_network(np.random.default_rng(0), 32)
    classifier = BayesianClassifier(network, "C", "+", named(32), 0.3)
    found = trim(classifier, 6)
    assert (found.exact, found.gap) == (True, 0.0)
    assert len(found.features) == 6
