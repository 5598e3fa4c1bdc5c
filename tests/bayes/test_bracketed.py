"""Brackets hold the exact agreement, however coarse, and settle to it where asked."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solvers.bayes import BayesianClassifier, bracketed
from solvers.bayes.bracketed import BracketedFrames, bracketed_search
from solvers.bayes.criteria import AchievableAgreement
from solvers.bayes.halves import HalvesDecisions
from solvers.bayes.pricing import as_prices
from tests.bayes.worlds import naive_network, named, subsets


def _decisions(seed, n=6, threshold=0.5):
    network = naive_network(np.random.default_rng(seed), n)
    classifier = BayesianClassifier(network, "C", "+", named(n), threshold)
    return classifier, HalvesDecisions(classifier.masses, threshold)


def _frames(decisions):
    return BracketedFrames(AchievableAgreement(decisions.masses, decisions))


@given(st.integers(0, 999), st.sampled_from([0.2, 0.5, 0.8]))
@settings(max_examples=15)
def test_every_bracket_holds_the_potential_of_its_set(seed, threshold):
    classifier, decisions = _decisions(seed, 5, threshold)
    frames = _frames(decisions)
    whole = frames.of(range(5))
    for chosen in subsets(5):
        exact = classifier.decisions.potential(chosen)
        for frame in (
            frames.of(chosen),
            frames.without(whole, [j for j in range(5) if j not in chosen]),
        ):
            assert frame.chosen == chosen
            assert frame.low - 1e-9 <= exact <= frame.bound + 1e-9


@given(st.integers(0, 999))
@settings(max_examples=15)
def test_a_settled_frame_is_on_one_side_of_what_was_asked(seed):
    classifier, decisions = _decisions(seed)
    frames = _frames(decisions)
    for chosen in [(0,), (1, 3), (0, 2, 4)]:
        exact = classifier.decisions.potential(chosen)
        for above in (exact - 1e-7, exact + 1e-7):
            frame = frames.settled(frames.of(chosen), above)
            assert (frame.bound > above) == (exact > above)
            assert frames.may_reach(chosen, above) == (exact >= above)


def test_what_is_not_above_the_best_is_not_computed_exactly():
    classifier, decisions = _decisions(3)
    frames = _frames(decisions)
    frame = frames.of((0, 1))
    assert frames.attained(frame, 1.0) is None
    exact = classifier.decisions.potential((0, 1))
    assert frames.attained(frame, 0.0) == pytest.approx(exact, abs=1e-12)


@given(st.integers(0, 999), st.integers(1, 4))
@settings(max_examples=3)
def test_the_search_finds_the_best_set(seed, budget):
    classifier, decisions = _decisions(seed)
    prices = as_prices(classifier.features, None, budget)
    best = max(
        classifier.decisions.achievable(chosen)[0]
        for chosen in subsets(6)
        if len(chosen) <= budget
    )
    *_, last = bracketed_search(decisions, prices)
    assert last.best.score == pytest.approx(best, abs=1e-9)
    assert last.upper >= best - 1e-9


def test_with_a_tolerance_the_bound_tells_how_much_is_left_open(monkeypatch):
    monkeypatch.setattr(bracketed, "EXACT_STATES", 1)
    classifier, decisions = _decisions(8)
    prices = as_prices(classifier.features, None, 3)
    *_, last = bracketed_search(decisions, prices)
    best = max(
        classifier.decisions.achievable(chosen)[0]
        for chosen in subsets(6)
        if len(chosen) <= 3
    )
    assert last.best.score <= best + 1e-12
    assert best <= last.upper + 1e-12 <= last.best.score + 1e-4 + 1e-12
