"""Frames of shrinking sets have the tables and bounds of the sets themselves."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solvers.bayes import BayesianClassifier
from solvers.bayes import frames as frames_module
from solvers.bayes.criteria import (
    AchievableAgreement,
    FixedThresholdAgreement,
    InformationGain,
)
from solvers.bayes.frames import Frames
from solvers.bayes.halves import HalvesDecisions
from tests.bayes.worlds import classifiers, naive_network, named, subsets
from tests.each import each

KINDS = [AchievableAgreement, FixedThresholdAgreement, InformationGain]


def _frames(classifier, kind):
    if kind is InformationGain:
        return Frames(kind(classifier.masses))
    return Frames(kind(classifier.masses, classifier.decisions))


@each("kind", KINDS)
@given(classifier=classifiers(max_features=4), data=st.data())
@settings(max_examples=15)
def test_what_is_left_after_drops_is_what_is_made_from_nothing(kind, classifier, data):
    n = len(classifier.features)
    frames = _frames(classifier, kind)
    order = data.draw(st.permutations(range(n)))
    frame = frames.of(order)
    for dropped in order[::2]:
        frame = frames.without(frame, (dropped,))
    fresh = frames.of(frame.chosen)
    assert frame.chosen == tuple(j for j in order if j not in order[::2])
    assert frame.table == pytest.approx(fresh.table, abs=1e-12)
    assert frame.bound == pytest.approx(fresh.bound, abs=1e-12)


@each("kind", KINDS)
@given(classifier=classifiers(max_features=4))
@settings(max_examples=15)
def test_a_score_is_that_of_the_leading_features(kind, classifier):
    frames = _frames(classifier, kind)
    n = len(classifier.features)
    whole = frames.of(range(n))
    for n_included in range(n + 1):
        leading = tuple(range(n_included))
        wanted = frames.criterion.score(leading, frames.criterion.table(leading))
        found = frames.score(whole, n_included, above=-1.0)
        assert found == pytest.approx(wanted, abs=1e-10)
        assert frames.score_of(leading) == pytest.approx(wanted, abs=1e-10)


@given(classifiers(max_features=4))
@settings(max_examples=15)
def test_a_set_whose_bound_is_too_low_is_not_scored(classifier):
    frames = _frames(classifier, FixedThresholdAgreement)
    whole = frames.of(range(len(classifier.features)))
    assert frames.score(whole, 0, above=2.0) is None


def test_each_score_and_bound_is_counted():
    network = naive_network(np.random.default_rng(0), 3)
    frames = _frames(
        BayesianClassifier(network, "C", "+", named(3), 0.5), AchievableAgreement
    )
    frame = frames.of(range(3))
    frames.without(frame, (0,))
    assert frames.evaluations == 2


@given(classifiers(max_features=4, naive=True))
@settings(max_examples=15)
def test_tables_that_are_put_together_are_those_of_the_whole(classifier):
    decisions = HalvesDecisions(classifier.masses, classifier.threshold)
    pieced = Frames(AchievableAgreement(classifier.masses, decisions))
    whole = _frames(classifier, AchievableAgreement)
    for chosen in subsets(len(classifier.features)):
        one = pieced.of(chosen, near=range(len(classifier.features)))
        other = whole.of(chosen)
        assert one.table == pytest.approx(other.table, abs=1e-10)
        assert one.bound == pytest.approx(other.bound, abs=1e-10)


def test_a_set_too_large_for_a_table_has_a_bound_all_the_same(monkeypatch):
    network = naive_network(np.random.default_rng(1), 5)
    classifier = BayesianClassifier(network, "C", "+", named(5), 0.4)
    decisions = HalvesDecisions(classifier.masses, 0.4)
    monkeypatch.setattr(frames_module, "PIECED_STATES", 1)
    frame = Frames(AchievableAgreement(classifier.masses, decisions)).of(range(4))
    assert frame.table is None
    assert frame.bound == pytest.approx(classifier.decisions.potential(range(4)))
