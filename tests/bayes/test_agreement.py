"""Agreement against its definition, and what the paper proves of it."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvers.bayes import (
    BayesianClassifier,
    BayesianNetwork,
    agreement,
    estimate_agreement,
    information_gain,
    maximum_achievable_agreement,
    maximum_potential_agreement,
    same_decision_probability,
)
from solvers.errors import HypergraphError, NetworkError
from tests.bayes.worlds import (
    classifiers,
    listed,
    listed_achievable,
    listed_agreement,
    listed_potential,
    naive_network,
    named,
    subsets,
)

thresholds = st.sampled_from([0.0, 0.05, 0.25, 0.5, 0.75, 1.0])


def drawn_set(data, classifier):
    n = len(classifier.features)
    return tuple(sorted(data.draw(st.sets(st.integers(0, n - 1)))))


@given(classifiers(), thresholds, st.data())
def test_agreement_is_its_definition(classifier, threshold, data):
    chosen = drawn_set(data, classifier)
    found = agreement(classifier, chosen, threshold)
    assert found == pytest.approx(listed_agreement(classifier, chosen, threshold))


@given(classifiers(), st.data())
def test_achievable_agreement_is_the_best_over_thresholds(classifier, data):
    chosen = drawn_set(data, classifier)
    found = maximum_achievable_agreement(classifier, chosen).agreement
    assert found == pytest.approx(listed_achievable(classifier, chosen))


@given(classifiers(), st.data())
def test_potential_agreement_is_its_definition(classifier, data):
    chosen = drawn_set(data, classifier)
    found = maximum_potential_agreement(classifier, chosen)
    assert found == pytest.approx(listed_potential(classifier, chosen))


@given(classifiers(), st.data())
def test_middle_and_right_end_of_the_interval_attain_the_best(classifier, data):
    chosen = drawn_set(data, classifier)
    best, interval = maximum_achievable_agreement(classifier, chosen)
    for threshold in (interval.middle, interval.high):
        assert agreement(classifier, chosen, threshold) == pytest.approx(best)


@given(classifiers(), st.data())
def test_left_end_of_the_interval_does_not_attain_the_best(classifier, data):
    chosen = drawn_set(data, classifier)
    best, interval = maximum_achievable_agreement(classifier, chosen)
    at_low = agreement(classifier, chosen, interval.low)
    if interval.includes_low:
        assert at_low == pytest.approx(best)
    else:
        assert at_low < best


@given(classifiers(), st.data())
def test_potential_never_falls_as_features_are_added(classifier, data):
    chosen = drawn_set(data, classifier)
    smaller = tuple(data.draw(st.sets(st.sampled_from(chosen)))) if chosen else ()
    less = maximum_potential_agreement(classifier, sorted(smaller))
    assert less <= maximum_potential_agreement(classifier, chosen) + 1e-12


@given(classifiers(), thresholds, st.data())
def test_no_threshold_agrees_more_than_the_potential(classifier, threshold, data):
    chosen = drawn_set(data, classifier)
    at_threshold = agreement(classifier, chosen, threshold)
    best = maximum_achievable_agreement(classifier, chosen).agreement
    assert at_threshold <= best + 1e-12
    assert best <= maximum_potential_agreement(classifier, chosen) + 1e-12


@given(classifiers(naive=True), st.data())
def test_potential_is_attained_in_naive_bayes(classifier, data):
    chosen = drawn_set(data, classifier)
    best = maximum_achievable_agreement(classifier, chosen).agreement
    assert best == pytest.approx(maximum_potential_agreement(classifier, chosen))


@given(classifiers())
def test_all_features_agree_wholly(classifier):
    everything = classifier.features
    assert maximum_achievable_agreement(classifier, everything)[0] == pytest.approx(1)
    assert maximum_potential_agreement(classifier, everything) == pytest.approx(1)
    assert agreement(classifier, everything, classifier.threshold) == pytest.approx(1)


@given(classifiers(), st.data())
def test_agreement_at_the_threshold_is_the_expected_same_decision_probability(
    classifier, data
):
    chosen = drawn_set(data, classifier)
    names = [classifier.features[j] for j in chosen]
    rows, _, total = listed(classifier)
    mass = {}
    for row, p in zip(rows, total, strict=True):
        key = tuple(int(k) for k in row[list(chosen)])
        mass[key] = mass.get(key, 0.0) + p
    expected = 0.0
    for key, p in mass.items():
        states = [classifier.network.states[v] for v in names]
        seen = {v: of[k] for v, of, k in zip(names, states, key, strict=True)}
        if p > 0:
            expected += p * same_decision_probability(classifier, seen)
    found = agreement(classifier, chosen, classifier.threshold)
    assert found == pytest.approx(expected)


def test_information_is_that_of_the_joint_table():
    rng = np.random.default_rng(0)
    classifier = BayesianClassifier(naive_network(rng, 3), "C", "+", named(3))
    _, positive, total = listed(classifier)
    joint = np.array([positive, total - positive])
    apart = joint.sum(axis=1, keepdims=True) * joint.sum(axis=0, keepdims=True)
    expected = (joint * np.log2(joint / apart)).sum()
    assert information_gain(classifier, named(3)) == pytest.approx(expected)


def test_swapped_classes_and_threshold_keep_the_potential():
    rng = np.random.default_rng(3)
    network = naive_network(rng, 4)
    one = BayesianClassifier(network, "C", "+", named(4), 0.37)
    other = BayesianClassifier(network, "C", "-", named(4), 0.63)
    for chosen in subsets(4):
        assert maximum_potential_agreement(one, chosen) == pytest.approx(
            maximum_potential_agreement(other, chosen)
        )


def test_achievable_agreement_may_fall_in_general_networks():
    found = []
    for seed in range(200):
        rng = np.random.default_rng(seed)
        tables = {
            "C": rng.dirichlet([1, 1]),
            "X": rng.dirichlet([1, 1], 2),
            "Y": rng.dirichlet([1, 1], (2, 2)),
            "Z": rng.dirichlet([1, 1], (2, 2)),
        }
        network = BayesianNetwork(
            {name: ("0", "1") for name in tables},
            {"X": ("C",), "Y": ("C", "X"), "Z": ("C", "Y")},
            tables,
        )
        classifier = BayesianClassifier(network, "C", "0", ("X", "Y", "Z"), 0.5)
        best = {s: maximum_achievable_agreement(classifier, s)[0] for s in subsets(3)}
        found += [best[(0,)] - best[(0, 1)], best[(1,)] - best[(1, 2)]]
    assert max(found) > 1e-3


def test_equal_posteriors_are_never_cut_apart():
    """Both states of X have posterior 1/2, but mostly opposite decisions below.

    Algorithm 2 as printed takes the first as negative and the second as positive and
    returns an agreement of 0.9, which no threshold reaches.
    """
    network = BayesianNetwork(
        {"C": ("+", "-"), "X": ("0", "1"), "Y": ("0", "1")},
        {"X": ("C",), "Y": ("C", "X")},
        {
            "C": [0.5, 0.5],
            "X": [[0.5, 0.5], [0.5, 0.5]],
            "Y": [[[0.85, 0.15], [0.95, 0.05]], [[0.95, 0.05], [0.85, 0.15]]],
        },
    )
    classifier = BayesianClassifier(network, "C", "+", ("X", "Y"), 0.5)
    best, interval = maximum_achievable_agreement(classifier, ["X"])
    assert best == pytest.approx(0.5)
    assert maximum_potential_agreement(classifier, ["X"]) == pytest.approx(0.9)
    assert agreement(classifier, ["X"], interval.middle) == pytest.approx(best)


def test_cut_is_by_posterior_not_by_mass():
    """Sorted by the mass of positive decisions, two states would change places."""
    network = BayesianNetwork(
        {"C": ("+", "-"), "X": ("rare", "common"), "Y": ("0", "1")},
        {"X": ("C",), "Y": ("C", "X")},
        {
            "C": [0.4, 0.6],
            "X": [[0.2, 0.8], [0.02, 0.98]],
            "Y": [[[0.9, 0.1], [0.8, 0.2]], [[0.9, 0.1], [0.1, 0.9]]],
        },
    )
    classifier = BayesianClassifier(network, "C", "+", ("X", "Y"), 0.5)
    best, interval = maximum_achievable_agreement(classifier, ["X"])
    assert best == pytest.approx(listed_achievable(classifier, (0,)))
    assert agreement(classifier, ["X"], interval.middle) == pytest.approx(best)


def test_feature_of_one_state_adds_nothing():
    network = BayesianNetwork(
        {"C": ("+", "-"), "X": ("any",), "Y": ("0", "1")},
        {"X": ("C",), "Y": ("C",)},
        {"C": [0.3, 0.7], "X": [[1.0], [1.0]], "Y": [[0.9, 0.1], [0.2, 0.8]]},
    )
    classifier = BayesianClassifier(network, "C", "+", ("X", "Y"), 0.5)
    positive = 0.3 * 0.9 + 0.7 * 0.2
    for chosen in ([], ["X"]):
        best = maximum_achievable_agreement(classifier, chosen).agreement
        assert best == pytest.approx(max(positive, 1 - positive))


def test_target_of_three_states_counts_one_against_the_others():
    rng = np.random.default_rng(5)
    network = BayesianNetwork(
        {"C": ("a", "b", "c"), "X": ("0", "1"), "Y": ("0", "1")},
        {"X": ("C",), "Y": ("C",)},
        {
            "C": [0.5, 0.3, 0.2],
            "X": rng.dirichlet([1, 1], 3),
            "Y": rng.dirichlet([1, 1], 3),
        },
    )
    classifier = BayesianClassifier(network, "C", "b", ("X", "Y"), 0.3)
    assert not classifier.is_naive_bayes
    for chosen in subsets(2):
        assert maximum_achievable_agreement(classifier, chosen)[0] == pytest.approx(
            listed_achievable(classifier, chosen)
        )


def test_estimate_lies_within_a_few_standard_errors():
    rng = np.random.default_rng(8)
    classifier = BayesianClassifier(naive_network(rng, 6), "C", "+", named(6), 0.4)
    exact = agreement(classifier, [0, 1], 0.5)
    estimate = estimate_agreement(classifier, [0, 1], 0.5, n_samples=5000)
    assert abs(estimate.value - exact) < 4 * estimate.standard_error
    assert 0 < estimate.standard_error < 0.01


def test_impossible_evidence_is_refused():
    network = BayesianNetwork(
        {"C": ("+", "-"), "X": ("0", "1")},
        {"X": ("C",)},
        {"C": [0.3, 0.7], "X": [[0.0, 1.0], [0.0, 1.0]]},
    )
    classifier = BayesianClassifier(network, "C", "+", ("X",))
    with pytest.raises(NetworkError, match="has probability 0; give states"):
        same_decision_probability(classifier, {"X": "0"})


def test_unknown_feature_is_refused_with_a_sentence():
    classifier = BayesianClassifier(
        naive_network(np.random.default_rng(0), 2), "C", "+", named(2)
    )
    with pytest.raises(HypergraphError, match="no feature 'F9'; use a name"):
        agreement(classifier, ["F9"], 0.5)


def test_too_many_joint_states_are_refused_with_a_remedy():
    classifier = BayesianClassifier(
        naive_network(np.random.default_rng(0), 45), "C", "+", named(45)
    )
    with pytest.raises(NetworkError, match=r"answers end at .*estimate_agreement"):
        agreement(classifier, ["F1"], 0.5)
