"""Section 6.3 of the paper: leaves of a classic network, a root as the class."""

import numpy as np
import pytest

from solvers.bayes import (
    BayesianClassifier,
    agreement,
    classic_network,
    compare_over_thresholds,
    joint,
    maximum_achievable_agreement,
    score_affordable_subsets,
    trim,
)


def of_root(network, root, threshold=0.5):
    features = tuple(leaf for leaf in network.leaves if leaf != root)
    state = network.states[root][0]
    return BayesianClassifier(network, root, state, features, threshold)


@pytest.fixture(scope="module")
def alarm():
    return classic_network("alarm")


@pytest.fixture(scope="module")
def win95pts():
    return classic_network("win95pts")


def binary_roots(network):
    return [v for v in network.roots if network.cardinality(v) == 2]


def test_both_have_the_binary_roots_of_the_paper(alarm, win95pts):
    assert len(binary_roots(alarm)) == 10
    assert len(binary_roots(win95pts)) == 34


def test_alarm_is_searched_as_well_as_exhaustively(alarm):
    for root in binary_roots(alarm)[:3]:
        classifier = of_root(alarm, root, 0.3)
        found = trim(classifier, 3)
        scored = score_affordable_subsets(classifier, 3)
        assert found.agreement == pytest.approx(scored.agreements.max(), abs=1e-12)


def test_trim_is_never_below_information_gain_on_alarm(alarm):
    for root in binary_roots(alarm)[:4]:
        for row in compare_over_thresholds(of_root(alarm, root), 11 / 3):
            assert row.trimmed.agreement >= row.information.agreement - 1e-12
            assert row.trimmed.agreement >= row.information_agreement - 1e-12
            assert row.trimmed.agreement >= row.same_decision.agreement - 1e-12


@pytest.mark.slow
def test_trim_is_never_below_information_gain_on_win95pts(win95pts):
    better = 0
    for root in binary_roots(win95pts)[::2]:
        for row in compare_over_thresholds(of_root(win95pts, root), 16 / 3):
            assert row.trimmed.agreement >= row.information.agreement - 1e-12
            better += row.trimmed.agreement > row.information.agreement + 1e-6
    assert better > 0


def test_agreement_on_alarm_is_that_of_sampled_rows(alarm):
    from solvers.bayes import estimate_agreement

    classifier = of_root(alarm, binary_roots(alarm)[0], 0.3)
    found = trim(classifier, 3)
    kept = list(found.features)
    estimate = estimate_agreement(classifier, kept, found.threshold, n_samples=4000)
    assert abs(estimate.value - found.agreement) < 4 * estimate.standard_error


def test_marginals_of_alarm_are_those_of_the_whole_joint(alarm):
    root = binary_roots(alarm)[0]
    whole = joint(alarm, (root, *alarm.leaves))
    assert whole.sum() == pytest.approx(1)
    assert joint(alarm, (root, alarm.leaves[3])) == pytest.approx(
        whole.sum(axis=tuple(k for k in range(1, whole.ndim) if k != 4))
    )


def test_full_set_decides_as_the_classifier(alarm):
    classifier = of_root(alarm, binary_roots(alarm)[1], 0.2)
    best = maximum_achievable_agreement(classifier, classifier.features)
    assert best.agreement == pytest.approx(1)
    assert agreement(classifier, classifier.features, 0.2) == pytest.approx(1)


def test_network_beyond_tables_is_trimmed_by_samples():
    hepar2 = classic_network("hepar2")
    classifier = of_root(hepar2, binary_roots(hepar2)[0], 0.3)
    assert classifier.n_states > 2**40
    found = trim(classifier, 2, n_samples=500)
    assert not found.exact
    assert np.isfinite(found.standard_error)
    assert found.cost <= 2
