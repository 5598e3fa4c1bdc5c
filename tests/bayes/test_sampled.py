"""Agreement from samples: near the exact one, and no surer than it may be."""

import numpy as np
import pytest

from solvers.bayes import BayesianClassifier, agreement
from solvers.bayes.sampled import SampledDecisions, estimate_agreement
from tests.bayes.worlds import general_network, naive_network, named
from tests.each import each


def _classifier(make=naive_network, seed=0, n=5):
    network = make(np.random.default_rng(seed), n)
    return BayesianClassifier(network, "C", network.states["C"][0], named(n), 0.5)


@each("make", [naive_network, general_network])
def test_an_estimate_is_near_what_is_exact(make):
    classifier = _classifier(make, 3)
    exact = agreement(classifier, ["F0", "F2"], 0.45)
    found = estimate_agreement(classifier, ["F0", "F2"], 0.45, n_samples=4000)
    assert abs(found.value - exact) <= 5 * found.standard_error


def test_no_estimate_is_certain():
    classifier = _classifier()
    everything = estimate_agreement(classifier, named(5), 0.5, n_samples=50)
    assert everything.value == 1.0
    assert everything.standard_error > 0


@each("make", [naive_network, general_network])
def test_the_best_threshold_on_the_rows_agrees_as_much_as_is_said(make):
    classifier = _classifier(make, 5)
    drawn = SampledDecisions.draw(classifier, 300, 0)
    for chosen in [(), (0,), (1, 3), (0, 1, 2, 3, 4)]:
        best, interval = drawn.achievable(chosen)
        rows = drawn.rows[:, list(chosen)]
        posteriors = classifier.masses.posterior(chosen, rows)
        same = (posteriors >= interval.high - 1e-9) == drawn.decided
        assert same.mean() == pytest.approx(best)
        for threshold in (0.2, 0.5, 0.8):
            assert ((posteriors >= threshold) == drawn.decided).mean() <= best + 1e-12


def test_a_choice_is_judged_on_rows_that_it_was_not_made_by():
    drawn = SampledDecisions.draw(_classifier(seed=5), 300, 0)
    assert drawn.rows.shape == drawn.checks.shape == (300, 5)
    assert (drawn.rows != drawn.checks).any()
    found = drawn.checked_agreement((0, 1), 0.5)
    posteriors = drawn.classifier.masses.posterior((0, 1), drawn.checks[:, [0, 1]])
    assert found.value == ((posteriors >= 0.5 - 1e-12) == drawn.checked).mean()


def test_the_same_seed_draws_the_same_rows():
    classifier = _classifier()
    one, again, other = (
        SampledDecisions.draw(classifier, 50, seed).rows for seed in (1, 1, 2)
    )
    assert (one == again).all()
    assert (one != other).any()
